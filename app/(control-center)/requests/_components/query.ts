import { cursorOf, textOf } from '../../_components/use-address';
import type { ListInput } from './types';

/** The periods of the page; the named ones end now. */
export const PERIODS = ['1h', '24h', '7d', '30d', 'custom'] as const;

/** A period of the page. */
export type Period = (typeof PERIODS)[number];

/** What the Requests page shows; all of it is in the address. */
export type RequestsQuery = {
  period: Period;
  /** ISO 8601 UTC; of a custom period. */
  from: string | null;
  to: string | null;
  /** 2xx, 4xx, 5xx, error (4xx and 5xx), or an exact one. */
  status: string | null;
  code: string | null;
  route: string | null;
  application: string | null;
  key: string | null;
  reference: string | null;
  order: 'newest' | 'oldest';
  cursor: string | null;
  back: boolean;
  live: boolean;
};

/** What narrows the list beside the period. */
export const FILTERS = ['status', 'code', 'route', 'application', 'key', 'reference'] as const;

/** No filter set. */
export const NO_FILTERS = {
  status: null,
  code: null,
  route: null,
  application: null,
  key: null,
  reference: null,
} satisfies Partial<RequestsQuery>;

const STATUS = /^(2xx|4xx|5xx|error|[1-5]\d\d)$/;
const FIRST_PAGE = { cursor: null, back: false } as const;

/** Reads the address. What is no value of ours counts as not set: an old link still opens the page. */
export function readQuery(params: URLSearchParams): RequestsQuery {
  const text = (name: string) => textOf(params, name);
  const [from, to] = [instant(text('from')), instant(text('to'))];
  const named = PERIODS.find((one) => one === params.get('period')) ?? '24h';
  const isCustom = named === 'custom' && from !== null && to !== null && from < to;
  const status = text('status');
  return {
    period: named === 'custom' && !isCustom ? '24h' : named,
    from: isCustom ? from : null,
    to: isCustom ? to : null,
    status: status && STATUS.test(status) ? status : null,
    code: text('code'),
    route: text('route'),
    application: text('application'),
    key: text('key'),
    reference: text('reference')?.slice(0, 128) ?? null,
    order: params.get('order') === 'oldest' ? 'oldest' : 'newest',
    cursor: cursorOf(params),
    back: params.get('back') === '1',
    live: params.get('live') === '1',
  };
}

function instant(text: string | null): string | null {
  if (text === null || Number.isNaN(Date.parse(text))) return null;
  const moment = new Date(text).toISOString();
  // Years of other than four digits are written with a sign, and 0 is none: nothing of ours is that old, or ahead.
  return /^[1-9]\d{3}-/.test(moment) ? moment : null;
}

/** Returns the query after a change. Whatever changes but the page itself begins on the first page again. */
export function changeQuery(query: RequestsQuery, patch: Partial<RequestsQuery>): RequestsQuery {
  const changed = { ...query, ...FIRST_PAGE, ...patch };
  if (changed.period !== 'custom') Object.assign(changed, { from: null, to: null });
  // What is new comes in at the top of the newest page, up to now.
  const isTop = changed.cursor === null && changed.order === 'newest' && changed.period !== 'custom';
  return { ...changed, live: changed.live && isTop };
}

/** Returns the address that shows a query; what is not set is not in it. */
export function hrefOf(query: Partial<RequestsQuery>): string {
  const params = new URLSearchParams();
  const { period = '24h', order, back, live, ...texts } = query;
  if (period !== '24h') params.set('period', period);
  for (const [name, value] of Object.entries(texts)) if (value) params.set(name, value);
  if (order === 'oldest') params.set('order', order);
  if (back) params.set('back', '1');
  if (live) params.set('live', '1');
  return params.size === 0 ? '/requests' : `/requests?${params}`;
}

/** Returns the address of one request. */
export function requestHref(requestId: string): string {
  return `/requests/${encodeURIComponent(requestId)}`;
}

type FilterInput = Omit<ListInput, 'order' | 'cursor' | 'back'>;

/** Returns what the server is asked for. */
export function filterInput(query: RequestsQuery): FilterInput {
  const { period, from, to, status, code, route, application, key, reference } = query;
  return {
    period: period === 'custom' ? { from: from ?? '', to: to ?? '' } : period,
    status: status === null ? null : /^\d+$/.test(status) ? Number(status) : (status as '2xx'),
    code,
    route,
    application_id: application,
    key_id: key,
    reference,
  };
}

/** Tells whether anything narrows the list beside the period. */
export function isFiltered(query: RequestsQuery): boolean {
  return FILTERS.some((name) => query[name] !== null);
}
