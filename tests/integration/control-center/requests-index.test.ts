import { afterAll, expect, test } from 'vitest';
import { createPartition, missingDays } from '@/lib/activity/request-log/partitions';
import { type RequestFilter, UNFILTERED } from '@/lib/control-center/requests/filter';
import { histogramSql } from '@/lib/control-center/requests/histogram';
import { searchSql } from '@/lib/control-center/requests/search';
import { pool } from '@/lib/platform/db';
import { inTenant } from '@/lib/platform/tenant-scope';
import { ownDatabase } from '@/tests/support/own-database';
import { requestIdAt } from '@/tests/support/request-lines';

const { query, drop } = await ownDatabase();
afterAll(drop);

// Creates the partitions of the past 28 days. The migration creates partitions only from today on.
const client = await pool().connect();
const today = new Date();
for (const day of await missingDays(client, new Date(today.getTime() - 28 * 86_400_000), today)) {
  await client.query('BEGIN');
  await createPartition(client, day);
  await client.query('COMMIT');
}
client.release();

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(26, '0')}`;

// The period is from noon to noon, so it covers half of the first day and half of the last day. For a smaller part of a
// day, PostgreSQL might prefer a different index.
const DAY = 86_400_000;
const midnight = new Date(Math.floor(today.getTime() / DAY) * DAY);
const to = new Date(midnight.getTime() - DAY / 2);
const from = new Date(to.getTime() - 20 * DAY);

// Number of log entries. They belong to two tenants and cover about one month. There are so many that PostgreSQL
// prefers an index.
const ENTRIES = 40_000;
const BATCH = 5_000;
const ids = Array.from({ length: ENTRIES }, (_, n) => requestIdAt(new Date(midnight.getTime() - (n + 1) * 60_000)));
for (let after = 0; after < ENTRIES; after += BATCH) {
  await query(
    `INSERT INTO request_log (request_id, at, tenant_id, application_id, key_id, method, route, status, code, duration_ms,
       booking_reference, external_reference)
     SELECT ids[n - $2], $4::timestamptz - n * interval '1 minute', 'ten_' || lpad((n % 2)::text, 26, '0'),
       'app_' || lpad((n % 20)::text, 26, '0'), 'key_' || lpad((n % 40)::text, 26, '0'), 'GET', '/route/' || n % 10,
       CASE WHEN n % 30 < 2 THEN 400 WHEN n % 301 < 2 THEN 503 ELSE 200 END,
       CASE WHEN n % 30 < 2 THEN 'not_found' WHEN n % 301 < 2 THEN 'service_unavailable' END, 1,
       CASE WHEN n % 10 < 2 THEN 'pbr_' || lpad(n::text, 26, '0') END, CASE WHEN n % 10 < 2 THEN 'order-' || n END
     FROM generate_series($2::int + 1, $2 + $3) n, (SELECT $1::text[] AS ids) AS given`,
    [ids.slice(after, after + BATCH), after, BATCH, midnight],
  );
}
await query('VACUUM (ANALYZE) request_log');

const FILTER: RequestFilter = {
  tenantId: id('ten', 1),
  period: { from, to },
  ...UNFILTERED,
};
const FIRST = { order: 'newest', cursor: null, back: false } as const;

type Statement = { text: string; values?: unknown[] };

/**
 * Returns PostgreSQL's plan for a statement. Row-level security limits the statement to one tenant, as in a tRPC call.
 */
async function planOf({ text, values }: Statement): Promise<string> {
  const { rows } = await inTenant(FILTER.tenantId, () => pool().query(`EXPLAIN ${text}`, values));
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

async function indexOf(statement: Statement): Promise<{ found: string[]; plan: string }> {
  const plan = await planOf(statement);
  expect(plan).not.toContain('Seq Scan on request_log');
  // The name of an index consists of the partition's name and a list of columns.
  const indexes = [...plan.matchAll(/request_log_\d{8}_(\w+)_idx/g)].map(([, columns = '']) => columns);
  const found = [...new Set(indexes.map((columns) => `request_log_${columns}_idx`))];
  return { found, plan };
}

test.each<[string, Partial<RequestFilter>]>([
  ['request_log_tenant_id_at_status_idx', {}],
  ['request_log_tenant_id_application_id_at_status_idx', { application_id: id('app', 1) }],
  ['request_log_tenant_id_application_id_at_status_idx', { key_id: id('key', 1) }],
  ['request_log_tenant_id_route_at_status_idx', { route: '/route/1' }],
  ['request_log_tenant_id_code_at_status_idx', { code: 'service_unavailable' }],
  ['request_log_tenant_id_status_at_idx', { status: '4xx' }],
  ['request_log_tenant_id_status_at_idx', { status: '503' }],
  ['request_log_tenant_id_application_id_status_at_idx', { status: 'error', application_id: id('app', 1) }],
  ['request_log_tenant_id_booking_reference_idx', { reference: id('pbr', 1) }],
  ['request_log_tenant_id_external_reference_idx', { reference: 'order-1' }],
])('reads the first page from %s for %j', async (index, part) => {
  const { found, plan } = await indexOf(searchSql({ ...FILTER, ...part }, FIRST));
  expect(found, plan).toEqual([index]);
});

test('reads a later page from the index without an offset', async () => {
  const cursor = `${from.toISOString()}_${id('req', 1)}`;
  for (const back of [false, true]) {
    const statement = searchSql(FILTER, { ...FIRST, cursor, back });
    expect(statement.text).not.toMatch(/offset/i);
    const { found, plan } = await indexOf(statement);
    expect(found, plan).toEqual(['request_log_tenant_id_at_status_idx']);
  }
});

test('computes the histogram with an index-only scan', async () => {
  for (const part of [{}, { application_id: id('app', 1) }, { route: '/route/1' }]) {
    const plan = await planOf(histogramSql({ ...FILTER, ...part }, from.getTime(), 43_200, 40));
    expect(plan).toMatch(/Index Only Scan using request_log_\d{8}_tenant_id_(\w+_)?at_status_idx/);
  }
});
