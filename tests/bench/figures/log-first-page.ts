import type { RequestFilter } from '@/lib/control-center/requests/filter';
import type { Connections } from '@/lib/platform/db';
import { rowOfLatencies } from '../compare';
import type { Outcome, Row } from '../figure';
import { BOOKING_REFERENCE, ENTRIES, fillRequestLog, type Rare } from '../request-log';
import { sized } from '../size';
import type { Stage } from '../stage';

const ROUNDS = sized(200, 20);
/** Number of rounds before the measurement. They fill the database's caches. */
const WARM_UP = sized(10, 2);
const MONTH = 30 * 86_400_000;

type PartialFilter = Partial<Omit<RequestFilter, 'tenantId' | 'period'>>;

/** Measures how long the first page of requests takes with each filter. The value is the p99 of the slowest filter. */
export async function measureLogFirstPage(stage: Stage): Promise<Outcome> {
  const rare = await fillRequestLog(stage);
  const { pool } = await import('@/lib/platform/db');
  const rows: Row[] = [];
  for (const [label, part] of await filters(pool(), rare)) rows.push(await measure(stage, label, part));
  const slowest = rows.reduce((slowest, row) => (row.p99 > slowest.p99 ? row : slowest));
  return { value: slowest.p99, rows, notes: [`the slowest filter: ${slowest.label}`] };
}

/**
 * Returns the filters to measure, each with its label. Some filters match many entries, some match few, and one matches
 * none.
 */
async function filters(pool: Connections, { applicationId, keyId }: Rare): Promise<[string, PartialFilter][]> {
  const { rows } = await pool.query<{ reference: string }>(
    `SELECT ${BOOKING_REFERENCE} AS reference FROM (SELECT 3::bigint AS n) AS first`,
  );
  const reference = rows[0]?.reference ?? '';
  return [
    ['no filter', {}],
    ['status 2xx', { status: '2xx' }],
    ['status 4xx', { status: '4xx' }],
    ['status 5xx, rare', { status: '5xx' }],
    ['status 4xx and 5xx', { status: 'error' }],
    ['code, common', { code: 'invalid_request' }],
    ['code, rare', { code: 'service_unavailable' }],
    ['code, nonexistent', { code: 'slot_unavailable' }],
    ['route, rare', { route: '/api/partner/v1/bookings' }],
    ['application, rare', { application_id: applicationId }],
    ['errors of an application', { application_id: applicationId, status: 'error' }],
    ['key, rare', { key_id: keyId }],
    ['booking reference', { reference }],
    ['external reference', { reference: `order-${ENTRIES - (ENTRIES % 5000) - 4997}` }],
  ];
}

async function measure({ tenantId }: Stage, label: string, part: PartialFilter): Promise<Row> {
  const { UNFILTERED } = await import('@/lib/control-center/requests/filter');
  const { searchRequests } = await import('@/lib/control-center/requests/search');
  const latencies: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const to = new Date();
    const filter = { ...UNFILTERED, ...part, tenantId, period: { from: new Date(to.getTime() - MONTH), to } };
    const startedAt = performance.now();
    await searchRequests(filter, { order: 'newest', cursor: null, back: false });
    if (round >= 0) latencies.push(performance.now() - startedAt);
  }
  return rowOfLatencies(label, latencies);
}
