import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { FOREIGN_KEYS, UNIQUE } from './relations';
import { insert, ROWS, type Row, update } from './rows';
import { CHECKS } from './violations';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, 1);
  for (const [table, row] of ROWS) await insert(pool, table, row);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Runs a statement that must fail, undoes it in any case, and returns SQLSTATE and constraint of the refusal. */
async function refusal(work: (client: pg.PoolClient) => Promise<unknown>): Promise<Row> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    return { state: 'accepted' };
  } catch (error) {
    const { code, constraint } = error as pg.DatabaseError;
    return { state: code, constraint };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

async function names(sql: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(sql);
  return rows.map((row) => row.name).sort();
}

const constraintsOf = (type: 'c' | 'f' | 'x') =>
  names(
    `SELECT conname AS name FROM pg_constraint WHERE contype = '${type}' AND connamespace = 'public'::regnamespace`,
  );

describe('checks', () => {
  const cases = Object.entries(CHECKS).flatMap(([table, checks]) =>
    Object.entries(checks).flatMap(([constraint, changes]) => changes.map((change) => ({ table, constraint, change }))),
  );

  test('every check in the database is violated below', async () => {
    expect(Object.values(CHECKS).flatMap(Object.keys).sort()).toEqual(await constraintsOf('c'));
  });

  test.each(cases)('$constraint refuses $change', async ({ table, constraint, change }) => {
    const refused = await refusal((client) => update(client, table, change, 'true'));
    expect(refused).toEqual({ state: '23514', constraint });
  });
});

describe('foreign keys', () => {
  const cases = Object.entries(FOREIGN_KEYS).flatMap(([constraint, orphans]) =>
    orphans.map((orphan) => ({ constraint, ...orphan })),
  );

  test('every foreign key in the database is violated below', async () => {
    expect(Object.keys(FOREIGN_KEYS).sort()).toEqual(await constraintsOf('f'));
  });

  test.each(cases)('$constraint refuses $change', async ({ table, constraint, change, where }) => {
    const refused = await refusal((client) => update(client, table, change, where ?? 'true'));
    expect(refused).toEqual({ state: '23503', constraint });
  });

  test('deleting a tenant deletes everything of it and nothing else, rotated keys included', async () => {
    const counts = await refusal(async (client) => {
      await client.query('DELETE FROM tenants WHERE id = $1', [ROWS[1]?.[1].id]);
      const { rows } = await client.query(
        `SELECT (SELECT count(*) FROM api_keys)::int AS keys, (SELECT count(*) FROM offerings)::int AS offerings,
          (SELECT count(*) FROM locations)::int AS locations`,
      );
      expect(rows).toEqual([{ keys: 1, offerings: 0, locations: 1 }]);
    });
    expect(counts).toEqual({ state: 'accepted' });
  });
});

describe('unique rows', () => {
  const tables = [...new Set(ROWS.map(([table]) => table))];

  test.each(tables)('%s refuses the same row again', async (table) => {
    const refused = await refusal((client) => client.query(`INSERT INTO ${table} SELECT * FROM ${table} LIMIT 1`));
    expect(refused).toEqual({ state: '23505', constraint: `${table}_pkey` });
  });

  test('every table has a row here, and every unique index that its primary key does not imply is violated below', async () => {
    expect(tables.toSorted()).toEqual(
      await names(
        `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_prisma_migrations'`,
      ),
    );
    const indexes = await names(`
      SELECT i.indexrelid::regclass::text AS name FROM pg_index i JOIN pg_index k USING (indrelid)
      WHERE i.indisunique AND NOT i.indisprimary AND k.indisprimary AND NOT k.indkey::int2[] <@ i.indkey::int2[]
        AND i.indrelid::regclass::text <> '_prisma_migrations'`);
    expect(Object.keys(UNIQUE).sort()).toEqual(indexes);
  });

  test.each(Object.entries(UNIQUE))('%s refuses a second row', async (constraint, { table, copyOf, change }) => {
    const original = ROWS.find(([at, row]) => at === table && row.id === copyOf)?.[1];
    const refused = await refusal((client) => insert(client, table, { ...original, ...change }));
    expect(refused).toEqual({ state: '23505', constraint });
  });
});

describe('what Prisma does not see', () => {
  test('there is no exclusion constraint without a test', async () => {
    expect(await constraintsOf('x')).toEqual([]);
  });

  test('lists are never null', async () => {
    const nullable = await names(`
      SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND atttypid = 'text[]'::regtype AND NOT attnotnull`);
    expect(nullable).toEqual([]);
  });

  test('the rate limit and nothing else is unlogged', async () => {
    const unlogged = await names(`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'u'`);
    expect(unlogged).toEqual(['rate_limits']);
  });

  test('lines without a tenant are in no tenant index', async () => {
    const partial = await names(`
      SELECT indexrelid::regclass || ' ' || pg_get_expr(indpred, indrelid) AS name FROM pg_index WHERE indpred IS NOT NULL`);
    expect(partial).toEqual(['request_log_tenant_id_at_idx (tenant_id IS NOT NULL)']);
  });

  test('every id and what refers to one is ordered by its bytes', async () => {
    const others = await names(`
      SELECT attrelid::regclass || '.' || attname AS name
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_collation ON pg_collation.oid = attcollation
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations'
        AND attname ~ '(^|_)id$' AND collname <> 'C'`);
    expect(others).toEqual([]);
  });
});
