'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs } from '../../../_components/api-types';
import { useTRPC } from '../../../_components/trpc';
import { parseAsCursor, parseAsFlag, parseAsText } from '../../../_components/url-parsers';
import { useUrlState } from '../../../_components/use-url-state';
import { PersonFilters, PersonList } from '../../_components/person-list';
import { SignInsTable } from './sign-ins-table';

/** The URL parameters of the sign-in list. */
const PARSERS = {
  person: parseAsText(),
  result: parseAsStringLiteral(['succeeded', 'failed'] as const),
  cursor: parseAsCursor,
  back: parseAsFlag,
};

/** The parsed values of the URL parameters. */
type SignInsQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
const NO_FILTERS = { person: null, result: null } as const;

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
function changeQuery(query: SignInsQuery, patch: Partial<SignInsQuery>): SignInsQuery {
  return { ...query, cursor: null, back: false, ...patch };
}

/** Returns the input of the `audit.sign_ins` procedure. */
function listInput({ person, result, cursor, back }: SignInsQuery): Inputs['audit']['sign_ins'] {
  return { person, failed: result && result === 'failed', cursor, back };
}

const RESULTS = [
  { value: '', label: 'Any result' },
  { value: 'succeeded', label: 'Signed in' },
  { value: 'failed', label: 'Failed' },
];

const EMPTY = { title: 'No matching sign-ins', text: 'No sign-ins from the last 90 days match the filters.' };

/** The sign-ins of all members, with filters for the person and the result. */
export function SignInsView() {
  const trpc = useTRPC();
  const { query, href, go } = useUrlState(PARSERS, { change: changeQuery });
  const list = useQuery(trpc.audit.sign_ins.queryOptions(listInput(query), { placeholderData: keepPreviousData }));
  const setResult = (value: string) => go({ result: PARSERS.result.parse(value) });
  const filters = (
    <PersonFilters
      person={query.person}
      other={{ label: 'Result', value: query.result, choices: RESULTS, onChange: setResult }}
      onPerson={(person) => go({ person })}
      onClear={() => go(NO_FILTERS)}
    />
  );
  return <PersonList list={list} filters={filters} empty={EMPTY} table={SignInsTable} href={href} go={go} />;
}
