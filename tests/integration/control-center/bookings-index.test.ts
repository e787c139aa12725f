import { afterAll, expect, test } from 'vitest';
import { BY_PHONE } from '@/lib/booking/bookings/find-by-phone';
import { listSql, type Page } from '@/lib/booking/bookings/list';
import type { BookingFilter } from '@/lib/booking/bookings/list-filter';
import { FIND_BY_EXTERNAL_REFERENCE } from '@/lib/booking/bookings/statements';
import { upcomingSql } from '@/lib/booking/catalog/edit/outside';
import { pool } from '@/lib/platform/db';
import { bind } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { ownDatabase } from '@/tests/support/own-database';

const { query, drop } = await ownDatabase();
afterAll(drop);

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;

// Inserts so many bookings of two tenants that PostgreSQL prefers an index. Foreign keys are disabled, so the
// bookings need no parent rows. The tests read only query plans.
await query(
  `SET session_replication_role = replica;
   INSERT INTO bookings (reference, tenant_id, application_id, status, version, service_id, location_id, specialist_id,
     starts_at, ends_at, time_zone, cancellation_cutoff_minutes, external_reference, consent_at, cancelled_at,
     cancelled_by, created_at, updated_at, claim_id, date, start_time, end_date, end_time, local_version)
   SELECT 'pbr_' || lpad(n::text, 26, '0'), 'ten_' || lpad((n % 2)::text, 26, '0'), 'app_' || lpad((n % 20)::text, 26, '0'),
     (CASE WHEN n % 30 = 1 THEN 'cancelled' ELSE 'confirmed' END)::"BookingStatus", 1,
     'svc_' || lpad((n % 20)::text, 26, '0'), 'loc_' || lpad((n % 10)::text, 26, '0'), 'spc_' || lpad((n % 40)::text, 26, '0'),
     now() + (n - 15000) * interval '10 minutes', now() + (n - 14998) * interval '10 minutes', 'UTC', 0, 'order-' || n,
     now(), CASE WHEN n % 30 = 1 THEN now() END, CASE WHEN n % 30 = 1 THEN 'owner' END,
     now() - ('x' || left(md5(n::text), 5))::bit(20)::int * interval '1 second', now(),
     CASE WHEN n % 30 <> 1 THEN gen_random_uuid() END,
     now() + (n - 15000) * interval '10 minutes', '10:00', now() + (n - 15000) * interval '10 minutes', '10:20', 1
   FROM generate_series(1, 20000) n;
   RESET session_replication_role`,
);
await query('VACUUM (ANALYZE) bookings');

const FILTER: BookingFilter = {
  tenantId: id('ten', 1),
  now: new Date(),
  period: 'upcoming',
  status: null,
  location_id: null,
  service_id: null,
  specialist_id: null,
  application_id: null,
  reference: null,
};
const FIRST: Page = { sort: 'starts_at', direction: 'asc', cursor: null, back: false };

/** Runs a statement under the row-level security policies that apply to the servers' role during a tRPC call. */
const explain = (sql: string, values?: unknown[]) => inTenant(FILTER.tenantId, () => pool().query(sql, values));

async function indexOf(part: Partial<BookingFilter>, page: Partial<Page> = {}): Promise<string[]> {
  const { text, values } = listSql({ ...FILTER, ...part }, { ...FIRST, ...page });
  expect(text).not.toMatch(/offset/i);
  const { rows } = await explain(`EXPLAIN ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).not.toContain('Seq Scan on bookings');
  return [...new Set([...plan.matchAll(/(bookings_\w+_idx|bookings_pkey)/g)].map((found) => found[1] ?? ''))];
}

test.each<[string, Partial<BookingFilter>]>([
  ['bookings_tenant_id_starts_at_idx', {}],
  ['bookings_tenant_id_application_id_starts_at_idx', { application_id: id('app', 1) }],
  ['bookings_tenant_id_service_id_starts_at_idx', { service_id: id('svc', 1) }],
  ['bookings_tenant_id_location_id_starts_at_idx', { location_id: id('loc', 1) }],
  ['bookings_tenant_id_specialist_id_starts_at_idx', { specialist_id: id('spc', 1) }],
  ['bookings_tenant_id_starts_at_idx', { status: 'active' }],
  ['bookings_tenant_id_status_starts_at_idx', { status: 'cancelled' }],
  ['bookings_tenant_id_external_reference_idx', { reference: 'order-1' }],
  ['bookings_tenant_id_external_reference_idx', { reference: 'ORDER-1' }],
  ['bookings_pkey', { reference: id('pbr', 1) }],
])('reads the first page from %s for %j and every period', async (index, part) => {
  for (const period of ['upcoming', 'past', 'all', { from: '2026-01-01', to: '2036-01-01' }] as const) {
    expect(await indexOf({ ...part, period })).toEqual([index]);
  }
});

test('reads a later page from the index without an offset', async () => {
  const cursor = `${new Date().toISOString()}_${id('pbr', 1)}`;
  for (const back of [false, true]) {
    expect(await indexOf({ period: 'all' }, { cursor, back })).toEqual(['bookings_tenant_id_starts_at_idx']);
  }
});

test('reads the newest bookings from the index on created_at', async () => {
  expect(await indexOf({ period: 'all' }, { sort: 'created_at', direction: 'desc' })).toEqual([
    'bookings_tenant_id_created_at_idx',
  ]);
});

test('reads the bookings with one external reference in the order of the index, without a sort', async () => {
  await query(
    `UPDATE bookings SET external_reference = 'same' WHERE tenant_id = '${id('ten', 1)}' AND reference > '${id('pbr', 10_000)}'`,
  );
  await query('ANALYZE bookings');
  const at = new Date().toISOString();
  const values = {
    tenantId: id('ten', 1),
    applicationId: id('app', 1),
    externalReference: 'same',
    at,
    reference: '',
    rows: 26,
  };
  const statement = bind(FIND_BY_EXTERNAL_REFERENCE, values);
  const { rows } = await explain(`EXPLAIN ${statement.text}`, statement.values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('Index Scan Backward using bookings_tenant_id_external_reference_idx');
  expect(plan).not.toContain('Sort');
});

test('reads past bookings without an outcome from the index on the status, although most past bookings have one', async () => {
  await query(
    `UPDATE bookings SET status = 'completed' WHERE status = 'confirmed' AND starts_at < now() - interval '1 day'`,
  );
  await query('VACUUM (ANALYZE) bookings');
  for (const direction of ['asc', 'desc'] as const) {
    expect(await indexOf({ period: 'past', status: 'confirmed' }, { direction })).toEqual([
      'bookings_tenant_id_status_starts_at_idx',
    ]);
  }
});

test('reads the next bookings, of which the Overview names those outside the catalog, from the index on the status', async () => {
  const { text, values } = upcomingSql(id('ten', 1), new Date(), null, 2_001);
  const { rows } = await explain(`EXPLAIN ${text}`, values);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toContain('bookings_tenant_id_status_starts_at_idx');
  expect(plan).not.toContain('Seq Scan');
});

test('finds the bookings with a phone number in the index on its hash', async () => {
  await query(
    `UPDATE bookings SET customer_name = 'sealed', customer_phone = 'sealed',
       phone_hash = substring(sha256(convert_to(reference, 'UTF8')) FROM 1 FOR 16)`,
  );
  await query('VACUUM (ANALYZE) bookings');
  for (const count of [1, 2]) {
    const hashes = Array.from({ length: count }, (_, byte) => Buffer.alloc(16, byte));
    const { text, values } = bind(BY_PHONE, { tenantId: id('ten', 1), hashes, now: new Date() });
    const { rows } = await explain(`EXPLAIN ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toContain('bookings_tenant_id_phone_hash_starts_at_idx');
  }
});
