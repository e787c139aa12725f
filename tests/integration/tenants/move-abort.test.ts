import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimEnvironment, sealHashKeys } from '@/lib/operations/environment/claim';
import { isAccountTable } from '@/lib/operations/tenants/accounts';
import { deleteTenant } from '@/lib/operations/tenants/delete';
import { abortMove } from '@/lib/operations/tenants/move/abort';
import type { STEPS } from '@/lib/operations/tenants/move/move';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { TENANT_TABLES } from '@/lib/operations/tenants/tables';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { parseCommand } from '@/scripts/tenant/command';
import { runCommand } from '@/scripts/tenant/run';
import { makePerson } from '@/tests/support/control-center';
import { createDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/until';
import {
  type Cells,
  createAsPartner,
  expectMoved,
  killed,
  LONG,
  makeBusyDesk,
  move,
  startCells,
  stateIn,
} from './move-world';

let cells: Cells;

beforeAll(async () => {
  cells = await startCells();
}, 60_000);

afterAll(() => cells.stop());

type Step = (typeof STEPS)[number];

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
 * Each list names the steps after which the move of one tenant is interrupted. After each interruption, an abort of the
 * move is tried. The long version of the test also has a list for each single step.
 */
const ABORTED = LONG ? [ABORTS, ...[...ABORTS, ...FURTHER_ABORTS].map((one) => [one])] : [ABORTS];

/** Returns the number of a tenant's rows in the second cell. Does not count rows of accounts. */
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
      await expectMoved(cells, desk, writes);
      continue;
    }
    const copied = at !== 'noting';
    expect((await countCopied(id)) > 0).toBe(copied);
    if (at === 'copied') {
      const controller = new AbortController();
      await expect(abort(() => controller.abort(), controller)).rejects.toThrow('aborted');
      expect(await countCopied(id)).toBeGreaterThan(0);
      await expect(move(cells, id)).rejects.toThrow(
        'The database of TARGET_DATABASE_URL has no copy of the tenant. If it is the right database, run move with --abort.',
      );
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

/** Sets the cells to which the two databases belong, according to their own records. */
async function recordCells(here: string | null, there: string | null): Promise<void> {
  await cells.here.query('UPDATE environment SET cell = $1', [here]);
  await cells.there.query('UPDATE environment SET cell = $1', [there]);
}

test.each([
  ['that has recorded no cell', undefined, 'no server with CELL=eu02 has used it. Set TARGET_DATABASE_URL to'],
  ['of another cell', 'eu03', 'TARGET_DATABASE_URL leads to the database of the cell eu03, not of eu02.'],
])('after the switch, a database %s cannot make the tenant active in both cells', async (_, cell, message) => {
  const third = await createDatabase();
  await claimEnvironment(third.url, { environment: 'TEST', secretKey: env().SECRET_KEY, cell });
  const desk = await makeBusyDesk();
  const { id } = desk.tenant;
  const writes = [await createAsPartner(cells, desk)];
  await expect(
    move(cells, id, { onStep: (step) => (step === 'entered' ? killed() : Promise.resolve()) }),
  ).rejects.toThrow('killed');
  const urls = { sourceUrl: cells.source.ownerUrl, targetUrl: third.ownerUrl };
  await expect(abortMove({ ...urls, tenantId: id }, { signal: new AbortController().signal })).rejects.toThrow(message);
  await expect(move({ ...cells, target: third }, id)).rejects.toThrow(
    cell ? message : 'The database of TARGET_DATABASE_URL has no copy of the tenant.',
  );
  expect(await stateIn(cells.here, id)).toEqual({ active: false, elsewhere: true });
  await move(cells, id);
  await expectMoved(cells, desk, writes);
  await third.drop();
});

test('cells that have recorded no id can be moved between, with a warning', async () => {
  await recordCells(null, null);
  const desk = await makeBusyDesk();
  const writes = [await createAsPartner(cells, desk)];
  const lines: string[] = [];
  await move(cells, desk.tenant.id, { say: (line) => lines.push(line) });
  expect(lines.filter((line) => line.startsWith('Warning:'))).toEqual([
    'Warning: CELL is not set, so the move command cannot check that the directory lists this cell.',
    'Warning: no server with CELL=eu02 has used the database of TARGET_DATABASE_URL, so the move command cannot check that it belongs to eu02.',
  ]);
  await expectMoved(cells, desk, writes);
  await recordCells('eu01', 'eu02');
  lines.length = 0;
  await expect(move(cells, desk.tenant.id, { say: (line) => lines.push(line) })).rejects.toThrow('was already moved');
  expect(lines).toEqual([]);
});

// This test runs last. It changes the stored secrets of the second cell. If the cell's server reads them meanwhile,
// later tests could fail.
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
  // A server stores the first characters of a key when the key is used for the first time.
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
  await expect(move(cells, id)).rejects.toThrow('created with different values of SECRET_KEY');
  // Both cells have the same SECRET_KEY. Without stored keys for hashes, they derive the same keys from it.
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
