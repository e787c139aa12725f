import type pg from 'pg';
import type { RequestFilter } from '@/lib/control-center/requests/filter';
import type { Figure, Row } from '../figure';
import { quantile } from '../numbers';
import { BOOKING_REFERENCE, fillRequestLog, LINES, type Rare } from '../request-lines';
import type { Stage } from '../stage';

const ROUNDS = 200;
/** Reads into the database's caches what is read for every page. */
const WARM_UP = 10;
const MONTH = 30 * 86_400_000;

type Narrowed = Partial<Omit<RequestFilter, 'tenantId' | 'period'>>;

/** The filtered first page of the Requests page, as the server reads it: of every filter, the worst counts. */
export const logFirstPage: Figure = {
  name: 'log-first-page',
  title: 'filtered first page of requests among 5,000,000 log rows, p99 of the worst filter',
  floor: { below: 100 },
  unit: 'ms',
  run: async (stage) => {
    const rare = await fillRequestLog(stage);
    const { pool } = await import('@/lib/platform/db');
    const rows: Row[] = [];
    for (const [what, part] of await filters(pool(), rare)) rows.push(await measure(stage, what, part));
    const worst = rows.reduce((slowest, row) => (row.p99 > slowest.p99 ? row : slowest));
    return { value: worst.p99, rows, notes: [`the worst: ${worst.what}`] };
  },
};

/** Every filter by what is common, what is rare and what never was; references as a support person pastes them. */
async function filters(pool: pg.Pool, { applicationId, keyId }: Rare): Promise<[string, Narrowed][]> {
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
    ['code, never', { code: 'slot_unavailable' }],
    ['route, rare', { route: '/api/partner/v1/bookings' }],
    ['application, rare', { applicationId }],
    ['errors of an application', { applicationId, status: 'error' }],
    ['key, rare', { keyId }],
    ['booking reference', { reference }],
    ['external reference', { reference: `order-${LINES - (LINES % 5000) - 4997}` }],
  ];
}

async function measure({ tenantId }: Stage, what: string, part: Narrowed): Promise<Row> {
  const { searchRequests } = await import('@/lib/control-center/requests/search');
  const any = { status: null, code: null, route: null, applicationId: null, keyId: null, reference: null };
  const latencies: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const to = new Date();
    const filter = { ...any, ...part, tenantId, period: { from: new Date(to.getTime() - MONTH), to } };
    const begun = performance.now();
    await searchRequests(filter, { order: 'newest', cursor: null, back: false });
    if (round >= 0) latencies.push(performance.now() - begun);
  }
  const seconds = latencies.reduce((sum, milliseconds) => sum + milliseconds, 0) / 1000;
  latencies.sort((a, b) => a - b);
  const [p50, p95, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.95), quantile(latencies, 0.99)];
  return { what, rate: latencies.length / seconds, p50, p95, p99 };
}
