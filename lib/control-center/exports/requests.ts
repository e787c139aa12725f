import type { RequestFilter } from '../requests/filter';
import { type Page, type RequestEntry, searchEntries } from '../requests/search';
import type { Column } from './csv';

/** Number of rows that each query reads. */
const PAGE = 500;

/** The columns of exported requests. They contain no addresses and no customer data. */
export const REQUEST_COLUMNS: readonly Column<RequestEntry>[] = [
  ['request_id', (row) => row.request_id],
  ['time_utc', (row) => row.at.toISOString()],
  ['status', (row) => row.status],
  ['method', (row) => row.method],
  ['route', (row) => row.route],
  ['code', (row) => row.code],
  ['reason', (row) => row.reason],
  ['duration_ms', (row) => row.duration_ms],
  ['application_id', (row) => row.application_id],
  ['application', (row) => row.application_name],
  ['key', (row) => row.key_name],
  ['key_last_four', (row) => row.last_four],
  ['booking_reference', (row) => row.booking_reference],
  ['external_reference', (row) => row.external_reference],
];

/** Returns all requests that match a filter, page by page. A page may be empty if the search takes a long time. */
export async function* requestPages(
  filter: RequestFilter,
  order: Page['order'],
): AsyncGenerator<readonly RequestEntry[]> {
  let cursor: string | null = null;
  do {
    const found = await searchEntries(filter, { order, cursor, back: false, size: PAGE });
    yield found.entries;
    cursor = found.next;
  } while (cursor !== null);
}
