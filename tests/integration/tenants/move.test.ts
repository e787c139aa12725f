import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueKey } from '@/lib/access/applications/keys';
import { createBooking } from '@/lib/contract/operations';
import { sealHashKeys } from '@/lib/operations/environment/claim';
import { isAccountTable } from '@/lib/operations/tenants/accounts';
import { deleteTenant } from '@/lib/operations/tenants/delete';
import { abortMove } from '@/lib/operations/tenants/move/abort';
import { STEPS } from '@/lib/operations/tenants/move/move';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { OWNER } from '@/lib/platform/postgres/roles';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { actionPath, BOOKINGS, type Desk, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { repeats } from '@/tests/support/soak';
import { until } from '@/tests/support/until';
import { withinLimit } from '@/tests/support/within-limit';
import { type Cells, createAsPartner, makeBusyDesk, move, routed, startCells, type Write } from './move-world';

let cells: Cells;

beforeAll(async () => {
  cells = await startCells();
}, 60_000);

afterAll(() => cells.stop());

const stateIn = async (pool: Cells['here'], tenantId: string) => {
  const { rows } = await pool.query(
    'SELECT suspended_at IS NULL AS active, elsewhere_since IS NOT NULL AS elsewhere FROM tenants WHERE id = $1',
    [tenantId],
  );
  return rows[0] ?? null;
};

const isActive = async (pool: Cells['here'], tenantId: string) => (await stateIn(pool, tenantId))?.active === true;

/** Asserts that each write exists exactly once in the second cell, and that a retry there gets the same response. */
async function expectMoved(desk: Desk, writes: Write[]): Promise<void> {
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

/** Whether the long versions run. */
const LONG = repeats(0, 1) > 0;

/** Milliseconds between two writes. Without a pause, the writers would use all of the processor time. */
const PAUSE = LONG ? 25 : 100;

const slowestOf = (writes: Write[]) => Math.max(...writes.map(({ waited }) => waited));

/**
 * Creates bookings until `stop` is called. Calls `onWrite` after every third booking. `writes` are the bookings so far.
 */
function keepWriting(desk: Desk, writers: number, onWrite: (made: Write) => Promise<void> = async () => {}) {
  const writes: Write[] = [];
  let ended = false;
  const write = async () => {
    while (!ended) {
      const made = await createAsPartner(cells, desk);
      expect([made.reply.status, made.reply.text]).toEqual([201, expect.any(String)]);
      writes.push(made);
      await delay(PAUSE);
      if (writes.length % 3 === 0) await onWrite(made);
    }
  };
  const writing = Promise.all(Array.from({ length: writers }, write));
  const stop = () => {
    ended = true;
    return writing;
  };
  return { writes, stop };
}

/**
 * Moves a tenant while partners write and owners change data. Asserts that nothing is lost. Another tenant of the same
 * cell writes too, for comparison, because every write takes longer on a busy machine. `took` is the larger of two
 * differences, in milliseconds:
 * - during the move, the slowest write of the moved tenant, with its retries, minus that of the other tenant
 * - the slowest write of the other tenant during the move minus the slowest write of both tenants before the move
 */
async function moveWhileWriting(): Promise<{ took: number }> {
  const [desk, otherDesk] = [await makeBusyDesk(), await makeBusyDesk()];
  const other = keepWriting(otherDesk, 1);
  const cancelled: string[] = [];
  const { writes, stop } = keepWriting(desk, 3, async (made) => {
    const { reference, version } = made.reply.data.booking;
    const client = await routed(cells, desk.key);
    const path = actionPath(reference, 'cancel');
    const reply = await client(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': `cancel-${reference}` },
      body: JSON.stringify({ expected_version: version, reason: 'other' }),
    });
    if (reply.status === 200) cancelled.push(reference);
    else expect(reply.status).toBe(503);
  });
  await until(
    async () => writes.length,
    (count) => count >= 20,
  );
  // The first requests of a new server take longer.
  const before = slowestOf([...writes.slice(10), ...other.writes.slice(3)]);
  const begun = [writes.length, other.writes.length];
  const person = { userId: '' };
  const issued = { key: '' };
  const onStep = async (step: string) => {
    if (step !== 'bulk') return;
    // These are the owners' changes after the copy.
    await db().location.update({ where: { id: desk.location.id }, data: { city: 'Elsewhere' } });
    await db().specialistHours.deleteMany({ where: { specialistId: desk.ids[0], weekday: 7 } });
    Object.assign(person, await makePerson(desk.tenant.id));
    const { tenant, applicationId } = desk;
    const actor = { kind: 'system' } as const;
    const issue = { tenantId: tenant.id, applicationId, name: 'New', expiresAt: null, actor };
    Object.assign(issued, await issueKey(new Date(), issue));
    await delay(repeats(200, 2_000));
  };
  const { waited } = await move(cells, desk.tenant.id, { onStep, settle: 1_500 });
  await delay(repeats(500, 2_000));
  await Promise.all([stop(), other.stop()]);
  expect(writes.length).toBeGreaterThan(20);
  expect(waited).toBeGreaterThan(0);
  await expectMoved(desk, writes);
  const { rows } = await cells.there.query(
    `SELECT reference FROM bookings WHERE status = 'cancelled' AND tenant_id = $1`,
    [desk.tenant.id],
  );
  expect(rows.map(({ reference }) => reference)).toEqual(expect.arrayContaining(cancelled));
  const { rows: changed } = await cells.there.query(
    `SELECT (SELECT city FROM locations WHERE id = $1) AS city, (SELECT email FROM users WHERE id = $2) AS email,
       (SELECT count(*)::int FROM specialist_hours WHERE specialist_id = $3) AS hours`,
    [desk.location.id, person.userId, desk.ids[0]],
  );
  expect(changed).toEqual([{ city: 'Elsewhere', email: expect.any(String), hours: 6 }]);
  // The request log contains each write.
  const ids = writes.map(({ reply }) => reply.requestId);
  const counted = 'SELECT count(*)::int AS count FROM request_log WHERE request_id = ANY ($1)';
  await until(
    async () => (await cells.there.query(counted, [ids])).rows[0].count,
    (count) => count === ids.length,
  );
  for (const key of [desk.key, issued.key]) {
    const reply = await (await routed(cells, key))(`${BOOKINGS}?external_reference=none`);
    expect(reply.status).toBe(200);
    const late = await createClient({ origin: cells.servers[0]?.origin ?? '', key })(
      `${BOOKINGS}?external_reference=none`,
    );
    expect([late.status, late.error.code, late.headers['retry-after']]).toEqual([503, 'service_unavailable', '1']);
  }
  const cookie = await openSessionOf(person);
  const page = await request(`${cells.servers[0]?.origin}/t/${desk.tenant.id}/audit`, { headers: { cookie } });
  expect(await page.body.text()).toContain('This business has moved');
  await expect(move(cells, desk.tenant.id)).rejects.toThrow('was already moved');
  await expect(setTenantSuspended(new Date(), desk.tenant.id, false)).rejects.toMatchObject({
    fields: [{ path: 'tenant', message: expect.stringContaining('is served by another cell') }],
  });
  const [moved, others] = [slowestOf(writes.slice(begun[0])), slowestOf(other.writes.slice(begun[1]))];
  return { took: Math.max(moved - others, others - before) };
}

const killed = () => Promise.reject(new Error('killed'));
/** Closes the connections to the second cell’s database. */
const closeTarget = async () => {
  await cells.there.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = $1',
    [OWNER],
  );
};

type Step = (typeof STEPS)[number];

const LOSSES: Step[] = LONG
  ? ['noting', 'bulk', 'round', 'locked', 'copied', 'left', 'entered']
  : ['bulk', 'locked', 'entered'];

type Interruption = ['ends' | 'loses the other database', Step];

const ENDS = STEPS.map((step): Interruption => ['ends', step]);
const LOST = LOSSES.map((step): Interruption => ['loses the other database', step]);

/**
 * Each entry lists the interruptions of one tenant's move, one after another. The long version also has one entry per
 * interruption, because some states can occur only after the first interruption of a move.
 */
const INTERRUPTED = LONG ? [ENDS, ...[...ENDS, ...LOST].map((one) => [one])] : [ENDS, LOST];

const described = (all: Interruption[]) => `${all[0]?.[0]} at ${all.map(([, step]) => step).join(', ')}`;

test.each(INTERRUPTED.map((all) => [described(all), all] as const))(
  'a move can be repeated, and nothing is lost, if it %s',
  async (_, interruptions) => {
    const desk = await makeBusyDesk();
    const writes = [await createAsPartner(cells, desk)];
    let failed = true;
    for (const [how, at] of interruptions) {
      let reached = false;
      const onStep = async (step: string) => {
        // Writes only during the first two steps. During the later steps, the move makes writes wait.
        if (step === 'noting' || step === 'bulk') writes.push(await createAsPartner(cells, desk));
        if (reached || step !== at) return;
        reached = true;
        await (how === 'ends' ? killed() : closeTarget());
      };
      failed = await move(cells, desk.tenant.id, { onStep }).then(
        () => false,
        () => true,
      );
      expect([at, reached]).toEqual([at, true]);
      const active = [await isActive(cells.here, desk.tenant.id), await isActive(cells.there, desk.tenant.id)];
      expect(active).not.toEqual([true, true]);
      // Until the directory is written, the proxy sends requests to the first cell. A write then succeeds only if the
      // tenant is active there.
      if (failed && (active[0] || at === 'directory' || at === 'late')) writes.push(await createAsPartner(cells, desk));
    }
    if (failed) await move(cells, desk.tenant.id);
    writes.push(await createAsPartner(cells, desk));
    await expectMoved(desk, writes);
  },
);

const ABORTS: [Step, boolean][] = [
  ['noting', true],
  ['copied', true],
  ['left', true],
  ['entered', false],
];
const FURTHER_ABORTS: typeof ABORTS = [
  ['bulk', true],
  ['locked', true],
  ['directory', false],
];

/**
 * Each entry is for one tenant, and lists the aborts that its moves go through, one after another. The long version of
 * the test also has one entry per abort, with only this abort.
 */
const ABORTED = LONG ? [ABORTS, ...[...ABORTS, ...FURTHER_ABORTS].map((one) => [one])] : [ABORTS];

/** Returns the number of a tenant's rows in the second cell, without its accounts. */
async function countCopied(tenantId: string): Promise<number> {
  const tables = [...TENANT_TABLES].filter(([name]) => !isAccountTable(name));
  const counts = tables.map(([name, rows]) => `(SELECT count(*)::int FROM ${name} WHERE ${rows(`'${tenantId}'`)})`);
  return (await cells.there.query(`SELECT ${counts.join(' + ')} AS count`)).rows[0].count;
}

const named = (aborts: typeof ABORTS) => aborts.map(([at, possible]) => `${at}: ${possible}`).join(', ');

test.each(ABORTED.map((aborts) => [named(aborts), aborts] as const))('--abort after the step %s', async (_, aborts) => {
  const desk = await makeBusyDesk();
  const { id } = desk.tenant;
  const { userId } = await makePerson(id);
  const writes = [await createAsPartner(cells, desk)];
  const urls = { sourceUrl: cells.source.ownerUrl, targetUrl: cells.target.ownerUrl };
  const abort = (say?: () => void, { signal } = new AbortController()) =>
    abortMove({ ...urls, tenantId: id }, { signal, say });
  for (const [at, possible] of aborts) {
    const onStep = (step: string) => (step === at ? killed() : Promise.resolve());
    await expect(move(cells, id, { onStep })).rejects.toThrow('killed');
    if (at === 'left')
      await expect(deleteTenant(new Date(), urls.sourceUrl, { tenantId: id, confirm: 'Tenant' })).rejects.toMatchObject(
        {
          fields: [{ path: 'tenant', message: expect.stringContaining('is being moved: run move again') }],
        },
      );
    if (!possible) {
      await expect(abort()).rejects.toThrow('is active in eu02. Run move again to finish.');
      await move(cells, id);
      await expectMoved(desk, writes);
      continue;
    }
    const copied = at !== 'noting';
    expect((await countCopied(id)) > 0).toBe(copied);
    if (at === 'copied') {
      const controller = new AbortController();
      await expect(abort(() => controller.abort(), controller)).rejects.toThrow('aborted');
      expect(await countCopied(id)).toBeGreaterThan(0);
      await expect(move(cells, id)).rejects.toThrow('The copy in the other cell is gone. Run move with --abort.');
    }
    const deleted = copied ? expect.objectContaining({ tenants: 1, users: 1, bookings: writes.length }) : null;
    expect(await abort()).toEqual({ name: 'Tenant', cell: 'eu02', suspended: false, deleted });
    expect(await stateIn(cells.here, id)).toEqual({ active: true, elsewhere: false });
    expect(await countCopied(id)).toBe(0);
    const accounts = [cells.here, cells.there].map((pool) => pool.query('SELECT FROM users WHERE id = $1', [userId]));
    expect((await Promise.all(accounts)).map(({ rowCount }) => rowCount)).toEqual([1, 0]);
    writes.push(await createAsPartner(cells, desk));
    expect(writes.at(-1)?.reply.status).toBe(201);
    await expect(abort()).rejects.toThrow('No move of this tenant is in progress.');
  }
});

test('refuses what cannot be moved, and changes nothing', async () => {
  const desk = await makeBusyDesk();
  const { id } = desk.tenant;
  await expect(move(cells, newId('ten'))).rejects.toThrow('There is no tenant with this ID.');
  await expect(move({ ...cells, directory: '/none.json' }, id)).rejects.toThrow('cannot be read (ENOENT)');
  const sourceAsTarget = { ...cells, target: { ...cells.target, ownerUrl: cells.source.ownerUrl } };
  await expect(move(sourceAsTarget, id)).rejects.toThrow('TARGET_DATABASE_URL leads to the database of this cell.');
  await db().apiKey.updateMany({ where: { id: desk.keyId }, data: { start: null } });
  await expect(move(cells, id)).rejects.toThrow(
    `cannot route some keys (1), because no server of this version has received a request with them: ${desk.keyId}`,
  );
  // A server stores the first characters of a key (`start`) when the key is used for the first time.
  await createAsPartner(cells, desk);
  const { start } = await until(
    () => db().apiKey.findUniqueOrThrow({ where: { id: desk.keyId } }),
    (found) => found.start !== null,
  );
  expect(desk.key).toMatch(new RegExp(`^${start}.{26}$`));
  await setTenantSuspended(new Date(), id, true);
  await expect(move(cells, id)).rejects.toThrow('Tenant is suspended, so a move is not necessary');
  await setTenantSuspended(new Date(), id, false);
  const change = (sql: string) => cells.there.query(sql);
  await change(`UPDATE environment SET secrets_fingerprint = repeat('b', 64)`);
  await expect(move(cells, id)).rejects.toThrow('eu02 has another SECRET_KEY.');
  const { rows } = await cells.here.query('SELECT secrets_fingerprint FROM environment');
  await change(`UPDATE environment SET secrets_fingerprint = '${rows[0].secrets_fingerprint}'`);
  const keysOf = (secretKey: string) =>
    sealHashKeys({ environment: 'TEST', secretKey }, { environment: 'TEST', secretKey: env().SECRET_KEY });
  const storeKeys = (keys: Buffer | null) => cells.there.query('UPDATE environment SET hash_keys = $1', [keys]);
  await storeKeys(keysOf('another secret of at least 32 characters'));
  await expect(move(cells, id)).rejects.toThrow('keys for stored hashes');
  // If a cell stores no keys for hashes, its keys are derived from SECRET_KEY. The keys of the two cells are then
  // equal, so the next move is refused for a different reason.
  await storeKeys(null);
  await change(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at) VALUES ('x', 'x', '20990101000000_x', now(), now())`,
  );
  await expect(move(cells, id)).rejects.toThrow('eu02 has another version: it has the migration 20990101000000_x.');
  await change(`DELETE FROM _prisma_migrations WHERE id = 'x'`);
  expect(await stateIn(cells.here, id)).toEqual({ active: true, elsewhere: false });
  expect(await stateIn(cells.there, id)).toBeNull();
  const killedMove = move(cells, id, { onStep: killed });
  await expect(killedMove).rejects.toThrow('killed');
  const other = await makeBusyDesk();
  await expect(move(cells, other.tenant.id)).rejects.toThrow(`The move of ${id} to eu02 is not complete.`);
  const context = { dataDir: '', now: new Date(), signal: new AbortController().signal, say: () => {} };
  const abort = (targetUrl?: string) =>
    runCommand(parseCommand(['move', id, '--abort']), { ...context, ownerUrl: cells.source.ownerUrl, targetUrl });
  await expect(abort()).rejects.toThrow('Set TARGET_DATABASE_URL to a URL of the other cell’s database');
  expect(await abort(cells.target.ownerUrl)).toBe(`The move was aborted. Tenant (${id}) is active here.`);
  await storeKeys(keysOf(env().SECRET_KEY));
});

// This test runs last, because the first requests of a new server take longer.
test('partners write while a tenant moves: no write waits two seconds, is lost, or is made twice', async () => {
  expect((await withinLimit(2_000, moveWhileWriting)).took).toBeLessThan(2_000);
}, 240_000);
