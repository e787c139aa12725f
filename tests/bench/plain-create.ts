import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { READ_CLAIMS } from '@/lib/booking/availability/claims';
import { CREATE_STATEMENTS } from '@/lib/booking/bookings/create';
import { BIND } from '@/lib/booking/idempotency/store';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { beginBudget, timeouts } from '@/lib/platform/write-transaction';
import type { LoadReport } from './load/order';
import { quantile } from './numbers';
import { dayFromNow, type Salon } from './salon';

const STARTS = 96;
/** Days that no request of the load books. */
const FIRST_DAY = 260;
const QUARTER = 15 * 60_000;

type Order = { salon: Salon; connections: number; seconds: number };

let booked = 0;

/** Runs the statements of a create by themselves, with values of the same size, on a pool as large as the load. */
export async function runPlainSql({ salon, connections, seconds }: Order): Promise<LoadReport> {
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: connections });
  const latencies: number[] = [];
  const begun = performance.now();
  const client = async () => {
    while (performance.now() - begun < seconds * 1000) {
      const started = performance.now();
      await createOne(pool, salon, booked++);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - begun) / 1000;
  await pool.end();
  latencies.sort((a, b) => a - b);
  const [p50, p95, p99] = [0.5, 0.95, 0.99].map((share) => quantile(latencies, share)) as [number, number, number];
  return { requests: latencies.length, seconds: elapsed, p50, p95, p99, bodyBytes: 0, unexpected: {}, cpu: 0 };
}

async function createOne(pool: pg.Pool, salon: Salon, index: number): Promise<void> {
  const client = await pool.connect();
  try {
    const start = dayFromNow(FIRST_DAY + Math.floor(index / (STARTS * 5))).at.getTime() + (index % STARTS) * QUARTER;
    const specialistId = salon.specialistIds[Math.floor(index / STARTS) % 5] ?? '';
    const now = new Date();
    const keyHash = randomBytes(32);
    const requestId = newId('req');
    await client.query(`BEGIN; ${timeouts(beginBudget())}; SELECT pg_advisory_xact_lock_shared(4711)`);
    const bound = [
      salon.applicationId,
      keyHash,
      randomBytes(32),
      requestId,
      now,
      new Date(now.getTime() + 7 * 86_400_000),
    ];
    await client.query({ ...BIND, values: bound });
    const minutes = Math.floor(start / 86_400_000) * 1440;
    await client.query({ ...READ_CLAIMS, values: [salon.specialistIds, minutes, minutes + 1455] });
    const { rowCount } = await client.query({
      ...CREATE_STATEMENTS.first,
      values: [...shared(salon, keyHash, requestId, now), ...claim(salon, specialistId, start), ...customer()],
    });
    if (rowCount !== 1) throw new Error('A slot was taken already.');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

function shared({ tenantId, applicationId }: Salon, keyHash: Buffer, requestId: string, now: Date): unknown[] {
  const line = {
    request_id: requestId,
    at: now.toISOString(),
    tenant_id: tenantId,
    application_id: applicationId,
    method: 'POST',
    route: '/api/partner/v1/bookings',
    path: '/api/partner/v1/bookings',
    status: 201,
    invalid_fields: [],
    duration_ms: 1.5,
    address: '127.0.0.1',
    idempotency_key_hash: keyHash.toString('hex'),
    external_reference: 'order-4711',
  };
  const payload = 'x'.repeat(650);
  const event = [newId('evt'), tenantId, applicationId, 'booking.created', 1, 'partner', requestId, payload, now];
  return [...event, JSON.stringify([line]), 201, randomBytes(780), newBookingReference(), applicationId, keyHash];
}

function claim({ tenantId, serviceId, locationId }: Salon, specialistId: string, start: number): unknown[] {
  const [from, to] = [new Date(start), new Date(start + QUARTER)];
  return [randomUUID(), tenantId, specialistId, serviceId, locationId, from, to, from, to, 1];
}

function customer(): unknown[] {
  return ['UTC', 0, 'order-4711', randomBytes(40), randomBytes(41)];
}
