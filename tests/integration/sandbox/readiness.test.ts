import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { expect, type TestContext, test } from 'vitest';
import { certificateSigner, openCertificate } from '@/lib/booking/readiness/certificate';
import { BASE_PATH, checkSignature, readReadiness, reportConformance } from '@/lib/contract/operations';
import { SUITE_AGENT } from '@/lib/contract/readiness';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { type Desk, makeDesk, post } from '@/tests/support/bookings';
import { insertRows } from '@/tests/support/insert';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { sandboxOf } from '@/tests/support/sandbox';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

const CHECKS = BASE_PATH + checkSignature.path;
const CONFORMANCE = BASE_PATH + reportConformance.path;

/** Of one test, because the tests run at the same time. */
async function receiverOf({ onTestFinished }: TestContext): Promise<Receiver> {
  const receiver = await startReceiver();
  onTestFinished(receiver.close);
  return receiver;
}

const read = ({ client }: Desk) => client(BASE_PATH + readReadiness.path, { operation: readReadiness });
const check = ({ client }: Desk, body: unknown = {}) => post(client, CHECKS, checkSignature, body);

/** Waits until the log has everything that a criterion needs. */
const stateOf = async (desk: Desk, criterion: string, state: string) => {
  const { data } = await until(
    () => read(desk),
    (reply) => reply.data.readiness.criteria.some((one) => one.criterion === criterion && one.state === state),
  );
  return data.readiness.criteria.find((one) => one.criterion === criterion);
};

test.concurrent('each criterion is met by the requests that show it, and the certificate states it', async (context) => {
  const receiver = await receiverOf(context);
  const desk = await makeDesk();
  const { data: before } = await read(desk);
  expect(before.readiness).toMatchObject({ met: 0, conformance: null, application: { id: desk.applicationId } });
  expect(before.readiness.criteria.map(({ state }) => state)).toEqual(Array(5).fill('not_yet'));

  const key = randomUUID();
  const lost = desk.body('09:00', { external_reference: 'test:lost_response:order-1' });
  await expect(desk.create(lost, { key })).rejects.toThrow();
  const repeated = await desk.create(lost, { key });
  expect((await desk.create(desk.body('10:00', { external_reference: 'test:slot_taken' }))).status).toBe(409);
  const offered = await desk.create(desk.body('11:00'));
  const limited = desk.body('12:00', { external_reference: 'test:429' });
  const again = randomUUID();
  expect((await desk.create(limited, { key: again })).headers['retry-after']).toBe('1');
  await delay(1_050);
  const served = await desk.create(limited, { key: again });
  expect(await stateOf(desk, 'rate_limit', 'met')).toMatchObject({ request_id: served.requestId });
  expect(await stateOf(desk, 'lost_write', 'met')).toMatchObject({ request_id: repeated.requestId });
  expect(await stateOf(desk, 'conflict', 'met')).toMatchObject({ request_id: offered.requestId });

  const { advance, backToRealTime } = sandboxOf(desk.key);
  await backToRealTime();
  await desk.starts();
  expect((await read(desk)).data.readiness.met).toBe(3);
  await advance(3_600);
  await desk.starts();
  await stateOf(desk, 'clock', 'met');

  const { secret } = await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
  receiver.answer(({ body, headers }, response) => {
    try {
      new Webhook(secret).verify(body, headers);
      response.writeHead(204).end();
    } catch {
      response.writeHead(400).end();
    }
  });
  const checked = await check(desk);
  expect(checked.status).toBe(202);
  expect(await stateOf(desk, 'signature', 'met')).toMatchObject({ request_id: checked.requestId });
  // A refused forged event neither counts as a failure of the endpoint nor disables it.
  expect(await db().webhookEndpoint.findUnique({ where: { applicationId: desk.applicationId } })).toMatchObject({
    state: 'active',
    failing: false,
  });

  const { data } = await read(desk);
  expect(data.readiness).toMatchObject({ met: 5, environment: 'TEST', host: expect.stringMatching(/^http:/) });
  const { publicKey } = certificateSigner();
  expect(openCertificate(data.certificate, new Date(), [publicKey])).toEqual(data.readiness);
  // Another application of the same business has shown nothing.
  expect((await read(await makeDesk())).data.readiness.met).toBe(0);
});

test.concurrent('wrong answers are failures with their evidence, until a right one follows', async (context) => {
  const receiver = await receiverOf(context);
  const desk = await makeDesk();
  const lost = desk.body('09:00', { external_reference: 'test:lost_response' });
  await expect(desk.create(lost)).rejects.toThrow();
  await expect(desk.create({ ...lost, start_time: '10:00' })).rejects.toThrow();
  const taken = desk.body('11:00', { external_reference: 'test:slot_taken' });
  for (let sent = 0, key = randomUUID(); sent < 4; sent += 1) await desk.create(taken, { key });
  const limited = desk.body('12:00', { external_reference: 'test:429' });
  for (let sent = 0, key = randomUUID(); sent < 2; sent += 1) await desk.create(limited, { key });
  for (const criterion of ['rate_limit', 'lost_write', 'conflict']) await stateOf(desk, criterion, 'failed');

  await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
  const checkWith = async (code: number, state: string) => {
    receiver.answer(status(code));
    expect((await check(desk)).status).toBe(202);
    await stateOf(desk, 'signature', state);
  };
  await checkWith(200, 'failed');
  const forged = await db().delivery.findFirst({ where: { applicationId: desk.applicationId, forged: true } });
  expect(forged).toMatchObject({ test: true, state: 'succeeded' });

  await desk.create(taken, { key: randomUUID() });
  await desk.starts();
  await stateOf(desk, 'conflict', 'met');
});

test.concurrent('a signature check sends a genuine and a forged event that differ only in the signature', async (context) => {
  const receiver = await receiverOf(context);
  const desk = await makeDesk();
  expect((await check(desk)).error).toMatchObject({ code: 'endpoint_unavailable', reason: 'no_endpoint' });
  const { secret } = await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
  receiver.answer(status(200));
  expect((await check(desk, { forged: true })).status).toBe(400);
  const from = receiver.received.length;
  const key = randomUUID();
  const { data, requestId } = await post(desk.client, CHECKS, checkSignature, {}, { key });
  const received = await until(
    async () => receiver.received.slice(from),
    ({ length }) => length === 2,
  );
  const ids = received.map(({ headers }) => headers['webhook-id']).sort();
  expect(ids).toEqual(data.events.map(({ id }) => id));
  const genuine = received.filter(({ body, headers }) => {
    try {
      return new Webhook(secret).verify(body, headers);
    } catch {
      return false;
    }
  });
  expect(genuine.length).toBe(1);
  const shapes = received.map(({ headers, body }) => [
    Object.keys(headers),
    headers['webhook-signature']?.length,
    Object.keys(JSON.parse(body)),
  ]);
  expect(shapes[0]).toEqual(shapes[1]);
  // A replay sends nothing more.
  const replay = await post(desk.client, CHECKS, checkSignature, {}, { key });
  expect([replay.data, replay.headers['x-original-request-id']]).toEqual([data, requestId]);
  expect(await db().delivery.count({ where: { applicationId: desk.applicationId } })).toBe(2);
  // At most ten test events wait.
  receiver.answer(() => undefined);
  const codes = [];
  for (let sent = 0; sent < 6; sent += 1) codes.push((await check(desk)).status);
  expect(codes).toContain(429);
  receiver.answer(status(200));
});

test.concurrent('a run of the suite is recorded with the requests that the server has seen, and is no evidence itself', async () => {
  const desk = await makeDesk();
  const suite = { headers: { 'user-agent': SUITE_AGENT } };
  const first = await desk.create(desk.body('09:00'), { ...suite, key: 'of-the-conformance-suite' });
  await desk.create(desk.body('09:00'), { ...suite, key: 'of-the-conformance-suite' });
  await desk.starts();
  const counts = { passed: 120, failed: 1, skipped: 2, calls: 3 };
  const report = (body: object) => post(desk.client, CONFORMANCE, reportConformance, body);
  const { data } = await until(
    () => report({ first_request_id: first.requestId, ...counts }),
    (reply) => reply.data.conformance.seen === 2,
  );
  const { readiness } = (await read(desk)).data;
  expect(readiness).toMatchObject({ met: 0, conformance: { ...data.conformance, ...counts, seen: 2 } });
  // An old id counts the last day, and one of the future nothing.
  const ofOldest = await report({ first_request_id: 'req_01jd8x4t5wf3rbq0zk6m7n8p9v', ...counts });
  const ofFuture = await report({ first_request_id: `req_${'7'.padEnd(26, 'z')}`, ...counts });
  expect([ofOldest, ofFuture].map((reply) => reply.data.conformance.seen)).toEqual([2, 0]);
  for (const [field, value] of [
    ['first_request_id', 'req_'],
    ['first_request_id', first.requestId.replace('req_', 'evt_')],
    ['passed', -1],
    ['calls', 1e9],
    ['skipped', null],
  ] as const) {
    const refused = await report({ first_request_id: first.requestId, ...counts, [field]: value });
    expect([refused.status, refused.error.fields.map(({ path }) => path)]).toEqual([400, [field]]);
  }
  // A request id of another application counts nothing of it.
  const stranger = await makeDesk();
  const foreign = await post(stranger.client, CONFORMANCE, reportConformance, {
    first_request_id: first.requestId,
    ...counts,
  });
  expect(foreign.data.conformance.seen).toBe(0);
  // A hostile run of the suite sends more requests than are judged. It must not displace the own ones.
  const own = await desk.create(desk.body('11:00'), { key: 'of-the-own-code-00001' });
  await desk.create(desk.body('11:00'), { key: 'of-the-own-code-00001' });
  const ids = { tenantId: desk.tenant.id, applicationId: desk.applicationId };
  const hostile = { ...ids, method: 'GET', status: 400, durationMs: 1, userAgent: SUITE_AGENT };
  // Prisma's client would block this process for seconds, and with it the timeouts of the other tests here.
  const logged = Array.from({ length: 5_001 }, () => ({ ...hostile, at: new Date(), requestId: newId('req') }));
  await insertRows(['request_log', logged]);
  expect(own.status).toBe(201);
  await stateOf(desk, 'lost_write', 'met');
});
