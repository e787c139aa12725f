import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connections } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { medianOfRatios } from '../compare';
import type { Outcome } from '../figure';
import { median } from '../numbers';
import { sized } from '../size';
import type { Stage } from '../stage';

const ENDPOINTS = 20;
const DELIVERIES = sized(10_000, 500);
const ROUNDS = sized(3, 1);

/**
 * Measures how much one unresponsive endpoint slows down the deliveries to 19 other endpoints. The value is the rate of
 * these deliveries while the endpoint never responds, divided by their rate while it responds.
 */
export async function measureDeliveries(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  const healthy = await startReceiver(true);
  const unresponsive = await startReceiver(false);
  try {
    return await measure(stage, pool(), healthy.url, unresponsive.url);
  } finally {
    healthy.close();
    unresponsive.close();
  }
}

async function measure(stage: Stage, pool: Connections, healthy: string, unresponsive: string): Promise<Outcome> {
  const applications = await makeEndpoints(stage, healthy);
  const seconds: Record<'with' | 'without', number[]> = { with: [], without: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of ['without', 'with'] as const) {
      await stage.stopServers();
      await pool.query('TRUNCATE delivery_attempts, deliveries, events CASCADE');
      const url = side === 'with' ? unresponsive : healthy;
      await pool.query(
        `UPDATE webhook_endpoints SET url = $2, failing = false, failed_days = 0, last_failed_on = NULL
         WHERE application_id = $1`,
        [applications[0], url],
      );
      await stage.serve({ environment: { WEBHOOKS_ALLOW_LOOPBACK: '1' } });
      const startedAt = performance.now();
      await insertEvents(pool, stage.tenantId, applications);
      await waitForDeliveries(pool, applications.slice(1));
      seconds[side].push((performance.now() - startedAt) / 1000);
    }
  }
  const measured = (DELIVERIES / ENDPOINTS) * (ENDPOINTS - 1);
  const rate = (side: 'with' | 'without') => measured / median(seconds[side]);
  const none = { p50: Number.NaN, p99: Number.NaN };
  return {
    ...medianOfRatios(seconds.without, seconds.with),
    rows: [
      { label: 'next to an unresponsive endpoint', rate: rate('with'), ...none },
      { label: 'all endpoints responsive', rate: rate('without'), ...none },
    ],
  };
}

async function startReceiver(responds: boolean): Promise<{ url: string; close: () => void }> {
  const server = createServer((req, res) => {
    req.resume();
    if (responds) req.on('end', () => res.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${port}/`, close };
}

async function makeEndpoints({ tenantId }: Stage, url: string): Promise<string[]> {
  const { createApplication } = await import('@/lib/access/applications/applications');
  const { createEndpoint } = await import('@/lib/webhooks/endpoint');
  const { systemResolve } = await import('@/lib/webhooks/addresses');
  const by = { tenantId, actor: { kind: 'system' } as const };
  const now = new Date();
  const ids: string[] = [];
  for (let i = 0; i < ENDPOINTS; i += 1) {
    const lists = { scopes: ['webhooks.manage'] as const, locationIds: [], origins: [], networks: [] };
    const { id } = await createApplication(now, by, {
      name: `Receiver ${i}`,
      allLocations: true,
      agentsAsk: true,
      quota: 600,
      ...lists,
    });
    const rules = { allowLoopback: true, resolve: systemResolve };
    await createEndpoint(now, { ...by, applicationId: id }, { url, eventTypes: ['booking.created'] }, rules);
    ids.push(id);
  }
  return ids;
}

/** Inserts events and their deliveries in one transaction. Inserts no bookings for them. */
async function insertEvents(pool: Connections, tenantId: string, applications: string[]): Promise<void> {
  const { INSERT_DELIVERIES } = await import('@/lib/webhooks/insert');
  const { bind, param, statement } = await import('@/lib/platform/sql');
  const insert = statement<never>()`
    WITH event AS (
      INSERT INTO events (id, tenant_id, application_id, type, booking_reference, version, actor, payload, at)
      SELECT id, ${param.text('tenantId')}, ${param.text('applicationId')}, ${param.text('eventType')},
        'pbr_' || substr(id, 5), 1, 'partner', payload, ${param.timestamptz('now')}
      FROM unnest(${param.texts('ids')}, ${param.texts('payloads')}) AS given(id, payload) RETURNING id)
    ${INSERT_DELIVERIES}`;
  const [eventType, now] = ['booking.created', new Date()];
  const client = await pool.connect();
  try {
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    for (const application of applications) {
      const ids = Array.from({ length: DELIVERIES / ENDPOINTS }, () => newId('evt'));
      const payloads = ids.map((id) => JSON.stringify({ id, type: eventType, data: { filler: 'x'.repeat(500) } }));
      await client.query(
        bind(insert, { ids, tenantId, applicationId: application, payloads, eventType, now, deliverAt: now }),
      );
    }
    await client.query('COMMIT');
  } finally {
    client.release();
  }
}

/**
 * Waits until every delivery of these applications has succeeded.
 * @throws Error if this takes longer than five minutes
 */
async function waitForDeliveries(pool: Connections, applications: string[]): Promise<void> {
  const sql = `SELECT EXISTS (SELECT FROM deliveries WHERE application_id = ANY ($1) AND state <> 'succeeded') AS waiting`;
  for (const deadline = performance.now() + 300_000; ; ) {
    const { rows } = await pool.query<{ waiting: boolean }>(sql, [applications]);
    if (!rows[0]?.waiting) return;
    if (performance.now() > deadline) throw new Error('The deliveries did not succeed within five minutes.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
