import { createParser, type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import { REQUEST_FIELDS } from '@/lib/control-center/filters/fields';
import type { Inputs } from '../../_components/api-types';
import { filterOf, fromFirstPage, PAGING } from '../../_components/filters/filter-of';
import { createHref } from '../../_components/url-href';
import { parseAsFlag } from '../../_components/url-parsers';

/** The periods that the page offers. Every period except `custom` ends at the current time. */
export const PERIODS = ['1h', '24h', '7d', '30d', 'custom'] as const;

export type Period = (typeof PERIODS)[number];

/** Parses a timestamp in the years 1000 to 9999. `Date` also accepts other years, but the server refuses them. */
const parseAsTimestamp = createParser<string>({
  parse: (value) => {
    if (Number.isNaN(Date.parse(value))) return null;
    const timestamp = new Date(value).toISOString();
    return /^[1-9]\d{3}-/.test(timestamp) ? timestamp : null;
  },
  serialize: String,
});

export const FILTER = filterOf(REQUEST_FIELDS);

/** The URL parameters of the Requests page. */
export const PARSERS = {
  period: parseAsStringLiteral(PERIODS).withDefault('24h'),
  // The start and the end of the custom period.
  from: parseAsTimestamp,
  to: parseAsTimestamp,
  ...FILTER.parsers,
  order: parseAsStringLiteral(['newest', 'oldest']).withDefault('newest'),
  ...PAGING,
  live: parseAsFlag,
};

/** The parsed values of the URL parameters. */
export type RequestsQuery = inferParserType<typeof PARSERS>;

/** Replaces a custom period that is incomplete or ends before it starts with the default period. */
export function normalizeQuery(query: RequestsQuery): RequestsQuery {
  const { period, from, to } = query;
  if (period === 'custom' && from !== null && to !== null && from < to) return query;
  return { ...query, period: period === 'custom' ? '24h' : period, from: null, to: null };
}

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: RequestsQuery, patch: Partial<RequestsQuery>): RequestsQuery {
  const changed = fromFirstPage(query, patch);
  if (changed.period !== 'custom') Object.assign(changed, { from: null, to: null });
  // Live mode inserts new rows at the top, so it is available only if the newest requests are at the top of the page.
  const isTop = changed.cursor === null && changed.order === 'newest' && changed.period !== 'custom';
  return { ...changed, live: changed.live && isTop };
}

const createRequestsHref = createHref(PARSERS);

/** Returns the URL of the Requests page with filters. */
export function requestsHref(query: Partial<RequestsQuery>): string {
  return createRequestsHref('/requests', query);
}

/** Returns the URL of one request. */
export function requestHref(requestId: string): string {
  return `/requests/${encodeURIComponent(requestId)}`;
}

/** Returns the period and the filters as input of the `requests` procedures. */
export function filterInput(query: RequestsQuery): Inputs['requests']['histogram'] & object {
  const { period, from, to } = query;
  return { period: period === 'custom' ? { from: from ?? '', to: to ?? '' } : period, ...FILTER.inputOf(query) };
}

/** Returns the input of the `requests.list` procedure. */
export function listInput(query: RequestsQuery): Inputs['requests']['list'] {
  return { ...filterInput(query), order: query.order, cursor: query.cursor, back: query.back };
}
