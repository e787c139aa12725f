import { request } from 'undici';
import { beforeAll, describe, expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { setOwnSystem } from '@/lib/access/applications/applications';
import { ALL_OPERATIONS, type Operation } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { expectRefusal } from '@/tests/support/booking-rows';
import { createClient, type Reply } from '@/tests/support/client';
import { callProcedure, makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeApplication, makeBusiness, makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { startReceiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { makeWebhook } from '@/tests/support/webhooks';
import { hangTests } from '../faults/hang-tests';
import { lockTests } from '../faults/lock-tests';
import { sendInvalid } from '../partner-v1/invalid';
import { rowOf, rowsOf } from '../request-log/rows';
import { type Health, healthOf, healthTests, isHealthy } from './health-tests';
import { DRAIN_DELAY, type Stage, stageOfFile } from './stage';

const stage = stageOfFile();
let { database, server } = {} as Stage;

beforeAll(() => {
  ({ database, server } = stage);
});

healthTests(stage);
lockTests(stage);
hangTests(stage);

async function makeClient() {
  const { key, tenant, applicationId } = await makeBusiness();
  return { key, tenant, applicationId, read: () => createClient({ origin: server.origin, key })(CATALOG) };
}

function expectUnavailable(reply: Reply) {
  expectRefusal(reply, 503, 'service_unavailable');
  expect(reply.error.message).toBe('The service is temporarily unavailable. Retry with backoff.');
  expect(reply.error.fields).toEqual([]);
  expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0);
}

/** Waits until the server has logged a line with both texts, and returns it. */
async function logged(requestId: string, text: string) {
  const find = async () =>
    server
      .errors()
      .split('\n')
      .find((line) => line.includes(requestId) && line.includes(text));
  return JSON.parse((await until(find, (line) => line !== undefined)) ?? '');
}

test('returns a fixed message for an unexpected error and logs the error in full', async () => {
  const { read } = await makeClient();
  await database.query('ALTER TABLE specialists RENAME TO specialists_away');
  const reply = await read();
  expectUnavailable(reply);
  expect(reply.text).not.toMatch(/specialists|prisma|relation|select|stack|\/lib\//i);
  const line = await logged(reply.requestId, 'unexpected');
  expect(line.err.message).toMatch(/specialists/);
  expect(line.err.stack.split('\n').length).toBeGreaterThan(3);
  await database.query('ALTER TABLE specialists_away RENAME TO specialists');
  expect((await read()).status).toBe(200);
});

test('returns a fixed message for a malformed text in the database and does not send the text', async () => {
  const { read } = await makeClient();
  await database.query('ALTER TABLE services DROP CONSTRAINT services_name_translated');
  await database.query(`UPDATE services SET name = '"a text with secrets"'`);
  const reply = await read();
  expectUnavailable(reply);
  expect(reply.text).not.toContain('secrets');
  await logged(reply.requestId, 'unexpected');
  await database.query(`UPDATE services SET name = '{"en": "Haircut"}'`);
  expect((await read()).status).toBe(200);
});

test('while the database is unavailable, every operation returns 503 with a fixed message and a line on standard error, and works again without a restart', async () => {
  const { key, tenant, applicationId, read } = await makeClient();
  const by = { tenantId: tenant.id, applicationId, actor: { kind: 'system' } as const };
  await setOwnSystem(new Date(), { ...by, ownSystem: true });
  const ask = (operation: Operation) => sendInvalid(operation, { origin: server.origin, key });
  const health = async () => (await fetch(`${server.origin}/api/health`)).status;
  for (const operation of ALL_OPERATIONS) expect((await ask(operation)).status).toBe(400);
  expect((await read()).status).toBe(200);
  const cookie = await openSessionOf(await makePerson(tenant.id));
  const me = () => {
    const headers = { [TENANT_HEADER]: tenant.id, 'accept-language': 'de' };
    return callProcedure('session.me', { origin: server.origin, cookie, type: 'query', headers });
  };
  expect(await me()).toMatchObject({ status: 200 });
  await database.shut();
  for (const operation of ALL_OPERATIONS)
    expectUnavailable(
      await until(
        () => ask(operation),
        ({ status }) => status === 503,
      ),
    );
  const replies = await Promise.all(Array.from({ length: 10 }, read));
  for (const reply of replies) expectUnavailable(reply);
  const nobody = await createClient({ origin: server.origin })(CATALOG);
  expect([nobody.status, await health()]).toEqual([401, 503]);
  expect(await me()).toMatchObject({
    status: 503,
    error: { code: 'service_unavailable', message: expect.stringMatching(/^Der Dienst ist vorübergehend/) },
  });
  for (const { requestId, status } of [...replies, nobody])
    expect((await logged(requestId, 'not written')).request).toMatchObject({ request_id: requestId, status });
  expect(server.errors()).not.toContain(key.slice(9));
  await database.open();
  for (const operation of ALL_OPERATIONS)
    await until(
      () => ask(operation),
      ({ status }) => status === 400,
    );
  const served = await until(read, ({ status }) => status === 200);
  expect(await rowOf(served.requestId)).toMatchObject({ tenant_id: tenant.id, status: 200 });
  expect(await until(health, (status) => status === 200)).toBe(200);
});

/** The rows of a tenant's refused calls. */
async function refusalsOf(tenantId: string) {
  const rows = await db().refusedCall.findMany({ where: { tenantId } });
  return rows.map(({ userId, procedure, code, calls }) => ({ userId, procedure, code, calls }));
}

/** Adds up the calls, because a test can run across the end of a minute. */
const total = (rows: { calls: number }[]) => rows.reduce((sum, { calls }) => sum + calls, 0);

/** Sends calls of which the Control Center refuses some. */
async function callControlCenter() {
  const [mine, foreign, strict] = [await makeTenant(), await makeTenant(), await makeTenant()];
  const [desk, owner] = [await makePerson(mine.id, 'FRONT_DESK'), await makePerson(strict.id)];
  const support = await makePerson(mine.id, 'SUPPORT');
  const application = await makeApplication(foreign.id, {});
  await db().tenant.update({ where: { id: strict.id }, data: { requireSecondFactor: true } });
  const caller = async (person: typeof desk) => {
    const call = { origin: server.origin, cookie: await openSessionOf(person), type: 'query' } as const;
    return async (path: string, input?: unknown, tenantId = person.tenantId) =>
      (await callProcedure(path, { ...call, input, headers: { [TENANT_HEADER]: tenantId } })).status;
  };
  const [asDesk, asOwner, asSupport] = [await caller(desk), await caller(owner), await caller(support)];
  for (let call = 0; call < 30; call += 1) expect(await asDesk('team.list')).toBe(403);
  expect(await asDesk('team.list', undefined, foreign.id)).toBe(404);
  expect(await asDesk('team.list', undefined, newId('ten'))).toBe(404);
  expect(await asSupport('applications.get', { application_id: application.applicationId })).toBe(404);
  expect(await asOwner('team.list')).toBe(403);
  // Neither calls that succeed nor invalid input are refusals.
  expect(await asSupport('applications.list', { sort: 'x' })).toBe(400);
  expect(await asDesk('session.me')).toBe(200);
  return { mine, foreign, strict, desk, owner, support };
}

/** Sends requests with a token of a calendar feed. Returns their time, and the id of the last response, a 503. */
async function readFeed(token: string) {
  const at = new Date();
  const base = `http://127.0.0.1:${server.port}/api/calendar/${token}`;
  const send = async (method: 'GET' | 'POST' | 'DELETE') => {
    const response = await request(base, { method, headers: { referer: base, origin: base } });
    await response.body.dump();
    return response;
  };
  for (const method of ['GET', 'POST', 'DELETE'] as const) await send(method);
  // A table that is gone makes the lookup fail, which is logged.
  await database.query('ALTER TABLE calendar_feeds RENAME TO calendar_feeds_gone');
  const failed = await send('GET');
  expect(failed.statusCode).toBe(503);
  await database.query('ALTER TABLE calendar_feeds_gone RENAME TO calendar_feeds');
  return { at, failedId: String(failed.headers['x-request-id']) };
}

describe('the last tests: a server that has stopped', () => {
  let replies: Reply[];
  let people: Awaited<ReturnType<typeof callControlCenter>>;
  let feed: Awaited<ReturnType<typeof readFeed>>;
  let stopping: { draining: Health; live: Health; served: Reply; took: number };
  let webhook: Awaited<ReturnType<typeof makeWebhook>>;

  beforeAll(async () => {
    people = await callControlCenter();
    feed = await readFeed('Secret-token_'.padEnd(43, 'x'));
    const { read } = await makeClient();
    replies = await Promise.all(Array.from({ length: 30 }, read));
    let answer = () => {};
    const receiver = await startReceiver((_, res) => {
      answer = () => res.end('late');
    });
    webhook = await makeWebhook(receiver.url);
    await webhook.emit();
    await until(
      async () => receiver.received.length,
      (count) => count === 1,
    );
    const startedAt = performance.now();
    const stopped = server.stop();
    const draining = await until(
      () => healthOf(server),
      (found) => !isHealthy(found),
    );
    const [live, served] = [await healthOf(server, '/api/health/live'), await read()];
    answer();
    await stopped;
    stopping = { draining, live, served, took: performance.now() - startedAt };
    await receiver.close();
  });

  test('after SIGTERM the health check fails at once, and requests are served for the duration of DRAIN_DELAY', async () => {
    const { draining, live, served, took } = stopping;
    expect(draining).toMatchObject({ status: 503, body: { status: 'draining' }, connection: 'close' });
    expect(live.status).toBe(200);
    expect([served.status, served.headers.connection]).toEqual([200, 'close']);
    expect(await server.ended).toBe(0);
    expect(took).toBeGreaterThan(DRAIN_DELAY * 1_000 - 100);
    expect(took).toBeLessThan(9_000);
  });

  test('a stopping server finishes its attempts first', async () => {
    expect(await webhook.deliveries()).toMatchObject([{ state: 'succeeded', attempts: 1, leasedUntil: null }]);
  });

  test('buffered entries are written before the server exits', async () => {
    for (const { requestId } of replies) expect(await rowsOf(requestId)).toHaveLength(1);
  });

  test('no log of a server contains a token', async () => {
    const output = server.output() + server.errors();
    expect(output).not.toContain('Secret-token');
    // The response names the line of the log.
    expect(output).toContain(`"request_id":"${feed.failedId}"`);
    expect(output).toContain('unexpected failure');
    // The requests with a key have entries, the requests for a feed none.
    const unknown = 'SELECT FROM request_log WHERE tenant_id IS NULL AND at >= $1';
    expect((await database.query(unknown, [feed.at])).rows).toEqual([]);
  });

  test('calls that are refused by role, second factor, or record are recorded, and those to a foreign tenant only logged', async () => {
    const { mine, foreign, strict, desk, owner, support } = people;
    const rows = await refusalsOf(mine.id);
    const of = (userId: string, code: string) => rows.filter((row) => row.userId === userId && row.code === code);
    expect(total(of(desk.userId, 'forbidden'))).toBe(30);
    expect(of(desk.userId, 'forbidden').length).toBeLessThanOrEqual(2);
    expect(of(desk.userId, 'not_found')).toEqual([]);
    const lines = `${server.output()}\n${server.errors()}`.match(/^.*tenant of which the person is no member.*$/gm);
    const parsed = (lines ?? []).map((line) => JSON.parse(line) as { user_id: string; calls: number });
    expect([total(parsed), new Set(parsed.map(({ user_id }) => user_id))]).toEqual([2, new Set([desk.userId])]);
    expect(lines?.join()).not.toContain(foreign.id);
    expect(of(support.userId, 'not_found')).toEqual([
      { userId: support.userId, procedure: 'applications.get', code: 'not_found', calls: 1 },
    ]);
    expect(total(rows)).toBe(31);
    expect(JSON.stringify(rows)).not.toContain(foreign.id);
    expect(await refusalsOf(foreign.id)).toEqual([]);
    expect(await refusalsOf(strict.id)).toEqual([
      { userId: owner.userId, procedure: 'team.list', code: 'second_factor_required', calls: 1 },
    ]);
  });
});
