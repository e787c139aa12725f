import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDatabase, openPool, type TestDatabase } from '@/tests/support/database';
import { EXCLUSIONS, FOREIGN_KEYS, RESTRICTING, UNIQUE } from './relations';
import { claimId, id, insert, type Row, update } from './row';
import { ROWS } from './rows';
import { CHECKS } from './violations';
import { BOOKING_CHECKS } from './violations-bookings';
import { PEOPLE_CHECKS } from './violations-people';
import { WEBHOOK_CHECKS } from './violations-webhooks';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = openPool(database.url, 1);
  // The rows contain the sequences of the events. Otherwise, a trigger would add them.
  await pool.query(`SET partner_booking.loading = 'on'`);
  for (const [table, row] of ROWS) await insert(pool, table, row);
  // These triggers would refuse the changes before a constraint does. `kept-logs.test.ts` tests them.
  const owner = openPool(database.ownerUrl, 1);
  const { rows } = await owner.query<{ name: string; kept: string }>(
    `SELECT tgrelid::regclass::text AS name, tgname AS kept FROM pg_trigger WHERE tgname LIKE 'kept\\_%'`,
  );
  for (const { name, kept } of rows) await owner.query(`ALTER TABLE ${name} DISABLE TRIGGER ${kept}`);
  await owner.end();
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Runs `work` in a transaction that is rolled back. Returns the error's SQLSTATE and constraint, or `accepted`. */
async function refusal(work: (client: pg.PoolClient) => Promise<unknown>): Promise<Row> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await work(client);
    // Deferred constraints are normally checked at the commit. This transaction is never committed, so they are checked
    // here.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    return { state: 'accepted' };
  } catch (error) {
    const { code, constraint } = error as pg.DatabaseError;
    // In the name of a partition's index, replaces the name of the partition with the name of the table.
    return { state: code, constraint: constraint?.replace(/^request_log_(\d{8}|default)_/, 'request_log_') };
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const rowOf = (table: string, key: string | number): Row | undefined =>
  ROWS.find(([at, row]) => at === table && (row.id ?? row.number ?? row.sequence) === key)?.[1];

async function names(sql: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(sql);
  return rows.map((row) => row.name).sort();
}

const constraintsOf = (type: 'c' | 'f' | 'x') =>
  names(
    `SELECT conname AS name FROM pg_constraint
     WHERE contype = '${type}' AND connamespace = 'public'::regnamespace AND coninhcount = 0`,
  );

describe('checks', () => {
  const checksOf = { ...CHECKS, ...BOOKING_CHECKS, ...PEOPLE_CHECKS, ...WEBHOOK_CHECKS };
  const cases = Object.entries(checksOf).flatMap(([table, checks]) =>
    Object.entries(checks).map(([constraint, changes]) => ({ table, constraint, changes })),
  );

  test('every check in the database is violated below', async () => {
    expect(Object.values(checksOf).flatMap(Object.keys).sort()).toEqual(await constraintsOf('c'));
  });

  // One test per constraint: a thousand tests take more processor time than their statements.
  test.each(cases)('$constraint refuses each of its violations', async ({ table, constraint, changes }) => {
    const refused: object[] = [];
    for (const change of changes)
      refused.push([change, await refusal((client) => update(client, table, change, 'true'))]);
    expect(refused).not.toEqual([]);
    expect(refused).toEqual(changes.map((change) => [change, { state: '23514', constraint }]));
  });
});

describe('foreign keys', () => {
  const cases = Object.entries(FOREIGN_KEYS).flatMap(([constraint, orphans]) =>
    orphans.map((orphan) => ({ constraint, ...orphan })),
  );

  test('every foreign key in the database is violated below', async () => {
    expect(Object.keys(FOREIGN_KEYS).sort()).toEqual(await constraintsOf('f'));
  });

  test.each(cases)('$constraint refuses %j', async ({ table, constraint, change, where }) => {
    const refused = await refusal((client) => update(client, table, change, where ?? 'true'));
    expect(refused).toEqual({ state: '23503', constraint });
  });

  test('deleting a tenant without bookings deletes all its rows, with rotated keys, and no others', async () => {
    const counts = await refusal(async (client) => {
      await client.query('DELETE FROM bookings; DELETE FROM slot_claims');
      await client.query('DELETE FROM tenants WHERE id = $1', [id('ten', 1)]);
      const { rows } = await client.query(
        `SELECT (SELECT count(*) FROM api_keys)::int AS keys, (SELECT count(*) FROM offerings)::int AS offerings,
          (SELECT count(*) FROM locations)::int AS locations, (SELECT count(*) FROM events)::int AS events,
          (SELECT count(*) FROM idempotency_keys)::int AS idempotency_keys`,
      );
      expect(rows).toEqual([{ keys: 1, offerings: 0, locations: 1, events: 0, idempotency_keys: 0 }]);
    });
    expect(counts).toEqual({ state: 'accepted' });
  });

  test('every foreign key that restricts a deletion is violated below', async () => {
    const restricting = await names(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND confdeltype = 'r' AND connamespace = 'public'::regnamespace`,
    );
    expect(Object.keys(RESTRICTING).sort()).toEqual(restricting);
  });

  test.each(Object.entries(RESTRICTING))(
    '%s restricts the deletion of the referenced row',
    async (constraint, forbidden) => {
      const refused = await refusal(async (client) => {
        await client.query(forbidden.before);
        await client.query(`DELETE FROM ${forbidden.parent}`);
      });
      // For a violation of ON DELETE RESTRICT, PostgreSQL 18 reports 23001, and earlier versions report 23503.
      expect(refused).toEqual({ state: expect.stringMatching(/^(23001|23503)$/), constraint });
    },
  );
});

describe('foreign keys that are checked at COMMIT', () => {
  test('exist once', async () => {
    const deferred = await names(
      `SELECT conname AS name FROM pg_constraint WHERE contype = 'f' AND condeferrable AND condeferred AND connamespace = 'public'::regnamespace`,
    );
    expect(deferred).toEqual(['bookings_claim_id_fkey']);
  });

  test('a claim with a booking can be deleted, but the transaction cannot commit', async () => {
    const steps: string[] = [];
    const refused = await refusal(async (client) => {
      await client.query('DELETE FROM slot_claims');
      steps.push('deleted');
      await client.query('COMMIT');
      steps.push('committed');
    });
    expect(steps).toEqual(['deleted']);
    expect(refused).toEqual({ state: '23503', constraint: 'bookings_claim_id_fkey' });
    expect(await names('SELECT id::text AS name FROM slot_claims')).toEqual([claimId(1)]);
  });

  test('a booking can move to another claim after its old claim was deleted', async () => {
    const moved = await refusal(async (client) => {
      await client.query('DELETE FROM slot_claims');
      await insert(client, 'slot_claims', { ...rowOf('slot_claims', claimId(1)), id: claimId(8) });
      await update(client, 'bookings', { claim_id: claimId(8) }, 'claim_id IS NOT NULL');
    });
    expect(moved).toEqual({ state: 'accepted' });
  });
});

describe('unique rows', () => {
  const tables = [...new Set(ROWS.map(([table]) => table))];

  test.each(tables)('%s refuses the same row again', async (table) => {
    const [, first = {}] = ROWS.find(([at]) => at === table) ?? [];
    const refused = await refusal((client) => insert(client, table, first));
    expect(refused).toEqual({ state: '23505', constraint: `${table}_pkey` });
  });

  test('every table has a row, and every unique index that the primary key does not imply is violated below', async () => {
    expect(tables.toSorted()).toEqual(
      await names(
        `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
           AND NOT relispartition AND relname <> '_prisma_migrations'`,
      ),
    );
    const indexes = await names(`
      SELECT i.indexrelid::regclass::text AS name
      FROM pg_index i JOIN pg_index k USING (indrelid) JOIN pg_class t ON t.oid = indrelid
      WHERE t.relnamespace = 'public'::regnamespace AND i.indisunique AND NOT i.indisprimary AND k.indisprimary AND NOT k.indkey::int2[] <@ i.indkey::int2[] AND NOT t.relispartition`);
    expect(Object.keys(UNIQUE).sort()).toEqual(indexes);
  });

  test.each(Object.entries(UNIQUE))('%s refuses a second row', async (constraint, { table, copyOf, change }) => {
    const refused = await refusal((client) => insert(client, table, { ...rowOf(table, copyOf), ...change }));
    expect(refused).toEqual({ state: '23505', constraint });
  });
});

describe('exclusion constraints', () => {
  const cases = Object.entries(EXCLUSIONS).flatMap(([constraint, { table, copyOf, refused, accepted }]) => [
    ...refused.map((change) => ({ verb: 'refuses', table, copyOf, change, expected: { state: '23P01', constraint } })),
    ...accepted.map((change) => ({ verb: 'accepts', table, copyOf, change, expected: { state: 'accepted' } })),
  ]);

  test('every exclusion constraint in the database is violated below', async () => {
    expect(Object.keys(EXCLUSIONS).sort()).toEqual(await constraintsOf('x'));
  });

  test.each(cases)(
    'the exclusion constraint of $table $verb %j next to the first row',
    async ({ table, copyOf, change, expected }) => {
      const outcome = await refusal((client) => insert(client, table, { ...rowOf(table, copyOf), ...change }));
      expect(outcome).toEqual(expected);
    },
  );
});

describe('properties that Prisma cannot express', () => {
  test('lists are never null', async () => {
    const nullable = await names(`
      SELECT attrelid::regclass || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND atttypid = 'text[]'::regtype AND NOT attnotnull`);
    expect(nullable).toEqual([]);
  });

  test('only the rate limit is unlogged', async () => {
    const unlogged = await names(`
      SELECT relname AS name FROM pg_class
      WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relpersistence = 'u'`);
    expect(unlogged).toEqual(['rate_limits']);
  });

  test('a partial index contains only its rows', async () => {
    const partial = await names(`
      SELECT indexrelid::regclass || ' ' || pg_get_expr(indpred, indrelid) AS name
      FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid WHERE indpred IS NOT NULL AND NOT relispartition`);
    expect(partial).toEqual([
      'bookings_tenant_id_ends_at_idx (customer_name IS NOT NULL)',
      'bookings_tenant_id_phone_hash_starts_at_idx (phone_hash IS NOT NULL)',
      'bookings_withdrawn_contacts ((consent_withdrawn_at IS NOT NULL) AND (customer_name IS NOT NULL))',
      'bookings_without_local_times ((local_version IS DISTINCT FROM version) OR (end_time IS NULL))',
      'bookings_without_name_hashes ((name_hashes IS NULL) AND (customer_phone IS NOT NULL))',
      'calendars_due (next_attempt_at IS NOT NULL)',
      'deliveries_due ((due_at IS NOT NULL) AND (NOT test))',
      'deliveries_due_tests ((due_at IS NOT NULL) AND test)',
      'deliveries_leased (leased_until IS NOT NULL)',
      'deliveries_tenant_id_finished_at_idx (finished_at IS NOT NULL)',
      "erasures_running (state = 'running'::text)",
      'invitations_tenant_id_email_key ((accepted_at IS NULL) AND (revoked_at IS NULL))',
      'mails_due (next_attempt_at IS NOT NULL)',
      'request_log_application_id_idempotency_key_hash_idx (idempotency_key_hash IS NOT NULL)',
      'request_log_replayed_from_idx (replayed_from IS NOT NULL)',
      'request_log_tenant_id_application_id_at_status_idx (tenant_id IS NOT NULL)',
      'request_log_tenant_id_application_id_status_at_idx (status >= 400)',
      'request_log_tenant_id_at_status_idx (tenant_id IS NOT NULL)',
      'request_log_tenant_id_booking_reference_idx (booking_reference IS NOT NULL)',
      'request_log_tenant_id_code_at_status_idx (code IS NOT NULL)',
      'request_log_tenant_id_external_reference_idx (external_reference IS NOT NULL)',
      'request_log_tenant_id_route_at_status_idx (tenant_id IS NOT NULL)',
      'request_log_tenant_id_status_at_idx (status >= 400)',
      'slot_claims_overlapping (overlapping IS NOT NULL)',
      'tenant_deletions_unfinished (finished_at IS NULL)',
      'users_proven_email_key ((address_proven_at IS NOT NULL) AND (closed_at IS NULL))',
      'users_tenant_id_email_key ((tenant_id IS NOT NULL) AND (closed_at IS NULL))',
      "webhook_endpoints_thin (event_types && ARRAY['availability.changed'::text, 'catalog.changed'::text])",
      'webhook_secrets_current (expires_at IS NULL)',
    ]);
  });

  test('ids and references to them have the collation C', async () => {
    const others = await names(`
      SELECT attrelid::regclass || '.' || attname AS name
      FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_collation ON pg_collation.oid = attcollation
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND relname <> '_prisma_migrations'
        AND attname ~ '(^|_)id$' AND collname <> 'C'`);
    expect(others).toEqual([]);
  });
});
