import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { cancelBooking, createBooking } from '@/lib/contract/operations';
import { actionPath, BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { METRICS_TOKEN, readMetrics } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';
import { rowOf } from './rows';

let database: OwnDatabase;
let server: TestServer;
let directory: string;
let path: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'log-copy-'));
  path = join(directory, 'requests.ndjson');
  database = await ownDatabase();
  const env = { WORKERS: '2', METRICS_TOKEN, REQUEST_LOG_FILE: path };
  server = await startServer({ databaseUrl: database.url, env });
});

afterAll(async () => {
  await server?.stop();
  await database.drop();
  await rm(directory, { recursive: true });
});

/** Returns the entries in the given files of the directory, by request id. Fails if a line is incomplete. */
async function entriesIn(...names: string[]): Promise<Map<string, LogEntry>> {
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8').catch(() => '')));
  const lines = texts.flatMap((text) => text.split('\n').slice(0, -1));
  return new Map(lines.map((line) => JSON.parse(line)).map((entry: LogEntry) => [entry.request_id, entry]));
}

/** Waits until the file has the entries of these requests. */
const found = (ids: string[]) =>
  until(
    () => entriesIn('requests.ndjson'),
    (entries) => ids.every((id) => entries.has(id)),
  );

test('each request, successful or refused, is one line with the fields of its row, and none contains a customer', async () => {
  const { key, service, location } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  const ids = { service_id: service.id, location_id: location.id };
  const body = { ...ids, date: dayAhead(), start_time: '10:00', external_reference: 'order-12', customer: CUSTOMER };
  const made = await post(client, BOOKINGS, createBooking, body, { key: 'an-idempotency-key-12' });
  const { reference, version } = made.data.booking;
  const cancel = { expected_version: version };
  const replies = [
    made,
    await post(client, BOOKINGS, createBooking, body, { key: 'an-idempotency-key-12' }),
    await post(client, BOOKINGS, createBooking, body),
    await post(client, actionPath(reference, 'cancel'), cancelBooking, cancel),
    await client(CATALOG),
    await client(`${CATALOG}?limit=many`),
    await createClient({ origin: server.origin })(CATALOG),
  ];
  expect(replies.map((reply) => reply.status)).toEqual([201, 201, 409, 200, 200, 400, 401]);
  const requestIds = replies.map(({ requestId }) => requestId);
  const entries = await found(requestIds);
  for (const id of requestIds) {
    const row = await rowOf(id);
    const hash = row.idempotency_key_hash as Buffer | null;
    const expected = {
      ...row,
      at: (row.at as Date).toISOString(),
      idempotency_key_hash: hash?.toString('hex') ?? null,
    };
    expect(entries.get(id)).toEqual(expected);
  }
  const everything = JSON.stringify([...entries]);
  for (const secret of [CUSTOMER.name, CUSTOMER.phone, key, 'an-idempotency-key-12'])
    expect(everything).not.toContain(secret);
});

test('while the file is renamed, requests are served as before, and the files have every entry', async () => {
  const { key } = await makeBusiness();
  const sent: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    // Each client opens a new connection, so that connections, and thus requests, reach both workers.
    const clients = Array.from({ length: 10 }, () => createClient({ origin: server.origin, key }));
    const replies = await Promise.all(clients.map((client) => client(CATALOG)));
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    sent.push(...replies.map(({ requestId }) => requestId));
    if (round < 3) await found(replies.map(({ requestId }) => requestId).slice(0, 1));
    if (round < 3) await rename(path, join(directory, `requests.${round}`));
  }
  for (const id of sent) await rowOf(id);
  const all = ['requests.ndjson', 'requests.0', 'requests.1', 'requests.2'];
  await until(
    () => entriesIn(...all),
    (entries) => sent.every((id) => entries.has(id)),
  );
  const metrics = await readMetrics(server.origin);
  expect(metrics.get('partner_booking_request_log_copy_waiting_lines')).toBe(0);
  expect(metrics.get('partner_booking_request_log_copy_lines_total{result="written"}')).toBeGreaterThan(40);
});

// This test must be the last test, because it stops the server.
test('a stop writes what waits for the file', async () => {
  const { key } = await makeBusiness();
  const clients = Array.from({ length: 20 }, () => createClient({ origin: server.origin, key }));
  const replies = await Promise.all(clients.map((client) => client(CATALOG)));
  await server.stop();
  const entries = await entriesIn('requests.ndjson');
  expect(replies.filter(({ requestId }) => !entries.has(requestId))).toEqual([]);
});
