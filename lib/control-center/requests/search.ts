import type pg from 'pg';
import type { Refused } from '@/lib/activity/request-log/log-entry';
import { isId } from '@/lib/platform/ids';
import { bind, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { type KeysetValues, keysetSql, parseKeyset } from '@/lib/platform/text/keyset';
import { boundedRead } from '../bounded-read';
import {
  entryConditions,
  errorStatuses,
  type Period,
  type RequestFilter,
  type RequestValues,
  requestValues,
} from './filter';

const PAGE_SIZE = 50;

const MINUTE = 60_000;
const DAY = 86_400_000;
const BUDGET_MS = 2_000;
const STEP_TIMEOUT_MS = 700;

/** `back`: the page before the cursor. Default `size`: 50. */
export type Page = { order: 'newest' | 'oldest'; cursor: string | null; back: boolean; size?: number };

export type RequestRow = {
  request_id: string;
  at: Date;
  method: string;
  route: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  duration_ms: number;
  application: { id: string; name: string } | null;
  key: { id: string; name: string; last_four: string } | null;
};

/** A search that runs out of time returns a page that is not full. The next one continues at `searched_to`. */
export type RequestPage = {
  rows: RequestRow[];
  previous: string | null;
  next: string | null;
  searched_to: Date | null;
};

export type RequestEntry = Omit<RequestRow, 'application' | 'key'> & {
  application_id: string | null;
  key_id: string | null;
  application_name: string | null;
  key_name: string | null;
  last_four: string | null;
  booking_reference: string | null;
  external_reference: string | null;
  refused: Refused | null;
};

const COLUMNS = sql`request_id, at, method, route, status, code, reason, duration_ms, application_id, key_id,
  booking_reference, external_reference, refused`;

/**
 * Returns a page of a tenant's request log. With 5,000,000 entries, the first page takes less than 100 ms. For these
 * filters, PostgreSQL reads the entries from an index in the order of time:
 *
 * - no filter: request_log_tenant_id_at_status_idx
 * - application, route, or code: request_log_tenant_id_{application_id,route,code}_at_status_idx
 * - errors: request_log_tenant_id_status_at_idx
 * - errors of one application: request_log_tenant_id_application_id_status_at_idx
 * - references: one index for each kind of reference
 *
 * For a combination of filters, there may be no suitable index. The search then stops after two seconds and returns the
 * entries that it has found. A cursor is the time and the id of an entry, so late pages are as fast as early ones.
 * @param budget The time limit of the search in milliseconds.
 * @throws AppError invalid_request if the cursor is invalid.
 */
export async function searchRequests(filter: RequestFilter, page: Page, budget = BUDGET_MS): Promise<RequestPage> {
  const { entries, ...found } = await searchEntries(filter, page, budget);
  return { rows: entries.map(toRow), ...found };
}

/** Like `searchRequests`, with references and what a refused write requested. */
export async function searchEntries(
  filter: RequestFilter,
  page: Page,
  budget = BUDGET_MS,
): Promise<Omit<RequestPage, 'rows'> & { entries: RequestEntry[] }> {
  const { entries: found, rest } = await readEntries(filter, page, budget);
  const size = sizeOf(page);
  const more = found.length > size || rest !== null;
  const entries = found.slice(0, size);
  const edge = found.length > size || !rest ? null : edgeOf(rest, isNewestFirst(page));
  if (page.back) entries.reverse();
  const first = entries[0];
  const last = entries.at(-1);
  const [before, after] = [first ? cursorOf(first) : null, last ? cursorOf(last) : null];
  // The cursor comes from the next page if `back` is set, otherwise from the previous one.
  const hasPrevious = page.back ? more : page.cursor !== null;
  const hasNext = page.back || more;
  return {
    entries,
    previous: hasPrevious ? ((page.back ? edge : null) ?? before) : null,
    next: hasNext ? ((page.back ? null : edge) ?? after) : null,
    searched_to: edge === null ? null : new Date(parseKeyset(edge, () => true).at),
  };
}

function sizeOf({ size = PAGE_SIZE }: Page): number {
  return size;
}

type Found = { entries: RequestEntry[]; rest: Period | null };

/**
 * The first query covers one day, which is enough for most pages, and the second the rest. After a timeout, each covers
 * a day, then an eighth of that, and so on, at least one minute. `rest` was not searched.
 */
async function readEntries(filter: RequestFilter, page: Page, budget: number): Promise<Found> {
  const deadline = performance.now() + budget;
  const newestFirst = isNewestFirst(page);
  const entries: RequestEntry[] = [];
  let rest = periodAfter(filter.period, page.cursor, newestFirst);
  let width = DAY;
  let widest = Number.POSITIVE_INFINITY;
  while (rest && entries.length <= sizeOf(page)) {
    const [part, remaining] = splitPeriod(rest, width, newestFirst);
    const query = searchSql({ ...filter, period: part }, page);
    const read = await boundedRead(STEP_TIMEOUT_MS, async (client) => (await client.query<RequestEntry>(query)).rows);
    if (read) {
      entries.push(...read);
      rest = remaining;
      width = widest;
    } else {
      widest = width > DAY ? DAY : Math.max(MINUTE, width / 8);
      width = widest;
    }
    if (performance.now() > deadline) break;
  }
  return { entries, rest };
}

/** Null if nothing can come after `cursor`. */
function periodAfter({ from, to }: Period, cursor: string | null, newestFirst: boolean): Period | null {
  const at = cursor === null ? null : new Date(parseKeyset(cursor, (one) => isId('req', one)).at);
  const left = newestFirst ? { from, to: at && at < to ? at : to } : { from: at && at > from ? at : from, to };
  return left.from <= left.to ? left : null;
}

/** `width` is in milliseconds. All ends are inclusive. */
function splitPeriod({ from, to }: Period, width: number, newestFirst: boolean): [Period, Period | null] {
  if (to.getTime() - from.getTime() < width) return [{ from, to }, null];
  if (!newestFirst) {
    const end = new Date(from.getTime() + width);
    return [
      { from, to: new Date(end.getTime() - 1) },
      { from: end, to },
    ];
  }
  const start = new Date(to.getTime() - width);
  return [
    { from: new Date(start.getTime() + 1), to },
    { from, to: start },
  ];
}

/** The search starts at the first entry of the period. */
function edgeOf({ from, to }: Period, newestFirst: boolean): string {
  return newestFirst ? `${to.toISOString()}_req_7${'z'.repeat(25)}` : `${from.toISOString()}_req_${'0'.repeat(26)}`;
}

function isNewestFirst({ order, back }: Page): boolean {
  return (order === 'newest') !== back;
}

/** Exported for a test of the index that PostgreSQL uses. */
export function searchSql(filter: RequestFilter, page: Page): pg.QueryConfig<unknown[]> {
  const direction = page.order === 'newest' ? 'desc' : 'asc';
  const keyset = keysetSql(sql`at`, sql`request_id`, page, (id) => isId('req', id), direction);
  const where = entryConditions(filter, keyset.beyond);
  const ordered = sql`ORDER BY ${keyset.order} LIMIT ${sizeOf(page) + 1}`;
  const select = statement<RequestEntry>()`
    SELECT entry.*, a.name AS application_name, k.name AS key_name, k.last_four
    FROM (${entriesSql(filter, where, ordered)}) AS entry
      LEFT JOIN applications a ON a.id = entry.application_id AND a.tenant_id = ${param.text('tenantId')}
      LEFT JOIN api_keys k ON k.id = entry.key_id AND k.application_id = a.id
    ORDER BY ${keyset.order}`;
  return bind(select, { ...requestValues(filter), ...keyset.values });
}

type Where = Sql<RequestValues & KeysetValues>;

// For a class of errors such as 4xx, reads each status separately and merges the results. The index is ordered by
// status first, and then by time. A single query for all statuses would scan the whole period if errors are rare.
function entriesSql(filter: RequestFilter, where: Where, ordered: Sql<object>): Where {
  const bounds = errorStatuses(filter.status);
  if (!bounds) return sql`SELECT ${COLUMNS} FROM request_log WHERE ${where} ${ordered}`;
  return sql`SELECT ${COLUMNS}
    FROM generate_series(${bounds[0]}, ${bounds[1]}) AS statuses(status_of) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM request_log WHERE status = statuses.status_of AND status >= 400 AND ${where} ${ordered}) AS one
    ${ordered}`;
}

function toRow(entry: RequestEntry): RequestRow {
  const {
    application_id,
    application_name,
    key_id,
    key_name,
    last_four,
    booking_reference,
    external_reference,
    refused,
    ...shown
  } = entry;
  return {
    ...shown,
    application: application_id && application_name !== null ? { id: application_id, name: application_name } : null,
    key: key_id && key_name !== null && last_four !== null ? { id: key_id, name: key_name, last_four } : null,
  };
}

function cursorOf({ at, request_id }: RequestEntry): string {
  return `${at.toISOString()}_${request_id}`;
}
