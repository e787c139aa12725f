import { beforeAll, expect, test } from 'vitest';
import { setSuspended } from '@/lib/access/applications/applications';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { makePaused } from '@/tests/support/webhook-states';
import { addEndpoint } from '@/tests/support/webhooks';
import { type Ask, memberOf } from './requests-lines';

const HOUR = 3_600_000;
const URL = 'http://127.0.0.1:3999/secret-path';

type Made = { number: number; hours: number; error: string | null };

/** Adds failed attempts of test events. Pages do not count the attempts of test events. */
async function addTests(tenantId: string, applicationId: string, count: number) {
  for (let n = 0; n < count; n += 1) {
    const now = new Date();
    const [eventId, deliveryId] = [newId('evt'), newId('dlv')];
    const ids = { tenantId, applicationId };
    await db().event.create({
      data: { id: eventId, ...ids, type: 'webhook.test', actor: 'owner', payload: '{}', at: now },
    });
    await db().delivery.create({
      data: {
        id: deliveryId,
        ...ids,
        eventId,
        test: true,
        state: 'failed',
        attempts: 1,
        finishedAt: now,
        createdAt: now,
      },
    });
    await db().deliveryAttempt.create({
      data: { deliveryId, number: 1, kind: 'scheduled', startedAt: now, durationMs: 12, error: 'timeout' },
    });
  }
}

/** Creates an application with an endpoint. Each item of `made` adds an attempt that started `hours` hours ago. */
async function makeEndpoint(tenantId: string, name: string, made: { hours: number; failed?: boolean }[] = []) {
  const { applicationId } = await makeApplication(tenantId, { name });
  const hook = await addEndpoint(tenantId, applicationId, URL);
  if (made.length === 0) return { applicationId, ...hook };
  // The delivery must not be due. Otherwise, the worker of the shared server would try to insert an attempt with a
  // number that already exists. The insert would fail, and no attempts of any tenant would start.
  const [deliveryId = ''] = await hook.emit(1, new Date(Date.now() + 24 * HOUR));
  await db().delivery.update({ where: { id: deliveryId }, data: { attempts: made.length } });
  const attempts = made.map(
    ({ hours, failed }, n): Made => ({ number: n + 1, hours, error: failed ? 'timeout' : null }),
  );
  await db().deliveryAttempt.createMany({
    data: attempts.map(({ number, hours, error }) => ({
      deliveryId,
      number,
      kind: 'scheduled',
      startedAt: new Date(Date.now() - hours * HOUR),
      durationMs: 12,
      error,
    })),
  });
  return { applicationId, deliveryId, ...hook };
}

type Page = { endpoints: { application: { name: string }; [field: string]: unknown }[]; total: number };

const listOf = async (ask: Ask, page = 1) => (await ask('webhooks.endpoints', { page })).data as Page;

let tenantId: string;
let ask: Ask;
let flakyId: string;
let goodId: string;

beforeAll(async () => {
  tenantId = (await makeTenant()).id;
  ask = memberOf(tenantId, 'SUPPORT');
  const flaky = await makeEndpoint(tenantId, 'Flaky', [
    ...Array.from({ length: 17 }, (_, n) => ({ hours: 1, failed: n >= 12 })),
    { hours: 50, failed: true },
    { hours: 200 },
  ]);
  flakyId = flaky.applicationId;
  await db().webhookEndpoint.update({ where: { applicationId: flakyId }, data: { lastAttemptAt: new Date(0) } });
  const good = await makeEndpoint(tenantId, 'Good', [{ hours: 1 }, { hours: 26 }]);
  goodId = good.applicationId;
  await addTests(tenantId, goodId, 5);
  const last = await makeEndpoint(tenantId, 'Last failed');
  await db().webhookEndpoint.update({ where: { applicationId: last.applicationId }, data: { failing: true } });
  const paused = await makeEndpoint(tenantId, 'Paused');
  await makePaused(paused.applicationId);
  await paused.emit(3);
  const gone = await makeEndpoint(tenantId, 'Gone');
  const disabled = { state: 'disabled', stateReason: 'gone' };
  await db().webhookEndpoint.update({ where: { applicationId: gone.applicationId }, data: disabled });
});

test('lists all endpoints of a tenant, those that need attention first, without the path of a URL', async () => {
  await makeEndpoint((await makeTenant()).id, 'Of another tenant');
  const { endpoints, total } = await listOf(ask);
  expect(total).toBe(5);
  expect(endpoints).toMatchObject([
    { application: { name: 'Gone' }, state: 'disabled', reason: 'gone', failing: false },
    { application: { name: 'Paused' }, state: 'paused', reason: 'owner', pending: 3, next_attempt_at: null },
    {
      application: { id: flakyId, name: 'Flaky' },
      host: '127.0.0.1:3999',
      state: 'active',
      failing: true,
      day: { attempts: 17, succeeded: 12 },
      week: { attempts: 18, succeeded: 12 },
      last_attempt_at: '1970-01-01T00:00:00.000Z',
      pending: 1,
      more: false,
      next_attempt_at: expect.any(String),
    },
    { application: { name: 'Last failed' }, failing: true, day: { attempts: 0 }, last_attempt_at: null },
    { application: { name: 'Good' }, failing: false, day: { attempts: 1, succeeded: 1 }, week: { attempts: 2 } },
  ]);
  expect(JSON.stringify(endpoints)).not.toContain('secret-path');
});

test('only owners see the whole URL of an endpoint', async () => {
  const urlFor = async (role: 'OWNER' | 'SUPPORT') =>
    ((await memberOf(tenantId, role)('webhooks.get', { application_id: goodId })).data as { url: string }).url;
  expect([await urlFor('OWNER'), await urlFor('SUPPORT')]).toEqual([URL, 'http://127.0.0.1:3999']);
});

test('an endpoint fails on its own page, on the list, and on the Overview alike', async () => {
  const { endpoints } = await listOf(ask);
  const health = (await ask('overview.webhooks')).data as Page['endpoints'];
  expect(health.filter(({ failing }) => failing).map(({ application }) => application.name)).toEqual([
    'Flaky',
    'Last failed',
  ]);
  expect(health.filter(({ low_success }) => low_success).map(({ application }) => application.name)).toEqual(['Flaky']);
  for (const { application, failing } of endpoints) {
    const { id } = application as unknown as { id: string };
    expect((await ask('webhooks.get', { application_id: id })).data).toMatchObject({ failing });
    expect(health.find((one) => (one.application as unknown as { id: string }).id === id)).toMatchObject({ failing });
  }
});

test('a suspended application and a missing scope pause an endpoint', async () => {
  const own = (await makeTenant()).id;
  const asleep = await makeEndpoint(own, 'Asleep');
  const actor = { kind: 'system' } as const;
  const { applicationId } = asleep;
  await setSuspended(new Date(), { tenantId: own, actor, applicationId, suspended: true });
  const bare = await makeEndpoint(own, 'Bare');
  await db().application.update({ where: { id: bare.applicationId }, data: { scopes: ['catalog.read'] } });
  expect((await listOf(memberOf(own))).endpoints).toMatchObject([
    { application: { name: 'Asleep' }, state: 'paused', reason: 'suspended' },
    { application: { name: 'Bare' }, state: 'paused', reason: 'scope' },
  ]);
});

test('more than a hundred endpoints are read in pages, and a failing one is still on the Overview', async () => {
  const own = (await makeTenant()).id;
  const now = new Date();
  const data = Array.from({ length: 105 }, (_, n) => ({ id: newId('app'), name: `Partner ${1000 + n}` }));
  const known = { tenantId: own, scopes: ['webhooks.manage'], allLocations: true };
  await db().application.createMany({ data: data.map((one) => ({ ...known, ...one })) });
  const times = { changedAt: now, quietSince: now, createdAt: now };
  await db().webhookEndpoint.createMany({
    data: data.map(({ id }, n) => ({
      ...times,
      tenantId: own,
      applicationId: id,
      url: URL,
      eventTypes: ['booking.created'],
      failing: n === 104,
    })),
  });
  const pages = await Promise.all([1, 2, 3, 4, 5, 6].map((page) => listOf(memberOf(own), page)));
  expect(pages.map(({ endpoints }) => endpoints.length)).toEqual([25, 25, 25, 25, 5, 0]);
  const names = pages.flatMap(({ endpoints }) => endpoints.map(({ application }) => application.name));
  expect(names[0]).toBe('Partner 1104');
  expect(new Set(names).size).toBe(105);
  expect(pages.map(({ total }) => total)).toEqual([105, 105, 105, 105, 105, 105]);
  const health = (await memberOf(own)('overview.webhooks')).data as Page['endpoints'];
  expect(health).toHaveLength(20);
  expect(health[0]).toMatchObject({ application: { name: 'Partner 1104' }, failing: true });
});

test('counts the attempts of an endpoint per hour and per day', async () => {
  type History = { bars: { from: string; to: string; succeeded: number; failed: number }[] };
  const read = async (period: string) =>
    (await ask('webhooks.attempts', { application_id: flakyId, period, time_zone: 'UTC' })).data as History;
  const day = (await read('24h')).bars;
  expect(day).toHaveLength(24);
  const sum = (bars: History['bars'], of: 'succeeded' | 'failed') => bars.reduce((total, bar) => total + bar[of], 0);
  expect([sum(day, 'succeeded'), sum(day, 'failed')]).toEqual([12, 5]);
  const hour = new Date(Math.floor(Date.now() / HOUR) * HOUR - HOUR).toISOString();
  // The last bar, which begins after `hour`, contains no successful attempts, because they are more than an hour old.
  expect(day.filter(({ succeeded }) => succeeded > 0).every(({ from }) => from <= hour)).toBe(true);
  const week = (await read('7d')).bars;
  expect(week).toHaveLength(7);
  expect([sum(week, 'succeeded'), sum(week, 'failed')]).toEqual([12, 6]);
  const tested = (await ask('webhooks.attempts', { application_id: goodId, period: '24h', time_zone: 'UTC' })).data;
  expect([sum((tested as History).bars, 'succeeded'), sum((tested as History).bars, 'failed')]).toEqual([1, 0]);
  const other = memberOf((await makeTenant()).id);
  const asked = { application_id: flakyId, time_zone: 'UTC' };
  expect(await other('webhooks.attempts', asked)).toMatchObject({ error: { code: 'not_found' } });
  expect(await ask('webhooks.attempts', { ...asked, time_zone: 'Mars/Base' })).toMatchObject({
    error: { code: 'invalid_request' },
  });
});
