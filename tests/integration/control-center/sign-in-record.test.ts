import { expect, test } from 'vitest';
import { signIn, signInVerified } from '@/lib/access/owners/sign-in';
import { db } from '@/lib/platform/db';
import { makePerson } from '@/tests/support/control-center';
import { makeTenant } from '@/tests/support/factories';
import { until } from '@/tests/support/until';
import { enter } from './team-people';

const MINUTE = 60_000;
const NOW = new Date(Math.floor(Date.now() / MINUTE) * MINUTE + 1_000);
const after = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
/**
 * Returns the address of an attacker. Each number gives a different IPv4 address, which counts as a separate network.
 */
const elsewhere = (number: number) => `198.51.${Math.floor(number / 250)}.${number % 250}`;

async function makeVictim() {
  const person = await makePerson((await makeTenant()).id);
  const { email, userId } = person;
  const attempt = (password: string, address: string, at = NOW, ticket = '') =>
    signIn({ email, password, address, ticket, tenantId: '' }, at);
  const rows = () =>
    db().signIn.findMany({
      where: { userId },
      orderBy: [{ network: 'asc' }, { minute: 'asc' }],
      select: { outcome: true, method: true, network: true, attempts: true },
    });
  /** Waits until the given number of attempts is recorded, which happens in the background. Returns the rows. */
  const recorded = (attempts: number) =>
    until(rows, (all) => all.reduce((sum, row) => sum + row.attempts, 0) === attempts);
  /** Tries a wrong password from each of 60 addresses and returns the results. */
  const guess = (at = NOW) => Promise.all(Array.from({ length: 60 }, (_, n) => attempt('guess', elsewhere(n), at)));
  return { ...person, attempt, recorded, guess };
}

test('each network and outcome adds one row per minute, and further sign-ins are counted in it', async () => {
  const { attempt, recorded, password, email } = await makeVictim();
  for (const address of ['192.0.2.1', '192.0.2.1', '2001:db8::1', '2001:db8::2']) await attempt('guess', address);
  await attempt(password, '192.0.2.1');
  await attempt('guess', '192.0.2.1', after(MINUTE));
  await signInVerified(NOW, { issuer: 'https://id.example', subject: email, email }, '192.0.2.1');
  const failed = { outcome: 'wrong_password', method: 'password' };
  const rows = await recorded(7);
  expect(rows).toHaveLength(5);
  expect(rows).toEqual(
    expect.arrayContaining([
      { ...failed, network: '192.0.2.1', attempts: 2 },
      { ...failed, network: '192.0.2.1', attempts: 1 },
      { ...failed, network: '2001:db8::/64', attempts: 2 },
      { outcome: 'signed_in', method: 'password', network: '192.0.2.1', attempts: 1 },
      { outcome: 'signed_in', method: 'provider', network: '192.0.2.1', attempts: 1 },
    ]),
  );
});

test('of 60 guesses from 60 addresses, ten are checked at once and the others are delayed', async () => {
  const { guess, recorded } = await makeVictim();
  const results = await guess();
  expect(results.filter((result) => result === null)).toHaveLength(10);
  const seconds = results.flatMap((result) => (result && 'delay' in result ? [result.delay.seconds] : []));
  expect(seconds.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5].flatMap((second) => Array(10).fill(second)));
  expect(await recorded(10)).toHaveLength(10);
});

test('the right password works during an attack: from a new address after the delay, from a known one at once', async () => {
  const { attempt, guess, password } = await makeVictim();
  const [known, unknown] = ['192.0.2.1', '192.0.2.2'];
  expect(await attempt(password, known)).toHaveProperty('sessionId');
  await guess();
  expect(await attempt(password, known)).toHaveProperty('sessionId');
  const first = await attempt(password, unknown);
  const { delay } = first as { delay: { seconds: number; ticket: string } };
  expect(delay.seconds).toBe(6);
  expect(await attempt(password, unknown, after(5_999), delay.ticket)).toHaveProperty('delay');
  expect(await attempt(password, '192.0.2.3', after(6_000), delay.ticket)).toHaveProperty('delay');
  expect(await attempt(password, unknown, after(6_000), delay.ticket)).toHaveProperty('sessionId');
});

test('a ticket is accepted once, and the guesses of an attack share one row', async () => {
  const { attempt, guess, recorded } = await makeVictim();
  await guess();
  const tickets = await Promise.all(Array.from({ length: 20 }, (_, n) => attempt('guess', elsewhere(100 + n))));
  for (const [n, result] of tickets.entries()) {
    const { ticket } = (result as { delay: { ticket: string } }).delay;
    expect(await attempt('guess', elsewhere(100 + n), after(10_000), ticket)).toBeNull();
    expect(await attempt('guess', elsewhere(100 + n), after(10_000), ticket)).toHaveProperty('delay');
  }
  const rows = await recorded(30);
  expect(rows).toHaveLength(11);
  expect(rows.at(-1)).toMatchObject({ network: null, attempts: 20 });
});

test('owners see the sign-ins of their members with filters and pages, and support does not', async () => {
  const tenant = await makeTenant();
  const [owner, support] = [
    await enter(await makePerson(tenant.id, 'OWNER', 'Olivia Owner')),
    await enter(await makePerson(tenant.id, 'SUPPORT', 'Sam Support')),
  ];
  type Page = { lines: { user_name: string; at: string; id: string }[]; previous: string | null; next: string | null };
  const list = async (input: object = {}) => (await owner.query('audit.sign_ins', input)).data as Page;
  expect((await list()).lines).toMatchObject([
    { user_name: 'Sam Support', outcome: 'signed_in', method: 'password', attempts: 1 },
    { user_name: 'Olivia Owner', network: expect.stringMatching(/^127\./) },
  ]);
  expect((await list({ person: support.userId })).lines).toMatchObject([{ user_name: 'Sam Support' }]);
  expect((await list({ result: 'failed' })).lines).toEqual([]);
  const { lines } = await list({ result: 'succeeded' });
  expect(lines).toHaveLength(2);
  const made = { tenantId: tenant.id, userId: support.userId, outcome: 'wrong_password', method: 'password' };
  const data = Array.from({ length: 70 }, (_, n) => {
    const minute = new Date(Date.UTC(2026, 0, 1, 0, Math.floor(n / 7)));
    return { ...made, id: `sgn_${String(n).padStart(26, '0')}`, network: `192.0.2.${n}`, minute, at: minute };
  });
  await db().signIn.createMany({ data });
  const first = await list();
  const second = await list({ cursor: first.next });
  expect([first.lines.length, second.lines.length, second.next]).toEqual([50, 22, null]);
  expect((await list({ cursor: second.previous, back: true })).lines).toEqual(first.lines);
  expect(await owner.query('audit.sign_ins', { cursor: 'x' })).toMatchObject({ error: { reason: 'cursor_mismatch' } });
  expect(await support.query('audit.sign_ins')).toMatchObject({ status: 403 });
});
