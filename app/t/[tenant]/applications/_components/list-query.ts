import { type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs } from '../../_components/api-types';
import { parseAsPage, parseAsText } from '../../_components/url-parsers';

type Sort = Inputs['applications']['list']['sort'];

const SORTS = [
  'name',
  'created_at',
  'last_request_at',
  'requests_24h',
  'errors_24h',
] as const satisfies readonly Sort[];

/** The URL parameters of the application list. */
export const PARSERS = {
  search: parseAsText().withDefault(''),
  status: parseAsStringLiteral(['any', 'active', 'suspended']).withDefault('any'),
  sort: parseAsStringLiteral(SORTS).withDefault('name'),
  direction: parseAsStringLiteral(['asc', 'desc']).withDefault('asc'),
  page: parseAsPage(10_000),
};

/** The parsed values of the URL parameters. */
export type ListQuery = inferParserType<typeof PARSERS>;

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: ListQuery, patch: Partial<ListQuery>): ListQuery {
  return { ...query, page: 1, ...patch };
}
