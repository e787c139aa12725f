import type pg from 'pg';
import type { Connections } from '@/lib/platform/db';
import { FILL_TIMEOUT } from './salon';
import { sized } from './size';
import type { Stage } from './stage';

/**
 * Number of entries in the request log that `log-first-page.ts`, `log-lookup.ts`, and `log-cold.ts` search. The
 * environment variable BENCH_LINES overrides this number.
 */
export const ENTRIES = Number(process.env.BENCH_LINES ?? sized(5_000_000, 50_000));
/** Number of entries per INSERT. */
const BATCH = 250_000;
const WRITERS = 2;

const DAY = 86_400_000;
/** Number of days that the entries span. */
const DAYS = 29;
const OLDEST = Date.now() - DAYS * DAY;

/** Returns SQL for the first ten characters of an id, which encode its time. `milliseconds` is SQL for that time. */
export function idDigits(milliseconds: string): string {
  const digit = (shift: number) =>
    `substr('0123456789abcdefghjkmnpqrstvwxyz', (${milliseconds} >> ${shift} & 31)::int + 1, 1)`;
  return Array.from({ length: 10 }, (_, number) => digit(45 - 5 * number)).join(' || ');
}

// SQL for the timestamp of entry `n`, in milliseconds.
const MILLISECONDS = `(${OLDEST} + n * ${DAYS * DAY}::bigint / ${ENTRIES})`;

/** SQL for the request id of entry `n`. The id starts with the entry's timestamp, as a real request id does. */
export const REQUEST_ID = `'req_' || ${idDigits(MILLISECONDS)} || left(md5(n::text), 16)`;
/** SQL for the booking reference of entry `n`. Only the entries with `n % 5000 = 3` have a booking reference. */
export const BOOKING_REFERENCE = `'pbr_0' || lpad(to_hex(1700000000000 + n), 12, '0') || left(md5(n::text), 13)`;

/** An application and a key. Each of the two has one entry in 1,000, and no entry has both. */
export type Rare = { applicationId: string; keyId: string };

// Inserts two applications' requests of one month. Most are reads. Of the requests, 1 in 20 gets a 400, 1 in 10,000
// gets a 503, and 1 in 5,000 creates a booking.
const FILL = `
  INSERT INTO request_log (request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, duration_ms,
    address, user_agent, booking_reference, external_reference)
  SELECT ${REQUEST_ID}, to_timestamp(${MILLISECONDS} / 1000.0), $3,
    CASE WHEN n % 1000 = 1 THEN $6 ELSE $4 END,
    CASE WHEN n % 1000 = 1 THEN NULL WHEN n % 1000 = 2 THEN $7 ELSE $5 END,
    CASE WHEN n % 5000 = 3 THEN 'POST' ELSE 'GET' END, route, route,
    CASE WHEN n % 10000 = 7 THEN 503 WHEN n % 20 = 0 THEN 400 WHEN n % 5000 = 3 THEN 201 ELSE 200 END,
    CASE WHEN n % 10000 = 7 THEN 'service_unavailable' WHEN n % 20 = 0 THEN 'invalid_request' END,
    1.5, '127.0.0.1', 'bench',
    CASE WHEN n % 5000 = 3 THEN ${BOOKING_REFERENCE} END, CASE WHEN n % 5000 = 3 THEN 'order-' || n END
  FROM generate_series($1::bigint, $2::bigint) n CROSS JOIN LATERAL (
    SELECT '/api/partner/v1/' || CASE WHEN n % 5000 = 3 THEN 'bookings' WHEN n % 10 = 1 THEN 'availability' ELSE 'catalog' END) AS of(route)`;

let pending: Promise<Rare> | null = null;

/**
 * Fills the request log and counts its entries per hour. Later calls do nothing. Returns the application and the key
 * that have only a few entries.
 */
export function fillRequestLog(stage: Stage): Promise<Rare> {
  pending ??= fill(stage);
  return pending;
}

async function fill(stage: Stage): Promise<Rare> {
  const { pool } = await import('@/lib/platform/db');
  stage.log(`Filling the request log with ${ENTRIES.toLocaleString('en')} entries (1–2 minutes) …`);
  const { common, rare } = await makeSenders(stage);
  await createDays(pool());
  let next = 1;
  const writer = async () => {
    const client = await pool().connect();
    try {
      await client.query('SET statement_timeout = 0');
      while (next <= ENTRIES) {
        const from = next;
        next += BATCH;
        const to = Math.min(next - 1, ENTRIES);
        const by = [stage.tenantId, stage.applicationId, common, rare.applicationId, rare.keyId];
        await client.query({ text: FILL, values: [from, to, ...by], query_timeout: FILL_TIMEOUT } as pg.QueryConfig);
      }
    } finally {
      // The connection is closed, not reused, because its statement timeout was changed.
      client.release(true);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await settle(pool());
  const { countRequests } = await import('@/lib/activity/request-log/counts');
  await countRequests(new Date());
  return rare;
}

/** Creates the partitions of the days before today. */
async function createDays(pool: Connections): Promise<void> {
  const { createPartition, missingDays } = await import('@/lib/activity/request-log/partitions');
  const client = await pool.connect();
  for (const day of await missingDays(client, new Date(OLDEST), new Date())) {
    await client.query('BEGIN');
    await createPartition(client, day);
    await client.query('COMMIT');
  }
  client.release();
}

/**
 * Returns the senders of the log entries. Almost all entries get the key `common`. A few get the key or the application
 * in `rare`.
 */
async function makeSenders({ tenantId, applicationId }: Stage): Promise<{ common: string; rare: Rare }> {
  const [{ db }, { issueKey }] = await Promise.all([
    import('@/lib/platform/db'),
    import('@/lib/access/applications/keys'),
  ]);
  const other = await db().application.findFirstOrThrow({ where: { tenantId, id: { not: applicationId } } });
  const issue = (name: string) =>
    issueKey(new Date(), { tenantId, applicationId, name, expiresAt: null, actor: { kind: 'system' } });
  const [common, rare] = [await issue('Common'), await issue('Rare')];
  return { common: common.record.id, rare: { applicationId: other.id, keyId: rare.record.id } };
}

/**
 * Updates the statistics and the visibility map, and writes dirty pages. An idle database does the same over time.
 */
async function settle(pool: Connections): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    for (const text of ['VACUUM (ANALYZE) request_log', 'CHECKPOINT']) {
      await client.query({ text, query_timeout: FILL_TIMEOUT } as pg.QueryConfig);
    }
  } finally {
    client.release(true);
  }
}
