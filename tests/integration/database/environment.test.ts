import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { claimEnvironment, type EnvironmentClaim, refuseOthers } from '@/lib/operations/environment/claim';
import { EnvironmentError } from '@/lib/operations/environment/connection';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';

const secretKey = 'a secret of at least thirty-two characters';
const other = 'another one of at least thirty-two characters';
const TEST: EnvironmentClaim = { environment: 'TEST', secretKey };
const LIVE: EnvironmentClaim = { environment: 'LIVE', secretKey };

let database: TestDatabase;
let pool: pg.Pool;
let url: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.adminUrl, 1);
  url = database.url;
});

// As if the database were new.
beforeEach(async () => {
  await pool.query('DELETE FROM environment');
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

const environments = async (): Promise<Record<string, unknown>[]> =>
  (await pool.query('SELECT * FROM environment')).rows;

describe('claimEnvironment', () => {
  test('the first start claims a new database, and later starts with the same environment continue', async () => {
    await claimEnvironment(url, LIVE);
    const before = await environments();
    await claimEnvironment(url, LIVE);
    expect(before).toMatchObject([{ name: 'LIVE' }]);
    expect(await environments()).toEqual(before);
  });

  test('the secret is not stored', async () => {
    await claimEnvironment(url, TEST);
    expect(JSON.stringify(await environments())).not.toContain(secretKey);
  });

  test('another environment is refused with any secrets', async () => {
    await claimEnvironment(url, LIVE);
    const message = 'This database belongs to a LIVE environment, but ENVIRONMENT is TEST.';
    for (const claim of [TEST, { ...TEST, secretKey: other }]) {
      await expect(claimEnvironment(url, claim)).rejects.toThrow(new EnvironmentError(message));
    }
    expect(await environments()).toMatchObject([{ name: 'LIVE' }]);
  });

  test('other secrets are refused', async () => {
    await claimEnvironment(url, TEST);
    const refused = claimEnvironment(url, { ...TEST, secretKey: other });
    await expect(refused).rejects.toThrow(
      'This database was created with a different SECRET_KEY. Set SECRET_KEY to that key.',
    );
  });

  test('the first process with a cell records it, processes without one continue, and another cell is refused', async () => {
    await claimEnvironment(url, LIVE);
    expect(await environments()).toMatchObject([{ cell: null }]);
    await claimEnvironment(url, { ...LIVE, cell: 'eu01' });
    for (const claim of [LIVE, { ...LIVE, cell: 'eu01' }]) {
      await claimEnvironment(url, claim);
      await refuseOthers(url, claim);
    }
    const refused = { ...LIVE, cell: 'eu02' };
    for (const check of [claimEnvironment, refuseOthers])
      await expect(check(url, refused)).rejects.toThrow(
        'This database belongs to the cell eu01, but CELL is eu02. Set CELL to the id of the cell of this database, or DATABASE_URL to the database of this cell.',
      );
    expect(await environments()).toMatchObject([{ cell: 'eu01' }]);
  });

  test('a process with another environment or secret records no cell', async () => {
    await claimEnvironment(url, LIVE);
    for (const claim of [TEST, { ...LIVE, secretKey: other }])
      await expect(claimEnvironment(url, { ...claim, cell: 'eu01' })).rejects.toThrow(EnvironmentError);
    expect(await environments()).toMatchObject([{ cell: null }]);
  });

  test('of many concurrent starts, those of one cell continue and all others stop', async () => {
    const cells = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'eu01' : 'eu02'));
    const outcomes = await Promise.allSettled(cells.map((cell) => claimEnvironment(url, { ...LIVE, cell })));
    const [winner] = await environments();
    const went = cells.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(went).toEqual(cells.filter((cell) => cell === winner?.cell));
    expect(went).toHaveLength(10);
  });

  test('of many concurrent starts, those of one environment continue and all others stop', async () => {
    const claims = Array.from({ length: 20 }, (_, index) => (index % 2 ? TEST : LIVE));
    const outcomes = await Promise.allSettled(claims.map((claim) => claimEnvironment(url, claim)));
    const [winner] = await environments();
    const went = claims.filter((_, index) => outcomes[index]?.status === 'fulfilled');
    expect(went).toEqual(claims.filter((claim) => claim.environment === winner?.name));
    expect(await environments()).toHaveLength(1);
  });
});
