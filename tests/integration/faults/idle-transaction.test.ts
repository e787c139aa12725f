import { afterAll, beforeAll, expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { attemptsKey } from '@/lib/platform/locks';
import { leaseDue, leaseOldest } from '@/lib/webhooks/lease';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { makeWebhook } from '@/tests/support/webhooks';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(async () => {
  await database.drop();
});

test('PostgreSQL ends a transaction that is idle for ten seconds, here for one, and webhook delivery continues', async () => {
  const { applicationId, emit } = await makeWebhook('http://127.0.0.1:9999/hooks');
  await emit();
  // This connection simulates an instance that froze while it started attempts of the application.
  const frozen = await pool().connect();
  const setting = 'idle_in_transaction_session_timeout';
  expect((await frozen.query(`SHOW ${setting}`)).rows).toEqual([{ [setting]: '10s' }]);
  await frozen.query(`SET ${setting} = '1s'`);
  await frozen.query('BEGIN');
  await frozen.query('SELECT pg_advisory_xact_lock($1)', [attemptsKey(applicationId)]);
  const ended = new Promise<Error>((resolve) => frozen.once('error', resolve));
  const startedAt = performance.now();
  const [error, leases] = await Promise.all([ended, leaseOldest(new Date(), applicationId)]);
  expect(error).toMatchObject({ code: '25P03' });
  expect(leases).toHaveLength(1);
  expect(performance.now() - startedAt).toBeGreaterThan(900);
  expect(performance.now() - startedAt).toBeLessThan(6_000);
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
