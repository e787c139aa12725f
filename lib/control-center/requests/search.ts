import { pool } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { parseKeyset } from '@/lib/platform/text/keyset';
import { conditionsOf, errorStatuses, type RequestFilter } from './filter';

/** Lines of one page. */
export const PAGE_SIZE = 50;

/** Which page: in which order, from where on, and whether to go back from there. */
export type Page = { order: 'newest' | 'oldest'; cursor: string | null; back: boolean };

/** One line of the Requests page. */
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

/** A page of lines, with where the neighbouring pages begin. */
export type RequestPage = { rows: RequestRow[]; previous: string | null; next: string | null };

const COLUMNS = 'request_id, at, method, route, status, code, reason, duration_ms, application_id, key_id';

/**
 * Returns one page of a tenant's request log. The first page takes less than 100 ms among 5,000,000 lines: each filter
 * reads its newest lines from an index in the order of time. request_log_tenant_id_at_status_idx serves no filter,
 * request_log_tenant_id_{application_id,key_id,route,code}_at_status_idx one, request_log_tenant_id_status_at_idx the
 * errors, request_log_tenant_id_application_id_status_at_idx those of one application; a reference has an index of its
 * own. Pages go on from a (time, id), never from an offset: a late page costs what the first one does.
 * @throws AppError invalid_request for a cursor that is none.
 */
export async function searchRequests(filter: RequestFilter, page: Page): Promise<RequestPage> {
  const { text, values } = searchSql(filter, page);
  const { rows } = await pool().query<Line>({ text, values });
  const more = rows.length > PAGE_SIZE;
  const lines = rows.slice(0, PAGE_SIZE).map(toRow);
  if (page.back) lines.reverse();
  const first = lines[0];
  const last = lines.at(-1);
  // Coming back there is always the page one came from; going on, the page one left.
  const hasPrevious = page.back ? more : page.cursor !== null;
  const hasNext = page.back || more;
  return {
    rows: lines,
    previous: hasPrevious && first ? cursorOf(first) : null,
    next: hasNext && last ? cursorOf(last) : null,
  };
}

/** Returns the statement of a page; exported for the test that asks PostgreSQL which index it uses. */
export function searchSql(filter: RequestFilter, page: Page): { text: string; values: unknown[] } {
  const { sql, values } = conditionsOf(filter);
  const add = (value: unknown) => `$${values.push(value)}`;
  const newestFirst = (page.order === 'newest') !== page.back;
  const direction = newestFirst ? 'DESC' : 'ASC';
  const time = [`at >= ${add(filter.period.from)}`, `at <= ${add(filter.period.to)}`];
  if (page.cursor !== null) {
    const { at, id } = parseKeyset(page.cursor, (one) => isId('req', one));
    const moment = `${add(at)}::timestamptz`;
    // The first comparison is the one that the index knows.
    time.push(`at ${newestFirst ? '<=' : '>='} ${moment}`);
    time.push(`(at, request_id) ${newestFirst ? '<' : '>'} (${moment}, ${add(id)})`);
  }
  const order = `ORDER BY at ${direction}, request_id ${direction} LIMIT ${PAGE_SIZE + 1}`;
  const where = `${sql} AND ${time.join(' AND ')}`;
  const text = `
    SELECT line.*, a.name AS application_name, k.name AS key_name, k.last_four
    FROM (${linesSql(filter, where, order)}) AS line
      LEFT JOIN applications a ON a.id = line.application_id AND a.tenant_id = $1
      LEFT JOIN api_keys k ON k.id = line.key_id AND k.application_id = a.id
    ORDER BY at ${direction}, request_id ${direction}`;
  return { text, values };
}

// A class of statuses lies in the index status by status: the newest of each are read, and the newest of those stay.
// Otherwise a rare class would be looked for in every line of the period.
function linesSql(filter: RequestFilter, where: string, order: string): string {
  const bounds = errorStatuses(filter.status);
  if (!bounds) return `SELECT ${COLUMNS} FROM request_log WHERE ${where} ${order}`;
  return `SELECT ${COLUMNS} FROM generate_series(${bounds[0]}, ${bounds[1]}) AS of(status_of) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM request_log WHERE status = of.status_of AND status >= 400 AND ${where} ${order}) AS one ${order}`;
}

type Line = Omit<RequestRow, 'application' | 'key'> & {
  application_id: string | null;
  key_id: string | null;
  application_name: string | null;
  key_name: string | null;
  last_four: string | null;
};

function toRow(line: Line): RequestRow {
  const { application_id, application_name, key_id, key_name, last_four, ...shown } = line;
  return {
    ...shown,
    application: application_id && application_name !== null ? { id: application_id, name: application_name } : null,
    key: key_id && key_name !== null && last_four !== null ? { id: key_id, name: key_name, last_four } : null,
  };
}

function cursorOf({ at, request_id }: RequestRow): string {
  return `${at.toISOString()}_${request_id}`;
}
