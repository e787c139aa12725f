import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundedRead } from '@/lib/control-center/bounded-read';
import { readTables } from '@/lib/operations/backup/tables';
import { OTHER_TABLES, TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { db, pool } from '@/lib/platform/db';
import { statement } from '@/lib/platform/sql';
import { acrossTenants, inTenant } from '@/lib/platform/tenant-scope';
import { beginBudget, writeTransaction } from '@/lib/platform/write-transaction';
import { openPool } from '@/tests/support/database';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { recordStatements } from '@/tests/support/statements';
import { fillTenants, OTHER, TENANT } from '../tenants/world';

/** Tables whose rows belong to accounts. An account can belong to several tenants. */
const ACCOUNTS = ['users', 'user_identities', 'totp_factors', 'passkeys', 'recovery_codes'];
/**
 * Tables without row-level security policies. Triggers protect their rows from changes, but not from reads (decision
 * 27).
 */
const OPEN_READS = ['slot_claims', 'bookings'];

/** Tables whose rows nobody can update, whatever the statement selects. */
const NEVER_UPDATED = ['request_log'];

/** A tenant's tables that its export does not contain. */
const NOT_EXPORTED = ['change_watches', 'mails', 'slot_changes'];

const PROTECTED = [...TENANT_TABLES.keys()].filter((name) => !ACCOUNTS.includes(name));

/** The SQLSTATE insufficient_privilege. */
const DENIED = { code: '42501' };

let database: OwnDatabase;
let client: pg.PoolClient;
let connections: pg.Pool;

beforeAll(async () => {
  database = await ownDatabase();
  await fillTenants(database);
  // Opens a pool of its own, because the application's pool adds SQL that limits the visible rows (see `inTenant`).
  connections = openPool(database.url, 1);
  client = await connections.connect();
});

afterAll(async () => {
  client.release();
  await connections.end();
  await database.drop();
});

/** Runs `work` as the servers' role in a transaction that is limited to a tenant, and rolls the transaction back. */
async function limited<T>(tenantId: string, work: () => Promise<T>): Promise<T> {
  await client.query(`BEGIN; SET LOCAL partner_booking.tenant = '${tenantId}'`);
  return work().finally(() => client.query('ROLLBACK'));
}

const rowsOf = (name: string, tenantId: string) => TENANT_TABLES.get(name)?.(`'${tenantId}'`) ?? 'false';

async function count(from: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${from}`);
  return rows[0]?.count ?? Number.NaN;
}

test('every table of a tenant has row-level security or triggers', async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual(
    [...PROTECTED.filter((name) => !OPEN_READS.includes(name)), ...NOT_EXPORTED].sort(),
  );
  for (const name of OTHER_TABLES.keys()) expect(PROTECTED).not.toContain(name);
});

test('in a transaction of a tenant, only its mails exist, and none about an account can be queued', async () => {
  expect(await count('mails')).toBe(2);
  expect(await limited(TENANT, () => count('mails'))).toBe(1);
  expect(await limited(TENANT, () => count(`mails WHERE tenant_id = '${OTHER}'`))).toBe(0);
  await expect(limited(TENANT, () => client.query('UPDATE mails SET tenant_id = NULL'))).rejects.toMatchObject(DENIED);
});

describe.each(PROTECTED)('in a transaction of a tenant, the table %s', (name) => {
  const others = () => `"${name}" WHERE NOT (${rowsOf(name, TENANT)})`;

  test('shows only the rows of the tenant', async () => {
    const own = await count(`"${name}" WHERE ${rowsOf(name, TENANT)}`);
    expect(own).toBeGreaterThan(0);
    expect(await count(others())).toBeGreaterThan(0);
    if (OPEN_READS.includes(name)) return;
    // Log entries without a tenant are visible in every transaction, so they are not counted.
    const all = name === 'request_log' ? `"${name}" WHERE tenant_id IS NOT NULL` : `"${name}"`;
    expect(await limited(TENANT, () => count(all))).toBe(own);
    expect(await limited('none', () => count(all))).toBe(0);
  });

  test('lets no row of another tenant be changed, deleted, or added', async () => {
    const foreign = rowsOf(name, OTHER);
    const { tables } = await readTables(client as unknown as pg.Client);
    const columns = (tables.find((table) => table.name === name)?.columns ?? []).map((column) => `"${column}"`);
    // Selects the other tenant's rows by their physical location. A condition on the tenant may have to read other
    // tables. Row-level security hides the other tenant's rows there, so the condition might find nothing.
    const place = `tableoid || ' ' || ctid`;
    const { rows: places } = await client.query<{ at: string }>(
      `SELECT ${place} AS at FROM "${name}" WHERE ${foreign}`,
    );
    expect(places.length).toBeGreaterThan(0);
    const at = `${place} = ANY ('{${places.map((one) => `"${one.at}"`).join()}}')`;
    const update = `UPDATE "${name}" SET ${columns[0]} = ${columns[0]} WHERE ${at}`;
    for (const change of [update, `DELETE FROM "${name}" WHERE ${at}`]) {
      const changed = limited(TENANT, () => client.query(change));
      if (OPEN_READS.includes(name)) await expect(changed).rejects.toMatchObject(DENIED);
      else if (NEVER_UPDATED.includes(name) && change === update)
        await expect(changed).rejects.toThrow('is kept as it is');
      else expect((await changed).rowCount).toBe(0);
    }
    const { rows } = await client.query(`SELECT to_jsonb(t) AS row FROM "${name}" t WHERE ${foreign} LIMIT 1`);
    const insert = `INSERT INTO "${name}" (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::"${name}", $1)`;
    const added = limited(TENANT, () => client.query(insert, [rows[0]?.row]));
    await expect(added).rejects.toMatchObject(DENIED);
  });
});

test('the limit ends with its transaction', async () => {
  await limited(TENANT, () => count('applications'));
  expect(await count(`applications WHERE ${rowsOf('applications', OTHER)}`)).toBe(1);
});

describe('inTenant', () => {
  const ALL = 'SELECT DISTINCT tenant_id FROM applications ORDER BY 1';
  const READ = statement<{ tenant_id: string }>()`SELECT DISTINCT tenant_id FROM applications ORDER BY 1`;
  const raw = (tx: Pick<ReturnType<typeof db>, '$queryRawUnsafe'>) => tx.$queryRawUnsafe<{ tenant_id: string }[]>(ALL);
  const distinct = { distinct: ['tenantId' as const], orderBy: { tenantId: 'asc' as const } };
  const prisma = async (tx: Pick<ReturnType<typeof db>, 'application'>) =>
    (await tx.application.findMany(distinct)).map(({ tenantId }) => ({ tenant_id: tenantId }));

  const WAYS: Record<string, () => Promise<{ tenant_id: string }[] | null>> = {
    'a statement of the pool': async () => (await pool().query(ALL)).rows,
    'a statement with parameters': async () => (await pool().query(`${ALL} LIMIT $1`, [10])).rows,
    'a named statement': async () => (await pool().query({ name: 'named', text: ALL })).rows,
    'a query of Prisma': () => prisma(db()),
    'a raw query of Prisma': () => raw(db()),
    'a transaction of Prisma': () => db().$transaction(prisma),
    'a serializable transaction of Prisma': () => db().$transaction(prisma, { isolationLevel: 'Serializable' }),
    'a bounded read': () => boundedRead(5_000, async (one) => (await one.query(ALL)).rows),
  };

  test.each(Object.keys(WAYS))('limits %s', async (way) => {
    const run = WAYS[way] ?? (async () => null);
    const all = await run();
    expect(all).toEqual(expect.arrayContaining([{ tenant_id: TENANT }, { tenant_id: OTHER }]));
    expect(await inTenant(TENANT, run)).toEqual([{ tenant_id: TENANT }]);
    expect(await inTenant(OTHER, run)).toEqual([{ tenant_id: OTHER }]);
    expect(await inTenant(OTHER, () => acrossTenants(run))).toEqual(all);
    expect(await run()).toEqual(all);
  });

  test('does not change the tenant of a write', async () => {
    const write = () => writeTransaction(beginBudget(), TENANT, (tx) => tx.query(READ, {}));
    for (const run of [write, () => inTenant(OTHER, write)]) expect(await run()).toEqual([{ tenant_id: TENANT }]);
  });

  test('keeps concurrent work of two tenants apart', async () => {
    const ways = Object.values(WAYS);
    const jobs = Array.from({ length: 60 }, (_, index) => {
      // Each way runs for both tenants.
      const tenantId = [TENANT, OTHER][Math.floor(index / ways.length) % 2] ?? '';
      const run = ways[index % ways.length];
      return inTenant(tenantId, async () => ({ tenantId, found: await run?.() }));
    });
    for (const { tenantId, found } of await Promise.all(jobs)) expect(found).toEqual([{ tenant_id: tenantId }]);
  });

  test('reports the error of a statement, and keeps the connection', async () => {
    const fail = () => inTenant(TENANT, () => pool().query('SELECT 1 / 0'));
    await Promise.all(Array.from({ length: 20 }, () => expect(fail()).rejects.toMatchObject({ code: '22012' })));
    expect((await inTenant(TENANT, () => pool().query(ALL))).rows).toEqual([{ tenant_id: TENANT }]);
  });

  test('sends three statements for one, and accepts only the id of a tenant', async () => {
    const { sent } = await recordStatements(() => inTenant(TENANT, () => pool().query(ALL)));
    const begin = `BEGIN; SELECT set_config('partner_booking.tenant', '${TENANT}', true)`;
    expect(sent.map(({ text }) => text)).toEqual([begin, ALL, 'COMMIT']);
    expect(() => inTenant(`'; RESET ALL; --`, () => null)).toThrow('not the id of a tenant');
  });
});
