import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import type { RequestFilter } from '../requests/filter';
import { type Page, type RequestEntry, searchEntries } from '../requests/search';
import type { Column } from './csv';

const PAGE = 500;

/** `names` of services, locations, and specialists by id. */
type ExportedRequest = RequestEntry & { names: ReadonlyMap<string, string> };

/** The id if the tenant has no such record. */
const named = ({ names }: ExportedRequest, id: string | undefined) => (id ? (names.get(id) ?? id) : null);

/** Without addresses and customer data. Columns `requested…` are for refused booking writes, in the location's time zone. */
export const REQUEST_COLUMNS: readonly Column<ExportedRequest>[] = [
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
  ['requested_service', (row) => named(row, row.refused?.service_id)],
  ['requested_location', (row) => named(row, row.refused?.location_id)],
  ['requested_specialist', (row) => named(row, row.refused?.specialist_id)],
  ['requested_date', (row) => row.refused?.date ?? null],
  ['requested_time', (row) => row.refused?.start_time ?? null],
  ['booking_reference', (row) => row.booking_reference],
  ['external_reference', (row) => row.external_reference],
];

/** Yields all requests that match a filter, page by page. A page can be empty if the search takes a long time. */
export async function* requestPages(
  filter: RequestFilter,
  order: Page['order'],
): AsyncGenerator<readonly ExportedRequest[]> {
  let cursor: string | null = null;
  do {
    const page = { order, cursor, back: false, size: PAGE };
    const found = await searchEntries(filter, page);
    const names = await namesOf(filter.tenantId, found.entries);
    yield found.entries.map((entry) => ({ ...entry, names }));
    cursor = found.next;
  } while (cursor !== null);
}

// In the tenant's default language.
const NAMES = statement<{ id: string; name: string }>()`
  SELECT s.id, coalesce(s.name->>t.default_locale, s.id) AS name FROM services s JOIN tenants t ON t.id = s.tenant_id
    WHERE t.id = ${param.text('tenantId')} AND s.id = ANY (${param.texts('ids')})
  UNION ALL SELECT l.id, coalesce(l.name->>t.default_locale, l.city) FROM locations l JOIN tenants t ON t.id = l.tenant_id
    WHERE t.id = ${param.text('tenantId')} AND l.id = ANY (${param.texts('ids')})
  UNION ALL SELECT id, display_name FROM specialists
    WHERE tenant_id = ${param.text('tenantId')} AND id = ANY (${param.texts('ids')})`;

async function namesOf(tenantId: string, entries: readonly RequestEntry[]): Promise<ReadonlyMap<string, string>> {
  const requested = entries.flatMap(({ refused }) => [
    refused?.service_id,
    refused?.location_id,
    refused?.specialist_id,
  ]);
  const ids = [...new Set(requested.filter((id) => id !== undefined))];
  if (ids.length === 0) return new Map();
  const { rows } = await pool().query<{ id: string; name: string }>(bind(NAMES, { tenantId, ids }));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
