'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTRPC } from '../../../_components/trpc';
import { useUrlState } from '../../../_components/use-url-state';
import { PersonFilters, PersonList } from '../../_components/person-list';
import { changeQuery, listInput, NO_FILTERS, PARSERS } from './query';
import { SignInsTable } from './sign-ins-table';

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
