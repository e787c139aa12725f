import { expect, test } from 'vitest';
import { lockUser } from '@/lib/access/owners/second-factor';
import { completeSignIn } from '@/lib/access/owners/second-step';
import { endOtherSessions } from '@/lib/access/owners/session';
import { signIn } from '@/lib/access/owners/sign-in';
import { type Db, db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { freshAddress } from '@/tests/support/client';
import { makePerson, type Person } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { setUpTotp, totpCode } from '@/tests/support/second-factor';
import { until } from '@/tests/support/until';

const NOW = new Date();
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);

/** Waits until a sign-in is waiting for the lock on a user's row. */
async function untilBlocked(): Promise<void> {
  const sql = `SELECT count(*)::int AS waiting FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM users WHERE id%'`;
  await until(
    async () => (await pool().query<{ waiting: number }>(sql)).rows[0]?.waiting ?? 0,
    (waiting) => waiting > 0,
  );
}

/**
 * Runs `change` in a transaction that locks the person's row, and starts the sign-in `attempt`. Commits the
 * transaction as soon as the sign-in waits for the lock.
 */
async function duringSignIn<T>({ userId }: Person, change: (tx: Db) => Promise<unknown>, attempt: () => Promise<T>) {
  let running: Promise<T> | undefined;
  await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    await change(tx);
    running = attempt();
    running.catch(() => undefined);
    await untilBlocked();
  });
  return running;
}

const liveSessions = (userId: string) => db().session.count({ where: { userId, endedAt: null } });

test('a sign-in that began before a change of the password does not outlive it', async () => {
  const person = await makePerson((await makeTenant()).id);
  const result = await duringSignIn(
    person,
    async (tx) => {
      await tx.user.update({ where: { id: person.userId }, data: { passwordHash: '$argon2id$another' } });
      await endOtherSessions(tx, person.userId, NOW, null);
    },
    () => signIn({ ...person, address: freshAddress(), ticket: '' }, NOW),
  );
  expect(result).toBeNull();
  expect(await liveSessions(person.userId)).toBe(0);
});

test('a sign-in that began before a second factor was added needs it', async () => {
  const person = await makePerson((await makeTenant()).id);
  const factor = { userId: person.userId, secret: Buffer.alloc(68), createdAt: NOW, confirmedAt: NOW, lastStep: 1 };
  const result = await duringSignIn(
    person,
    async (tx) => {
      await tx.totpFactor.create({ data: factor });
      await endOtherSessions(tx, person.userId, NOW, null);
    },
    () => signIn({ ...person, address: freshAddress(), ticket: '' }, NOW),
  );
  expect(result).toEqual({ sessionId: expect.stringMatching(/^sst_/) });
  expect(await liveSessions(person.userId)).toBe(0);
});

test('a second step that is completed while the password changes begins no session', async () => {
  const person = await makePerson((await makeTenant()).id);
  const { secret } = await setUpTotp(person, NOW);
  const address = freshAddress();
  const first = await signIn({ ...person, address, ticket: '' }, after(60));
  const stepId = first && 'sessionId' in first ? first.sessionId : '';
  const before = await liveSessions(person.userId);
  const result = await duringSignIn(
    person,
    (tx) => tx.secondStep.deleteMany({ where: { userId: person.userId } }),
    () => completeSignIn(after(60), { stepId, code: totpCode(secret, after(60)), address }),
  );
  expect(result).toBe('expired');
  expect(await liveSessions(person.userId)).toBe(before);
});

test('after 100 wrong codes within a day, only addresses of the member may try more', async () => {
  const person = await makePerson((await makeTenant()).id);
  const { secret } = await setUpTotp(person, NOW);
  const known = freshAddress();
  const enter = async (address: string, at: Date) => {
    const first = await signIn({ ...person, address, ticket: '' }, at);
    const stepId = first && 'sessionId' in first ? first.sessionId : '';
    return completeSignIn(at, { stepId, code: totpCode(secret, at), address });
  };
  expect(await enter(known, after(60))).toMatchObject({ sessionId: expect.any(String) });
  const { tenantId, userId } = person;
  const minute = new Date(Math.floor(after(60).getTime() / 60_000) * 60_000);
  const wrong = { tenantId, userId, outcome: 'wrong_second_factor', method: 'totp', minute, at: after(60) };
  await db().signIn.create({ data: { id: newId('sgn'), ...wrong, network: networkOf(freshAddress()), attempts: 100 } });
  await expect(enter(freshAddress(), after(120))).rejects.toMatchObject({ code: 'rate_limited' });
  expect(await enter(known, after(180))).toMatchObject({ sessionId: expect.any(String) });
  expect(await enter(freshAddress(), after(86_461))).toMatchObject({ sessionId: expect.any(String) });
});
