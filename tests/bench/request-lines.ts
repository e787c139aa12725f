import type pg from 'pg';
import type { Stage } from './stage';

/** Lines of the request log that both figures about it search; fewer with BENCH_LINES, to try them out. */
export const LINES = Number(process.env.BENCH_LINES ?? 5_000_000);
/** Lines of one INSERT; several run at once. */
const BATCH = 250_000;
const WRITERS = 2;

// Like the real ones in form and order: ids begin with their time. Hexadecimal digits are a part of their alphabet.
const BODY = `lpad(to_hex(1700000000000 + n), 12, '0') || left(md5(n::text), 13)`;

/** SQL of the id of line `n`. */
export const REQUEST_ID = `'req_0' || ${BODY}`;
/** SQL of the booking reference of line `n`, which has one when `n` leaves 3 by 5000. */
export const BOOKING_REFERENCE = `'pbr_0' || ${BODY}`;

/** Whose lines are rare: one in a thousand of the other application, one in a thousand with the other key. */
export type Rare = { applicationId: string; keyId: string };

// A month of two partners: mostly reads, one in twenty refused, one in ten thousand failed, one in five thousand booked.
const FILL = `
  INSERT INTO request_log (request_id, at, tenant_id, application_id, key_id, method, route, path, status, code, duration_ms,
    address, user_agent, booking_reference, external_reference)
  SELECT ${REQUEST_ID}, now() - interval '30 days' + n * interval '0.5 second', $3,
    CASE WHEN n % 1000 = 1 THEN $6 ELSE $4 END,
    CASE WHEN n % 1000 = 1 THEN NULL WHEN n % 1000 = 2 THEN $7 ELSE $5 END,
    CASE WHEN n % 5000 = 3 THEN 'POST' ELSE 'GET' END, route, route,
    CASE WHEN n % 10000 = 7 THEN 503 WHEN n % 20 = 0 THEN 400 WHEN n % 5000 = 3 THEN 201 ELSE 200 END,
    CASE WHEN n % 10000 = 7 THEN 'service_unavailable' WHEN n % 20 = 0 THEN 'invalid_request' END,
    1.5, '127.0.0.1', 'bench',
    CASE WHEN n % 5000 = 3 THEN ${BOOKING_REFERENCE} END, CASE WHEN n % 5000 = 3 THEN 'order-' || n END
  FROM generate_series($1::bigint, $2::bigint) n CROSS JOIN LATERAL (
    SELECT '/api/partner/v1/' || CASE WHEN n % 5000 = 3 THEN 'bookings' WHEN n % 10 = 1 THEN 'availability' ELSE 'catalog' END) AS of(route)`;

let filled: Promise<Rare> | null = null;

/** Fills the request log, once in a run however many figures search it, and returns whose lines are rare. */
export function fillRequestLog(stage: Stage): Promise<Rare> {
  filled ??= fill(stage);
  return filled;
}

async function fill(stage: Stage): Promise<Rare> {
  const { pool } = await import('@/lib/platform/db');
  stage.say(`Filling the request log with ${LINES.toLocaleString('en')} lines (a minute or two) …`);
  const { common, rare } = await choose(stage);
  let next = 1;
  const writer = async () => {
    const client = await pool().connect();
    try {
      await client.query('SET statement_timeout = 0');
      while (next <= LINES) {
        const from = next;
        next += BATCH;
        const to = Math.min(next - 1, LINES);
        const by = [stage.tenantId, stage.applicationId, common, rare.applicationId, rare.keyId];
        await client.query({ text: FILL, values: [from, to, ...by], query_timeout: 0 } as pg.QueryConfig);
      }
    } finally {
      // Its setting must not come back with it.
      client.release(true);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  await settle(pool());
  return rare;
}

/** Returns the key that sends almost everything, and an application and a key that hardly do. */
async function choose({ tenantId, applicationId }: Stage): Promise<{ common: string; rare: Rare }> {
  const [{ db }, { issueKey }] = await Promise.all([
    import('@/lib/platform/db'),
    import('@/lib/access/applications/keys'),
  ]);
  const other = await db().application.findFirstOrThrow({ where: { tenantId, id: { not: applicationId } } });
  const issue = (name: string) =>
    issueKey(new Date(), { tenantId, applicationId, name, expiresAt: null, actor: { kind: 'system' } });
  const [often, seldom] = [await issue('Often'), await issue('Seldom')];
  return { common: often.record.id, rare: { applicationId: other.id, keyId: seldom.record.id } };
}

/** As after a while of quiet: statistics and visibility are up to date, and nothing waits to be written. */
async function settle(pool: pg.Pool): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('SET statement_timeout = 0');
    for (const text of ['VACUUM (ANALYZE) request_log', 'CHECKPOINT']) {
      await client.query({ text, query_timeout: 0 } as pg.QueryConfig);
    }
  } finally {
    client.release(true);
  }
}
