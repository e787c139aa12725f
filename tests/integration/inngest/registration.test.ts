import { afterAll, beforeAll, expect, test } from 'vitest';
import { keepRegistered, type RegistrationProblem } from '@/inngest/registration';
import { readRegistration } from '@/lib/operations/inngest-registration';
import { db } from '@/lib/platform/db';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { until } from '@/tests/support/until';

let database: OwnDatabase;

beforeAll(async () => {
  database = await ownDatabase();
  await db().environment.create({ data: { name: 'TEST', secretsFingerprint: 'a'.repeat(64) } });
});

afterAll(async () => {
  await database.drop();
});

test('the functions are registered again and again; the last result is recorded', async () => {
  const stopping = new AbortController();
  let calls = 0;
  let problem: RegistrationProblem = null;
  const register = async () => {
    calls += 1;
    return problem;
  };
  const running = keepRegistered(stopping.signal, register, 5);
  const recorded = () => readRegistration(new Date());
  await until(
    async () => calls,
    (count) => count >= 3,
  );
  expect(await recorded()).toMatchObject({ registered: true, problem: null });
  problem = { problem: 'HTTP 401', message: 'Inngest rejected the functions with HTTP 401' };
  expect(await until(recorded, (one) => one.problem !== null)).toMatchObject({
    registered: false,
    problem: 'HTTP 401',
  });
  problem = null;
  await until(recorded, ({ registered }) => registered);
  stopping.abort();
  await running;
  // A registration that was recorded more than ten minutes ago no longer counts.
  expect(await readRegistration(new Date(Date.now() + 601_000))).toMatchObject({ registered: false, problem: null });
});
