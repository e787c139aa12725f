import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { db } from '@/lib/platform/db';
import { resumeEndpoint } from '@/lib/webhooks/endpoint';
import { send } from '@/lib/webhooks/send';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import {
  type Answering,
  continued,
  endless,
  hang,
  reset,
  startRaw,
  startReceiver,
  status,
} from '@/tests/support/receiver';
import { deliverDue, dependenciesOf, type ManualClock, makeWebhook, manualClock } from '@/tests/support/webhooks';

let database: OwnDatabase;
let clock: ManualClock;

beforeAll(async () => {
  database = await ownDatabase();
});

afterAll(async () => {
  await database.drop();
});

beforeEach(async () => {
  await database.clear();
  clock = manualClock(new Date());
});

type Case = { name: string; answering: Answering; state: string; status: number | null; error: string | null };

const CASES: Case[] = [
  { name: '200', answering: status(200), state: 'succeeded', status: 200, error: null },
  { name: '204', answering: status(204, {}, ''), state: 'succeeded', status: 204, error: null },
  { name: '204 after 100', answering: continued, state: 'succeeded', status: 204, error: null },
  { name: '199-like 299', answering: status(299), state: 'succeeded', status: 299, error: null },
  { name: '302', answering: status(302, { location: '/elsewhere' }), state: 'pending', status: 302, error: 'redirect' },
  { name: '400', answering: status(400), state: 'pending', status: 400, error: 'http_status' },
  { name: '429', answering: status(429, { 'retry-after': '6' }), state: 'pending', status: 429, error: 'http_status' },
  { name: '500', answering: status(500), state: 'pending', status: 500, error: 'http_status' },
  { name: 'a reset', answering: reset, state: 'pending', status: null, error: 'connection_reset' },
  { name: 'an endless stream', answering: endless, state: 'succeeded', status: 200, error: null },
];

test.each(CASES)(
  'after $name the delivery is $state and the attempt is recorded',
  async ({ answering, state, status: code, error }) => {
    const receiver = await startReceiver(answering);
    const webhook = await makeWebhook(receiver.url, clock.now());
    const [id = ''] = await webhook.emit();
    await deliverDue(dependenciesOf(clock));
    expect(await webhook.deliveries()).toMatchObject([{ state, attempts: 1, scheduledAttempts: 1, leasedUntil: null }]);
    expect(await webhook.attempts(id)).toMatchObject([{ number: 1, kind: 'scheduled', status: code, error }]);
    expect(receiver.received).toHaveLength(1);
    await receiver.close();
  },
);

test('requests are signed as in Standard Webhooks with the secret that the owner saw', async () => {
  const receiver = await startReceiver();
  const { emit, secret } = await makeWebhook(receiver.url, clock.now());
  await emit();
  await deliverDue(dependenciesOf(clock));
  const [one] = receiver.received;
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const payload = new Webhook(secret).verify(one?.body ?? '', one?.headers ?? {});
  expect(payload).toMatchObject({ id: one?.headers['webhook-id'], type: 'booking.created' });
  expect(one?.headers).toMatchObject({ 'webhook-attempt': '1', 'content-type': 'application/json; charset=utf-8' });
  expect(() => new Webhook(secret).verify(`${one?.body} `, one?.headers ?? {})).toThrow();
  await receiver.close();
});

test('stores only the start of a response, without control characters', async () => {
  const receiver = await startReceiver(status(500, {}, `\u0000\u0007${'ü'.repeat(5_000)}`));
  const webhook = await makeWebhook(receiver.url, clock.now());
  const [id = ''] = await webhook.emit();
  await deliverDue(dependenciesOf(clock));
  const [attempt] = await webhook.attempts(id);
  expect(attempt?.answer).toBe(`\uFFFD\uFFFD${'ü'.repeat(1_022)}`);
  await receiver.close();
});

test('distinguishes a refused connection, a failed handshake, and a response that is not HTTP', async () => {
  const closed = await startReceiver();
  await closed.close();
  const garbage = await startRaw('this is not HTTP\r\n\r\n');
  const silent = await startRaw(null);
  const dependencies = dependenciesOf(clock);
  const errorOf = async (url: string) => (await send(dependencies.sender, { url, headers: {}, payload: '{}' })).error;
  expect(await errorOf(closed.url)).toBe('connection_refused');
  expect(await errorOf(`http://127.0.0.1:${garbage.port}/`)).toBe('not_http');
  expect(await errorOf(`https://127.0.0.1:${garbage.port}/`)).toBe('tls');
  expect(await errorOf(`http://127.0.0.1:${silent.port}/`)).toBe('connection_reset');
  await Promise.all([garbage.close(), silent.close()]);
});

test('an attempt times out after 15 seconds', async () => {
  const original = AbortSignal.timeout.bind(AbortSignal);
  // The timeout of an attempt passes at once, and those of other parts as they do.
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => original(ms === 15_000 ? 100 : ms));
  onTestFinished(() => timeout.mockRestore());
  const receiver = await startReceiver(hang);
  const webhook = await makeWebhook(receiver.url, clock.now());
  const [id = ''] = await webhook.emit();
  await deliverDue(dependenciesOf(clock));
  expect(timeout).toHaveBeenCalledWith(15_000);
  expect(receiver.received).toHaveLength(1);
  expect(await webhook.attempts(id)).toMatchObject([{ status: null, error: 'timeout' }]);
  expect(await webhook.deliveries()).toMatchObject([{ state: 'pending' }]);
  await receiver.close();
});

test('a 410 disables the endpoint; its delivery is held with the attempt counted and continues when resumed', async () => {
  const receiver = await startReceiver(status(410));
  const webhook = await makeWebhook(receiver.url, clock.now());
  await webhook.emit();
  const dependencies = dependenciesOf(clock);
  await deliverDue(dependencies);
  expect(await webhook.endpoint()).toMatchObject({ state: 'disabled', stateReason: 'gone' });
  expect(await webhook.deliveries()).toMatchObject([{ state: 'pending', attempts: 1, scheduledAttempts: 1 }]);
  expect(await db().auditLog.count({ where: { action: 'webhook.disabled', tenantId: webhook.tenant.id } })).toBe(1);
  clock.advance(86_400_000);
  expect(await deliverDue(dependencies)).toBe(0);
  receiver.answer(status(200));
  await resumeEndpoint(clock.now(), webhook.target);
  expect(await deliverDue(dependencies)).toBe(1);
  expect(await webhook.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 2, scheduledAttempts: 2 }]);
  expect(receiver.received.map(({ headers }) => headers['webhook-attempt'])).toEqual(['1', '2']);
  await receiver.close();
});
