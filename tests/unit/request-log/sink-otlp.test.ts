import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { counters } from '@/lib/activity/metrics/counters';
import { createOtlpSink } from '@/lib/activity/request-log/sink-otlp';
import { createQueue } from '@/lib/activity/request-log/sink-queue';
import {
  type Answering,
  endless,
  hang,
  type Receiver,
  reset,
  startRaw,
  startReceiver,
  status,
} from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { entriesFrom, entryOf } from './entries';

const UNUSED = { DATABASE_URL: 'postgresql://127.0.0.1:1/none', SECRET_KEY: 'a secret for this file, never used' };

let receiver: Receiver;

beforeAll(async () => {
  Object.assign(process.env, { ...UNUSED, METRICS_TOKEN: 'a-token-for-tests-only', LOG_LEVEL: 'silent' });
  receiver = await startReceiver();
});

beforeEach(() => {
  receiver.received.length = 0;
  receiver.answer(status(200, {}, '{}'));
});

afterAll(async () => {
  await receiver.close();
});

const OPEN = new AbortController().signal;
const sinkTo = (url: string, timeout?: number) =>
  createOtlpSink({
    url,
    timeout,
    headers: { authorization: 'Bearer abc' },
    resource: { 'service.name': 'partner-booking' },
  });

/**
 * Sends two entries to the receiver, whose response `answering` determines. Returns the result of the sink's `send`.
 */
async function sendTwo(answering: Answering, timeout?: number): Promise<number> {
  receiver.answer(answering);
  const sink = sinkTo(receiver.url, timeout);
  try {
    return await sink.send(entriesFrom(1, 2).map(sink.encode), OPEN);
  } finally {
    await sink.close();
  }
}

type Attribute = { key: string; value: object };

test('the request is OTLP in JSON: fields that are not null are attributes', async () => {
  const sink = sinkTo(receiver.url);
  const refused = entryOf(1, {
    ...{ method: 'POST', status: 409, code: 'booking_unavailable', reason: 'slot_taken', invalid_fields: ['a', 'b'] },
    refused: { service_id: 'svc_1' },
  });
  await sink.send([sink.encode(refused), sink.encode(entryOf(2, { route: null, status: 503 }))], OPEN);
  await sink.close();
  const [request] = receiver.received;
  expect(request?.headers).toMatchObject({ 'content-type': 'application/json', authorization: 'Bearer abc' });
  const { resourceLogs } = JSON.parse(request?.body ?? '');
  expect(resourceLogs[0].resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'partner-booking' } },
  ]);
  const [first, second] = resourceLogs[0].scopeLogs[0].logRecords;
  expect(first).toMatchObject({ timeUnixNano: '1795341600123000000', severityNumber: 13, severityText: 'WARN' });
  expect(first.body).toEqual({ stringValue: 'POST /api/partner/v1/catalog 409 booking_unavailable' });
  expect(second).toMatchObject({ severityText: 'ERROR', body: { stringValue: 'GET unknown route 503' } });
  const attributes = Object.fromEntries(first.attributes.map(({ key, value }: Attribute) => [key, value]));
  expect(attributes).toEqual({
    request_id: { stringValue: 'req_1' },
    at: { stringValue: '2026-11-22T10:00:00.123Z' },
    tenant_id: { stringValue: 'tnt_1' },
    method: { stringValue: 'POST' },
    route: { stringValue: '/api/partner/v1/catalog' },
    status: { intValue: '409' },
    code: { stringValue: 'booking_unavailable' },
    reason: { stringValue: 'slot_taken' },
    invalid_fields: { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } },
    duration_ms: { doubleValue: 1.25 },
    refused: { kvlistValue: { values: [{ key: 'service_id', value: { stringValue: 'svc_1' } }] } },
  });
});

const partial = (rejected: unknown) =>
  status(200, {}, JSON.stringify({ partialSuccess: { rejectedLogRecords: rejected } }));

test.each<[string, Answering, number]>([
  ['200', status(200, {}, '{}'), 0],
  ['200 that rejects one record', partial('1'), 1],
  ['200 that rejects a negative number', partial(-5), 0],
  ['200 with a body that is not JSON', status(200, {}, '<html>'), 0],
  ['200 with null', status(200, {}, 'null'), 0],
  ['200 with an endless body', endless, 0],
  ['200 with a body that never ends', (_, res) => void res.writeHead(200).write('{'), 0],
  ['a redirect', status(307, { location: 'http://127.0.0.1:1/' }), 2],
  ['400', status(400), 2],
  ['500', status(500), 2],
])('%s is final', async (_, answering, rejected) => {
  expect(await sendTwo(answering)).toBe(rejected);
  expect(receiver.received).toHaveLength(1);
});

test.each<[string, Answering]>([
  ['429', status(429)],
  ['503', status(503)],
  ['a response that never begins', hang],
  ['a closed connection', reset],
])('after %s, the batch must be sent again', async (_, answering) => {
  await expect(sendTwo(answering, answering === hang ? 300 : undefined)).rejects.toThrow();
});

test('a garbage collection does not remove the time limit', async () => {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const sending = sendTwo(hang, 300);
  const timer = setInterval(collect, 50);
  try {
    await expect(sending).rejects.toThrow();
  } finally {
    clearInterval(timer);
  }
}, 30_000);

test.each(['', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`, 'nonsense\r\n\r\n'])(
  'after a response that is not HTTP, or has huge headers, the batch must be sent again',
  async (bytes) => {
    const raw = await startRaw(bytes || null);
    const sink = sinkTo(`http://127.0.0.1:${raw.port}/v1/logs`);
    await expect(sink.send([sink.encode(entryOf(1))], OPEN)).rejects.toThrow();
    await sink.close();
    await raw.close();
  },
);

const FAST = { collect: 1, pause: 5, longestPause: 20 };

async function counted(result: 'written' | 'dropped'): Promise<number> {
  const { values } = (await counters()?.sinkEntries.get()) ?? { values: [] };
  return values.find(({ labels }) => labels.sink === 'otlp' && labels.result === result)?.value ?? 0;
}

test('entries wait for an endpoint that is down, in order, and none is lost', async () => {
  let failures = 0;
  receiver.answer((one, res, req) => {
    failures += 1;
    if (failures <= 3) return ([status(503), reset, hang][failures - 1] ?? hang)(one, res, req);
    res.writeHead(200).end('{}');
  });
  const before = await counted('written');
  const queue = createQueue(sinkTo(receiver.url, 3_000), { ...FAST, entries: 10 });
  for (const entry of entriesFrom(1, 25)) queue.offer(entry);
  await until(
    async () => queue.queued(),
    (left) => left === 0,
  );
  const batches = receiver.received.map(({ body }) =>
    [...body.matchAll(/"stringValue":"(req_\d+)"/g)].map(([, id]) => id),
  );
  expect(batches.map(({ length }) => length)).toEqual([10, 10, 10, 10, 10, 5]);
  const acknowledged = batches.slice(3).flat();
  expect(acknowledged).toEqual(entriesFrom(1, 25).map(({ request_id }) => request_id));
  expect((await counted('written')) - before).toBe(25);
  await queue.close(100);
});

test('memory is bounded: entries above the limit are dropped and counted, and a stop does not wait for a dead sink', async () => {
  receiver.answer(hang);
  const before = await counted('dropped');
  const queue = createQueue(sinkTo(receiver.url, 60_000), { ...FAST, queue: 20_000 });
  for (const entry of entriesFrom(1, 1_000)) queue.offer(entry);
  const kept = queue.queued();
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(100);
  expect((await counted('dropped')) - before).toBe(1_000 - kept);
  await until(
    async () => receiver.received.length,
    (requests) => requests === 1,
  );
  const begun = performance.now();
  await queue.close(200);
  expect(performance.now() - begun).toBeLessThan(30_000);
  expect((await counted('dropped')) - before).toBe(1_000);
  queue.offer(entryOf(1));
  expect(queue.queued()).toBe(0);
});

test('a stop tries once more what waits for a retry', async () => {
  receiver.answer(status(503, { 'retry-after': '3600' }));
  const queue = createQueue(sinkTo(receiver.url), FAST);
  queue.offer(entryOf(1));
  await until(
    async () => receiver.received.length,
    (requests) => requests === 1,
  );
  receiver.answer(status(200, {}, '{}'));
  const before = await counted('written');
  await queue.close(30_000);
  expect((await counted('written')) - before).toBe(1);
});
