import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashName, hashPhone, openCustomer, searchedPhoneHashes } from '@/lib/booking/bookings/customer';
import { writeBackup } from '@/lib/operations/backup/dump';
import { verifyBackup } from '@/lib/operations/backup/load';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { readSecretState } from '@/lib/operations/environment/secret-state';
import { rotateSecret } from '@/lib/operations/rotation/rotate';
import { closeDb, pool } from '@/lib/platform/db';
import { deriveSecret, openWith, placeIn, seal, sealingKey, sealWith } from '@/lib/platform/secrets';
import { CUSTOMER } from '@/tests/support/bookings';
import { createDatabase, type TestDatabase } from '@/tests/support/database';
import { beginFile } from '@/tests/support/fresh-process';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { expectUsable, idOf, keyIds, killRotation, makeWorld, otherClient, usersOf, type World } from './world';

// The tests are the steps of one rotation, followed by those of a second rotation back to the old secret.

const [OLD, NEW] = [TEST_SECRET, 'another secret for tests only, never deployed'];
const claim = { environment: 'TEST', secretKey: NEW, previousKey: OLD } as const;
const { signal } = new AbortController();
const options = { say: () => {}, signal, settle: 0, batch: 2 };
const NOW = new Date();
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

let database: TestDatabase;
let directory = '';
let server: TestServer;
let world: World;
let users: ReturnType<typeof usersOf>;
let booked: Awaited<ReturnType<typeof users.book>>[];
let cookie: string | null;
let cursor = '';

/** Resets this process, as if it had just started with the given secrets. */
function become(SECRET_KEY: string, SECRET_KEY_PREVIOUS = ''): void {
  const settings = { ENVIRONMENT: 'TEST', LOG_LEVEL: 'silent', DATABASE_URL: database.url, DATABASE_POOL: '4' };
  beginFile({ ...settings, SECRET_KEY, SECRET_KEY_PREVIOUS });
}

beforeAll(async () => {
  database = await createDatabase();
  directory = await mkdtemp(join(tmpdir(), 'rotation-'));
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: OLD });
  become(OLD);
  // Simulates a database from an earlier version of the software, which could not rotate secrets and stored no keys
  // for hashes.
  await pool().query('UPDATE environment SET hash_keys = NULL');
  await readSecretState(pool());
  world = await makeWorld(NOW);
  server = await startServer({
    databaseUrl: database.url,
    env: { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD },
  });
  users = usersOf(server.origin, world);
});

afterAll(async () => {
  await server?.stop();
  await closeDb();
  await database.drop();
  await rm(directory, { recursive: true });
});

test('before the rotation, a server with both secrets writes with the previous one', async () => {
  booked = [];
  for (let count = 0; count < 5; count += 1) booked.push(await users.book());
  cookie = await users.signIn();
  cursor = (await users.page()).data.next_cursor ?? '';
  expect(cursor).not.toBe('');
  const ids = await keyIds();
  expect(ids['environment.hash_keys']).toEqual([]);
  // The values contain no key ids, so servers of earlier versions can still read them.
  for (const id of [OLD, NEW].map(idOf)) expect(Object.values(ids).flat()).not.toContain(id);
  become(OLD);
  const { rows } = await pool().query('SELECT reference, customer_name, customer_phone FROM bookings');
  for (const row of rows) expect(openCustomer(row)?.name).toBe(CUSTOMER.name);
  await expectFoundByContact(OLD);
  await writeBackup(database.url, join(directory, 'before.gz'), claim, signal);
});

test('secrets that do not belong to the database change nothing', async () => {
  const wrong = rotateSecret(database.url, { ...claim, previousKey: 'x'.repeat(32) }, options);
  await expect(wrong).rejects.toThrow('Neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key of this database.');
  const without = rotateSecret(database.url, { ...claim, previousKey: undefined }, options);
  await expect(without).rejects.toThrow('This database was created with a different SECRET_KEY.');
  const { rows } = await pool().query('SELECT previous_fingerprint, hash_keys FROM environment');
  expect(rows).toEqual([{ previous_fingerprint: null, hash_keys: null }]);
});

test('after a rotation was killed, servers with both secrets work, and starts with one of them are refused', async () => {
  const killed = rotateSecret(database.url, claim, { ...options, onBatch: killRotation });
  await expect(killed).rejects.toThrow();
  const ids = (await keyIds())['bookings.customer_phone'] ?? [];
  expect([ids.includes(idOf(NEW)), ids.length]).toEqual([true, 4]);
  // With both secrets, a server finds every booking by its phone number.
  become(NEW, OLD);
  const { rows } = await pool().query('SELECT tenant_id, phone_hash FROM bookings');
  const phone = CUSTOMER.phone.replaceAll(' ', '');
  for (const row of rows) expect(searchedPhoneHashes(row.tenant_id, phone)).toContainEqual(row.phone_hash);
  expect(new Set(rows.map((row) => row.phone_hash.toString('hex'))).size).toBe(2);
  become(OLD);
  for (const one of booked) {
    expect((await users.read(one.reference)).status).toBe(200);
    expect((await users.repeat(one)).data).toEqual(one.data);
  }
  const start = (secretKey: string) => claimEnvironment(database.url, { environment: 'TEST', secretKey });
  await expect(start(NEW)).rejects.toThrow(
    'The rotation of SECRET_KEY is not complete. Set SECRET_KEY_PREVIOUS to the previous key, and run npm run rotate-secret.',
  );
  await expect(start(OLD)).rejects.toThrow(
    'The rotation of SECRET_KEY is not complete. Set SECRET_KEY to the new key and SECRET_KEY_PREVIOUS to the previous key.',
  );
  await expect(claimEnvironment(database.url, claim)).resolves.toBeUndefined();
});

test('the running server writes with the new secret as soon as the rotation has begun', async () => {
  const idOfNewBooking = async () => {
    const { reference } = await users.book();
    const sql = `SELECT encode(substring(customer_name FROM 1 FOR 8), 'hex') AS id FROM bookings WHERE reference = $1`;
    return (await pool().query<{ id: string }>(sql, [reference])).rows[0]?.id;
  };
  await until(idOfNewBooking, (id) => id === idOf(NEW));
});

test('the next run completes the rotation, and concurrent changes are not lost', async () => {
  const other = await otherClient(database.url);
  await other.query('BEGIN');
  const sql = `UPDATE bookings SET customer_name = NULL, customer_phone = NULL
    WHERE reference = (SELECT min(reference) FROM bookings WHERE substring(customer_phone FROM 1 FOR 8) <> decode($1, 'hex'))
    RETURNING reference`;
  const anonymized = (await other.query<{ reference: string }>(sql, [idOf(NEW)])).rows[0]?.reference;
  let batches = 0;
  const onBatch = async () => {
    batches += 1;
    await users.book();
    // Unlocks the booking that `other` has locked. The rotation has skipped this booking so far.
    if (batches === 4) await other.query('COMMIT');
  };
  const count = await rotateSecret(database.url, claim, { ...options, batch: 1, onBatch });
  await other.end();
  expect(count).toBeGreaterThan(0);
  expect(batches).toBeGreaterThanOrEqual(4);
  const ids = new Set(Object.values(await keyIds()).flat());
  expect([...ids]).toEqual([idOf(NEW)]);
  const { rows } = await pool().query('SELECT customer_name FROM bookings WHERE reference = $1', [anonymized]);
  expect(rows).toEqual([{ customer_name: null }]);
  const state = await pool().query('SELECT previous_fingerprint FROM environment');
  expect(state.rows).toEqual([{ previous_fingerprint: null }]);
});

test('a second run has nothing to do', async () => {
  expect(await rotateSecret(database.url, claim, { ...options, settle: 60_000 })).toBe(0);
});

test('another run finds and encrypts values that were written with the replaced secret after the end', async () => {
  const { rows } = await pool().query<{ reference: string; name: Buffer }>(
    'SELECT reference, customer_name AS name FROM bookings WHERE customer_name IS NOT NULL LIMIT 1',
  );
  const { reference = '', name = Buffer.alloc(0) } = rows[0] ?? {};
  const place = placeIn('bookings.customer_name', reference);
  const key = sealingKey(OLD, 'TEST');
  const sealed = sealWith(key, openWith([sealingKey(NEW, 'TEST')], name, place), place);
  await pool().query('UPDATE bookings SET customer_name = $2 WHERE reference = $1', [reference, sealed]);
  expect(await rotateSecret(database.url, claim, options)).toBe(1);
  expect([...new Set(Object.values(await keyIds()).flat())]).toEqual([idOf(NEW)]);
});

test('keys, responses, cursors, and sessions from before the rotation are still accepted', async () => {
  for (const one of booked) expect((await users.repeat(one)).data).toEqual(one.data);
  expect((await users.page(cursor)).status).toBe(200);
  expect(await users.me(cookie)).toBe(200);
});

test('a process with only the new secret decrypts and recognizes everything', async () => {
  become(NEW);
  await readSecretState(pool());
  await expectUsable(world, after(60));
  const { rows } = await pool().query('SELECT reference, customer_name, customer_phone FROM bookings');
  const names = rows.map((row) => openCustomer(row)?.name ?? null);
  expect(names.filter((name) => name === null)).toHaveLength(1);
  expect(new Set(names)).toEqual(new Set([null, CUSTOMER.name]));
  await expectFoundByContact(NEW);
});

/** Asserts that in every booking with a contact, the hashes of the number and the name were computed with the given secret. */
async function expectFoundByContact(secretKey: string) {
  const { rows } = await pool().query<{ tenant_id: string; phone_hash: Buffer | null; name_hashes: Buffer[] | null }>(
    'SELECT tenant_id, phone_hash, name_hashes FROM bookings WHERE customer_phone IS NOT NULL',
  );
  expect(rows.length).toBeGreaterThanOrEqual(5);
  const phone = CUSTOMER.phone.replaceAll(' ', '');
  const [key, nameKey] = [deriveSecret(secretKey, 'TEST', 'phone'), deriveSecret(secretKey, 'TEST', 'name')];
  for (const row of rows) {
    expect(row.phone_hash).toEqual(hashPhone(key, row.tenant_id, phone));
    expect(row.name_hashes).toEqual(hashName(nameKey, row.tenant_id, CUSTOMER.name));
  }
}

test('a backup from before the rotation needs the old secret', async () => {
  const path = join(directory, 'before.gz');
  await expect(verifyBackup(path, claim)).resolves.toBeUndefined();
  await expect(verifyBackup(path, { environment: 'TEST', secretKey: NEW })).rejects.toThrow(
    'This backup was made with a different SECRET_KEY. Restore it with that SECRET_KEY.',
  );
});

test('a value that neither secret decrypts stops the rotation, which can then be completed', async () => {
  const back = { environment: 'TEST', secretKey: OLD, previousKey: NEW } as const;
  const sql = 'SELECT reference, customer_phone FROM bookings WHERE customer_phone IS NOT NULL LIMIT 1';
  const { reference, customer_phone: sealed } = (await pool().query(sql)).rows[0];
  const set = (bytes: Buffer) =>
    pool().query('UPDATE bookings SET customer_phone = $2 WHERE reference = $1', [reference, bytes]);
  await set(Buffer.alloc(60, 7));
  await expect(rotateSecret(database.url, back, options)).rejects.toThrow(
    'SECRET_KEY is the key that the last rotation replaced. If you swapped the two keys by mistake, swap them back.',
  );
  await expect(rotateSecret(database.url, back, { ...options, back: true })).rejects.toThrow(
    `Neither SECRET_KEY nor SECRET_KEY_PREVIOUS can decrypt these values (1): bookings.customer_phone ${reference}. Keep both keys.`,
  );
  expect((await users.read(reference)).status).toBe(503);
  await set(sealed);
  await rotateSecret(database.url, back, options);
  expect(new Set(Object.values(await keyIds()).flat())).toEqual(new Set([idOf(OLD)]));
  expect((await users.read(reference)).status).toBe(200);
  become(OLD);
  await readSecretState(pool());
  await expectUsable(world, after(120));
});

test('a process that was started before the rotation, without the new secret, encrypts nothing more', async () => {
  become(OLD);
  await readSecretState(pool());
  const place = placeIn('bookings.customer_name', 'pbr_1');
  expect(seal('x', place)).toHaveLength(37);
  await rotateSecret(database.url, claim, { ...options, back: true });
  await readSecretState(pool());
  expect(() => seal('x', place)).toThrow('SECRET_KEY was rotated. Restart this server with the new SECRET_KEY.');
});
