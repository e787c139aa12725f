import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { claimsValues, READ_CLAIMS } from '@/lib/booking/availability/claims';
import { CREATE_BOOKING } from '@/lib/booking/bookings/statements';
import { BIND_KEY } from '@/lib/booking/idempotency/once';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { bind } from '@/lib/platform/sql';
import { beginBudget, timeouts } from '@/lib/platform/write-transaction';
import type { LoadReport } from './load';
import { quantile } from './numbers';
import { dayFromNow, type Salon } from './salon';

const STARTS = 96;
/** The first booked day, as a number of days from today. It is after every day that the HTTP load books. */
const FIRST_DAY = 260;
const QUARTER = 15 * 60_000;

type Order = { salon: Salon; connections: number; seconds: number; url?: string | undefined };

let booked = 0;

/**
 * Runs only the SQL that creates a booking, without the HTTP server. The values are about as large as those of a real
 * request. Uses as many database connections as the load uses HTTP connections.
 */
export async function runPlainSql(order: Order): Promise<LoadReport> {
  const { salon, connections, seconds, url = process.env.DATABASE_URL } = order;
  const pool = new pg.Pool({ connectionString: url, max: connections });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const client = async () => {
    while (performance.now() - startedAt < seconds * 1000) {
      const started = performance.now();
      await createOne(pool, salon, booked++);
      latencies.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const elapsed = (performance.now() - startedAt) / 1000;
  await pool.end();
  latencies.sort((a, b) => a - b);
  const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)];
  return { requests: latencies.length, seconds: elapsed, p50, p99, others: {} };
}

async function createOne(pool: pg.Pool, salon: Salon, index: number): Promise<void> {
  const client = await pool.connect();
  try {
    const start = dayFromNow(FIRST_DAY + Math.floor(index / (STARTS * 5))).at.getTime() + (index % STARTS) * QUARTER;
    const specialistId = salon.specialistIds[Math.floor(index / STARTS) % 5] ?? '';
    const { applicationId } = salon;
    const now = new Date();
    const keyHash = randomBytes(32);
    const requestId = newId('req');
    await client.query(`BEGIN; ${timeouts(beginBudget())}; SELECT pg_advisory_xact_lock_shared(4711)`);
    const fingerprint = randomBytes(32);
    const expiresAt = new Date(now.getTime() + 7 * 86_400_000);
    await client.query(bind(BIND_KEY, { applicationId, keyHash, fingerprint, requestId, now, expiresAt }));
    const from = Math.floor(start / 86_400_000) * 1440;
    const { specialistIds, locationId: id, tenantId } = salon;
    const asked = { specialistIds, location: { id, tenantId }, from, to: from + 1455 };
    const claims = bind(READ_CLAIMS, claimsValues(asked));
    await client.query({ ...claims, rowMode: 'array' });
    const values = {
      ...records(salon, keyHash, requestId, now),
      ...claim(salon, specialistId, start),
      timeZone: 'UTC',
      date: new Date(start).toISOString().slice(0, 10),
      startTime: new Date(start).toISOString().slice(11, 16),
      endDate: new Date(start + QUARTER).toISOString().slice(0, 10),
      endTime: new Date(start + QUARTER).toISOString().slice(11, 16),
      zoneRules: '2026f',
      cancellationCutoffMinutes: 0,
      priceAmount: 4900,
      priceCurrency: 'EUR',
      source: 'partner',
      externalReference: 'order-4711',
      consentSource: null,
      consentTextVersion: null,
      customerName: randomBytes(40),
      customerPhone: randomBytes(41),
      customerEmail: null,
      customerLocale: null,
      note: null,
      metadata: null,
      phoneHash: randomBytes(16),
      nameHashes: [randomBytes(8), randomBytes(8)],
    };
    const { rowCount } = await client.query(bind(CREATE_BOOKING.inNewClaim, values));
    if (rowCount !== 1) throw new Error('A slot was taken already.');
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

function records({ tenantId, applicationId }: Salon, keyHash: Buffer, requestId: string, now: Date) {
  const logEntry = {
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
  return {
    eventId: newId('evt'),
    tenantId,
    applicationId,
    eventType: 'booking.created',
    version: 1,
    actor: 'partner',
    requestId,
    payload: 'x'.repeat(650),
    now,
    deliverAt: now,
    logEntries: JSON.stringify([logEntry]),
    responseStatus: 201,
    response: randomBytes(780),
    reference: newBookingReference(),
    keyApplicationId: applicationId,
    keyHash,
  };
}

function claim({ serviceId, locationId }: Salon, specialistId: string, start: number) {
  const [startsAt, endsAt] = [new Date(start), new Date(start + QUARTER)];
  return {
    claimId: randomUUID(),
    specialistId,
    serviceId,
    locationId,
    startsAt,
    endsAt,
    claimedFrom: startsAt,
    claimedTo: endsAt,
    capacity: 1,
  };
}
