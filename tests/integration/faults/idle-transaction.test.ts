import { afterAll, beforeAll, expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { ATTEMPTS_LOCK_KEY, attemptsKey } from '@/lib/platform/locks';
import { leaseDue } from '@/lib/webhooks/lease';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { makeWebhook } from '@/tests/support/webhooks';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(async () => {
  await database.drop();
});

test('PostgreSQL ends a transaction that is idle for ten seconds, and webhook delivery continues', async () => {
  const { emit } = await makeWebhook('http://127.0.0.1:9999/hooks');
  await emit();
  // This connection simulates an instance that froze while it held the lock for starting attempts.
  const frozen = await pool().connect();
  await frozen.query('BEGIN');
  await frozen.query('SELECT pg_advisory_xact_lock($1)', [ATTEMPTS_LOCK_KEY]);
  const ended = new Promise<Error>((resolve) => frozen.once('error', resolve));
  const startedAt = performance.now();
  const [error, leases] = await Promise.all([ended, leaseDue(new Date(), 4)]);
  expect(error).toMatchObject({ code: '25P03' });
  expect(leases).toHaveLength(1);
  expect(performance.now() - startedAt).toBeGreaterThan(9_000);
  expect(performance.now() - startedAt).toBeLessThan(12_000);
  await expect(frozen.query('SELECT 1')).rejects.toThrow();
  frozen.release();
  // The pool has discarded the dead connection.
  const { rows } = await pool().query('SELECT 1 AS one');
  expect(rows).toEqual([{ one: 1 }]);
});

test('a process that stalls while it starts attempts of one application does not delay the others', async () => {
  const [stalled, other] = await Promise.all([1, 2].map(() => makeWebhook('http://127.0.0.1:9999/hooks')));
  await Promise.all([stalled?.emit(), other?.emit()]);
  const frozen = await pool().connect();
  await frozen.query('BEGIN');
  await frozen.query('SELECT pg_advisory_xact_lock($1)', [attemptsKey(stalled?.applicationId ?? '')]);
  const leased = async () => (await leaseDue(new Date(), 64)).map(({ applicationId }) => applicationId);
  expect(await leased()).toEqual([other?.applicationId]);
  await frozen.query('ROLLBACK');
  frozen.release();
  expect(await leased()).toEqual([stalled?.applicationId]);
});
