import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { expect } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { parseDirectory } from '@/lib/operations/cells/directory';
import { cellOfRequest } from '@/lib/operations/cells/route';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { type Moving, moveTenant } from '@/lib/operations/tenants/move/move';
import { env } from '@/lib/platform/env';
import { BOOKINGS, type Desk, dayAhead, makeDesk, post } from '@/tests/support/bookings';
import { createClient, type Reply } from '@/tests/support/client';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { startServer, type TestServer } from '@/tests/support/server';
import { repeats } from '@/tests/support/soak';

/** Whether the long versions of the tests run, as with `npm run test:soak`. */
export const LONG = repeats(0, 1) > 0;

const { signal } = new AbortController();

/** Two cells with one server each, and the directory of both. The first cell uses the tests’ own database. */
export type Cells = {
  source: OwnDatabase;
  target: TestDatabase;
  /** A superuser's pool on the first cell's database. */
  here: pg.Pool;
  /** A superuser's pool on the second cell's database. */
  there: pg.Pool;
  servers: TestServer[];
  directory: string;
  stop: () => Promise<void>;
};

/** Starts two cells, `eu01` and `eu02`. */
export async function startCells(): Promise<Cells> {
  const [source, target] = [await ownDatabase(), await createDatabase()];
  for (const [{ url }, cell] of [
    [source, 'eu01'],
    [target, 'eu02'],
  ] as const)
    await claimEnvironment(url, { environment: 'TEST', secretKey: env().SECRET_KEY, cell });
  const servers = await Promise.all([source, target].map(({ url }) => startServer({ databaseUrl: url })));
  const folder = await mkdtemp(join(tmpdir(), 'cells-'));
  const directory = join(folder, 'cells.json');
  const cellAt = (server?: TestServer) => ({ origin: server?.origin, servers: [`127.0.0.1:${server?.port}`] });
  const cells = { eu01: cellAt(servers[0]), eu02: cellAt(servers[1]) };
  await writeFile(directory, JSON.stringify({ home: 'eu01', cells, tenants: {} }));
  const [here, there] = [openPool(source.adminUrl), openPool(target.adminUrl)];
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await Promise.all([here.end(), there.end(), rm(folder, { recursive: true })]);
    await Promise.all([source.drop(), target.drop()]);
  };
  return { source, target, here, there, servers, directory, stop };
}

/** Moves a tenant from the first cell to the second one. */
export function move({ source, target, directory }: Cells, tenantId: string, moving: Partial<Moving> = {}) {
  const options = { sourceUrl: source.ownerUrl, targetUrl: target.ownerUrl, tenantId, directory, to: 'eu02' };
  return moveTenant(options, { signal, settle: 0, ...moving });
}

/** Creates a tenant in the first cell, with many free slots. */
export const makeBusyDesk = () => makeDesk({ specialists: 4 });

/** Returns a client that sends requests with `key` to the cell that the directory states, as a proxy does. */
export async function routed({ directory }: Cells, key: string) {
  const { servers } = cellOfRequest(parseDirectory(await readFile(directory, 'utf8')), `Bearer ${key}`);
  return createClient({ origin: `http://${servers[0]}`, key });
}

type Created = Reply<{ booking: { reference: string; version: number } }>;

/** A write with its final response. `waited` is the number of milliseconds from the first attempt to this response. */
export type Write = { key: string; body: unknown; reply: Created; waited: number };

let slots = 0;

/** Returns the body of a request that creates a booking. Each call uses a different slot. */
function bodyAtFreeSlot({ body }: Pick<Desk, 'body'>): object {
  const slot = slots++ % (16 * 300);
  const minutes = 9 * 60 + 30 * (slot % 16);
  const start = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return body(start, { date: dayAhead(7 + Math.floor(slot / 16)) });
}

/** Creates a booking as a partner does: after a 503, waits for the time in Retry-After and sends the write again. */
export async function createAsPartner(cells: Cells, desk: Desk): Promise<Write> {
  const key = randomUUID();
  const body = bodyAtFreeSlot(desk);
  const begun = performance.now();
  for (;;) {
    const client = await routed(cells, desk.key);
    const reply = (await post(client, BOOKINGS, createBooking, body, { key })) as Created;
    if (reply.status !== 503) return { key, body, reply, waited: performance.now() - begun };
    await delay(1000 * Number(reply.headers['retry-after']));
  }
}

/** Returns a tenant's state in a database, or null if the database does not contain the tenant. */
export const stateIn = async (pool: pg.Pool, tenantId: string) => {
  const { rows } = await pool.query(
    'SELECT suspended_at IS NULL AS active, elsewhere_since IS NOT NULL AS elsewhere FROM tenants WHERE id = $1',
    [tenantId],
  );
  return rows[0] ?? null;
};

/** Returns whether a tenant is active in a database. */
export const isActive = async (pool: pg.Pool, tenantId: string) => (await stateIn(pool, tenantId))?.active === true;

/** Asserts that each write exists exactly once in the second cell, and that a retry there gets the same response. */
export async function expectMoved(cells: Cells, desk: Desk, writes: Write[]): Promise<void> {
  expect(await stateIn(cells.here, desk.tenant.id)).toEqual({ active: false, elsewhere: true });
  expect(await stateIn(cells.there, desk.tenant.id)).toEqual({ active: true, elsewhere: false });
  const { rows } = await cells.there.query(
    `SELECT reference, (SELECT count(*)::int FROM events WHERE booking_reference = reference AND version = 1) AS events
     FROM bookings WHERE tenant_id = $1 ORDER BY 1`,
    [desk.tenant.id],
  );
  const references = writes.map(({ reply }) => reply.data.booking.reference).sort();
  expect(rows).toEqual(references.map((reference) => ({ reference, events: 1 })));
  const client = await routed(cells, desk.key);
  const left = [...writes];
  const replay = async () => {
    for (let write = left.pop(); write; write = left.pop()) {
      const { key, body, reply } = write;
      const replayed = await post(client, BOOKINGS, createBooking, body, { key });
      expect([replayed.status, replayed.data]).toEqual([201, reply.data]);
      expect(replayed.headers['idempotent-replayed']).toBe('true');
    }
  };
  await Promise.all([replay(), replay(), replay(), replay()]);
  const { rows: remaining } = await cells.here.query(
    `SELECT tgname AS name FROM pg_trigger WHERE tgname = 'tenant_move' UNION ALL SELECT nspname FROM pg_namespace WHERE nspname = 'tenant_move'`,
  );
  expect(remaining).toEqual([]);
}

/** Returns a rejected promise. If `onStep` returns it at a step, the move fails there. */
export const killed = () => Promise.reject(new Error('killed'));
