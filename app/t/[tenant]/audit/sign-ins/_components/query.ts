import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs } from '../../../_components/api-types';
import { parseAsCursor, parseAsFlag, parseAsText } from '../../../_components/url-parsers';

/** The URL parameters of the sign-in list. */
export const PARSERS = {
  person: parseAsText(),
  result: parseAsStringLiteral(['succeeded', 'failed'] as const),
  cursor: parseAsCursor,
  back: parseAsFlag,
};

/** The parsed values of the URL parameters. */
export type SignInsQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
export const NO_FILTERS = { person: null, result: null } as const;

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: SignInsQuery, patch: Partial<SignInsQuery>): SignInsQuery {
  return { ...query, cursor: null, back: false, ...patch };
}

/** Returns the input of the `audit.sign_ins` procedure. */
export function listInput({ person, result, cursor, back }: SignInsQuery): Inputs['audit']['sign_ins'] {
  return { person, failed: result && result === 'failed', cursor, back };
}
