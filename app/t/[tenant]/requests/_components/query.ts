import { createParser, type inferParserType, parseAsStringLiteral } from 'nuqs/server';
import type { Inputs } from '../../_components/api-types';
import { createHref } from '../../_components/url-href';
import { parseAsCursor, parseAsFlag, parseAsPattern, parseAsText } from '../../_components/url-parsers';

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

/** The URL parameters of the Requests page. */
export const PARSERS = {
  period: parseAsStringLiteral(PERIODS).withDefault('24h'),
  // The start and the end of the custom period.
  from: parseAsTimestamp,
  to: parseAsTimestamp,
  // A status code, a class of status codes, or `error` for both 4xx and 5xx.
  status: parseAsPattern(/^(2xx|4xx|5xx|error|[1-5]\d\d)$/),
  code: parseAsText(),
  // The reason that narrows the code. Only links of the Overview set it.
  reason: parseAsText(),
  route: parseAsText(),
  application: parseAsText(),
  key: parseAsText(),
  reference: parseAsText(128),
  order: parseAsStringLiteral(['newest', 'oldest']).withDefault('newest'),
  cursor: parseAsCursor,
  back: parseAsFlag,
  live: parseAsFlag,
};

/** The parsed values of the URL parameters. */
export type RequestsQuery = inferParserType<typeof PARSERS>;

/** The change to the URL state that clears all filters. */
export const NO_FILTERS = {
  status: null,
  code: null,
  reason: null,
  route: null,
  application: null,
  key: null,
  reference: null,
} satisfies Partial<RequestsQuery>;

/**
 * Returns the query. If the custom period is incomplete or ends before it starts, replaces it with the default period.
 */
export function normalizeQuery(query: RequestsQuery): RequestsQuery {
  const { period, from, to } = query;
  if (period === 'custom' && from !== null && to !== null && from < to) return query;
  return { ...query, period: period === 'custom' ? '24h' : period, from: null, to: null };
}

/** Returns the query after a change. Unless the change selects a page, the list starts on the first page. */
export function changeQuery(query: RequestsQuery, patch: Partial<RequestsQuery>): RequestsQuery {
  const changed = { ...query, cursor: null, back: false, ...patch };
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

type FilterInput = Omit<Inputs['requests']['list'], 'order' | 'cursor' | 'back'>;

/** Returns the period and the filters as input of the `requests` procedures. */
export function filterInput(query: RequestsQuery): FilterInput {
  const { period, from, to, status, code, reason, route, application, key, reference } = query;
  return {
    period: period === 'custom' ? { from: from ?? '', to: to ?? '' } : period,
    status: status === null ? null : /^\d+$/.test(status) ? Number(status) : (status as '2xx'),
    code,
    reason,
    route,
    application_id: application,
    key_id: key,
    reference,
  };
}

/** Returns the input of the `requests.list` procedure. */
export function listInput(query: RequestsQuery): Inputs['requests']['list'] {
  return { ...filterInput(query), order: query.order, cursor: query.cursor, back: query.back };
}

/** Returns whether any filter other than the period is set. */
export function isFiltered(query: RequestsQuery): boolean {
  return (Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]).some((name) => query[name] !== null);
}
