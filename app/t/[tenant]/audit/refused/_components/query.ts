import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs, RefusedCallLine } from '../../../_components/api-types';
import { parseAsCursor, parseAsFlag, parseAsText } from '../../../_components/url-parsers';

/** For each code of a refused call: why the call was refused, as the page displays it. */
export const REASONS: Record<RefusedCallLine['code'], string> = {
  forbidden: 'Role not allowed',
  not_found: 'Not found',
  second_factor_required: 'No second factor',
};

/** The URL parameters of the list of refused calls. */
export const PARSERS = {
  person: parseAsText(),
  reason: parseAsStringLiteral(['forbidden', 'not_found', 'second_factor_required'] as const),
  cursor: parseAsCursor,
  back: parseAsFlag,
};

/** The parsed values of the URL parameters. */
export type RefusedQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
export const NO_FILTERS = { person: null, reason: null } as const;

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: RefusedQuery, patch: Partial<RefusedQuery>): RefusedQuery {
  return { ...query, cursor: null, back: false, ...patch };
}

/** Returns the input of the `audit.refused_calls` procedure. */
export function listInput({ person, reason, cursor, back }: RefusedQuery): Inputs['audit']['refused_calls'] {
  return { person, code: reason, cursor, back };
}

/** Returns whether any filter is set. */
export function isFiltered({ person, reason }: RefusedQuery): boolean {
  return person !== null || reason !== null;
}
