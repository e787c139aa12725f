import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { parseYaml } from '@redocly/openapi-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { askMetrics, METRICS_TOKEN, type Metrics, readMetrics, sumOf } from '@/tests/support/metrics';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { startReceiver, status } from '@/tests/support/receiver';
import { ago, writeLines } from '@/tests/support/request-lines';
import { startServer, type TestServer } from '@/tests/support/server';
import { sharedServer } from '@/tests/support/shared';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

let database: OwnDatabase;
let server: TestServer;

beforeAll(async () => {
  database = await ownDatabase();
  server = await startServer({
    databaseUrl: database.url,
    env: { METRICS_TOKEN, WEBHOOKS_ALLOW_LOOPBACK: '1', DATA_DIR: tmpdir() },
  });
});

afterAll(async () => {
  await server.stop();
  await database.drop();
});

const bodyFor = ({ service, location }: Awaited<ReturnType<typeof makeBusiness>>, start_time = '10:00') => ({
  service_id: service.id,
  location_id: location.id,
  date: dayAhead(),
  start_time,
  external_reference: 'order-4711',
  customer: CUSTOMER,
});

test('the endpoint does not exist without METRICS_TOKEN, and it requires the token', async () => {
  expect((await askMetrics(sharedServer().origin)).status).toBe(404);
  for (const token of [null, '', 'a-token-for-tests-onlx', `${METRICS_TOKEN}x`, METRICS_TOKEN.slice(0, -1)]) {
    const { status: code, headers, text } = await askMetrics(server.origin, token);
    expect([code, headers['www-authenticate'], text]).toEqual([401, 'Bearer', '']);
  }
  const { status: code, headers } = await askMetrics(server.origin);
  expect([code, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
});

const SPELLINGS = [
  '/api/metrics/',
  '/api/metrics//',
  '/api//metrics',
  '//api/metrics',
  '/./api/metrics',
  '/x/../api/metrics',
  '/x/%2e%2e/api/metrics',
  '/api/%6detrics',
  '/api/%256detrics',
  '/api%2fmetrics',
  '/api/metrics%2f',
  '/api/metrics;x',
  '/api/metrics.rsc',
  '/API/metrics',
  '/api\\metrics',
  '/api/health/',
  '/api/health/live/',
  '/api/health%2flive',
];

test.each(SPELLINGS)('no other spelling of an operator path is served, even with the token: %s', async (path) => {
  const { status: code, text } = await sendRaw(server.origin, path, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  expect([code, text]).toEqual([404, '']);
});

test('guessing the token is limited, and the right token is still accepted', async () => {
  const guesses = await Promise.all(Array.from({ length: 40 }, () => askMetrics(server.origin, 'a-wrong-one-again')));
  const refused = guesses.filter((one) => one.status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect((await askMetrics(server.origin)).status).toBe(200);
});

test('a log entry that retention has not removed is reported with the time by which it is overdue', async () => {
  const { tenant, applicationId } = await makeBusiness();
  await writeLines([{ tenant_id: tenant.id, application_id: applicationId, at: ago(33 * 86_400) }]);
  const overdue = sumOf(await readMetrics(server.origin), 'partner_booking_request_log_overdue_seconds');
  expect(Math.floor(overdue / 86_400)).toBe(3);
});

test('requests, refusals, changes, replays, and attempts are each counted once', async () => {
  const business = await makeBusiness();
  const receiver = await startReceiver(status(500));
  await addEndpoint(business.tenant.id, business.applicationId, receiver.url);
  const before = await readMetrics(server.origin);
  const client = createClient({ origin: server.origin, key: business.key });
  expect((await client(CATALOG)).status).toBe(200);
  const made = await post(client, BOOKINGS, createBooking, bodyFor(business), { key: 'the-same-key-4711' });
  expect((await post(client, BOOKINGS, createBooking, bodyFor(business), { key: 'the-same-key-4711' })).status).toBe(
    201,
  );
  expect((await post(client, BOOKINGS, createBooking, bodyFor(business))).status).toBe(409);
  expect((await createClient({ origin: server.origin })(CATALOG)).status).toBe(401);
  const attempted = 'partner_booking_webhook_attempt_duration_seconds_count{result="http_status"}';
  const after = await until(
    () => readMetrics(server.origin),
    (metrics) => (metrics.get(attempted) ?? 0) > 0 && metrics.get('partner_booking_cache_fresh') === 1,
  );
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const requests = (method: string, route: string, klass: string) =>
    grown(`partner_booking_request_duration_seconds_count{method="${method}",route="${route}",status="${klass}"}`);
  expect(requests('GET', CATALOG, '2xx')).toBe(1);
  expect(requests('GET', CATALOG, '4xx')).toBe(1);
  expect(requests('POST', BOOKINGS, '2xx')).toBe(2);
  expect(requests('POST', BOOKINGS, '4xx')).toBe(1);
  expect(grown('partner_booking_refusals_total{code="booking_unavailable",reason="slot_taken"}')).toBe(1);
  expect(grown('partner_booking_refusals_total{code="invalid_api_key",reason="missing"}')).toBe(1);
  expect(grown('partner_booking_changes_total{change="created",actor="partner"}')).toBe(1);
  expect(grown('partner_booking_replays_total')).toBe(1);
  expect(grown(attempted)).toBe(receiver.received.length);
  // The attempt failed, so the delivery waits for the next attempt.
  expect(after.get('partner_booking_deliveries{state="waiting"}')).toBe(1);
  expect(after.get('partner_booking_cache_fresh')).toBe(1);
  expect(after.get('partner_booking_draining')).toBe(0);
  expect(made.status).toBe(201);
  await receiver.close();
  const { text } = await askMetrics(server.origin);
  const private_ = [business.tenant.id, business.applicationId, business.keyId, business.key, business.service.id];
  for (const one of [...private_, made.data.booking.reference, CUSTOMER.name, CUSTOMER.phone, 'order-4711'])
    expect(text).not.toContain(one);
});

test('keys, endpoints, replication slots, the disk, and readiness are reported by their state', async () => {
  const before = await readMetrics(server.origin);
  const grown = (after: Metrics, name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0);
  const key = (state: string) => `partner_booking_api_keys{state="${state}"}`;
  const endpoint = (state: string) => `partner_booking_webhook_endpoints{state="${state}"}`;
  const ACTIVE = { state: 'active', stateReason: null };
  // The business of each row has a key that ends after the days, and an endpoint.
  const rows = [
    { days: null, endpoint: ACTIVE },
    { days: 8, endpoint: { ...ACTIVE, failing: true } },
    { days: 6, endpoint: { state: 'paused', stateReason: 'owner' } },
    { days: -1, endpoint: { state: 'disabled', stateReason: 'gone' } },
    { days: -8, endpoint: ACTIVE },
    { days: 6, endpoint: ACTIVE, suspendedAt: new Date() },
  ];
  for (const { days, endpoint: data, suspendedAt = null } of rows) {
    const { tenant, applicationId, keyId } = await makeBusiness();
    await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:59995/');
    const expiresAt = days === null ? null : ago(-days * 86_400);
    await db().apiKey.update({ where: { id: keyId }, data: { createdAt: ago(30 * 86_400), expiresAt } });
    await db().webhookEndpoint.update({ where: { applicationId }, data });
    await db().application.update({ where: { id: applicationId }, data: { suspendedAt } });
  }
  const after = await readMetrics(server.origin);
  expect(['valid', 'expiring', 'expired'].map((state) => grown(after, key(state)))).toEqual([2, 1, 1]);
  const states = ['working', 'failing', 'held', 'disabled'];
  expect(states.map((state) => grown(after, endpoint(state)))).toEqual([2, 1, 2, 1]);
  expect(after.get('partner_booking_ready')).toBe(1);
  expect(after.get('partner_booking_data_dir_free_bytes')).toBeGreaterThan(0);
});

test('the ages of the newest backup and of the newest drill are reported once there is one', async () => {
  await claimEnvironment(database.url, { environment: 'TEST', secretKey: env().SECRET_KEY });
  const names = ['partner_booking_backup_age_seconds', 'partner_booking_backup_drill_age_seconds'];
  const ages = async () => {
    const metrics = await readMetrics(server.origin);
    return names.map((name) => Math.floor((metrics.get(name) ?? Number.NaN) / 3_600));
  };
  expect(await ages()).toEqual([Number.NaN, Number.NaN]);
  const record = (hours: number | null, days: number | null) =>
    database.query(
      `UPDATE environment SET backed_up_at = now() - make_interval(hours => $1), drilled_at = now() - make_interval(days => $2)`,
      [hours, days],
    );
  await record(27, 37);
  expect(await ages()).toEqual([27, 37 * 24]);
  await record(null, null);
  expect(await ages()).toEqual([Number.NaN, Number.NaN]);
});

test('a slot without a standby is reported with the log that PostgreSQL keeps for it', async () => {
  const slots = (metrics: Metrics, state: string) => metrics.get(`partner_booking_replication_slots{state="${state}"}`);
  const before = await readMetrics(server.origin);
  const name = `metrics_${process.pid}`;
  await database.query('SELECT pg_create_physical_replication_slot($1, true)', [name]);
  try {
    const after = await readMetrics(server.origin);
    expect((slots(after, 'inactive') ?? 0) - (slots(before, 'inactive') ?? 0)).toBe(1);
    expect(after.get('partner_booking_replication_slot_bytes')).toBeGreaterThanOrEqual(0);
  } finally {
    await database.query('SELECT pg_drop_replication_slot($1)', [name]);
  }
});

test('arbitrary paths and methods do not add series', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  const strange = (i: number) => client(`/api/partner/v1/anything-${i}`, { method: ['PUT', 'BREW', 'GET'][i % 3] });
  await strange(0);
  await strange(1);
  await strange(2);
  const before = [...(await readMetrics(server.origin)).keys()].filter((name) => name.startsWith('partner_'));
  for (let i = 3; i < 30; i += 1) await strange(i);
  const after = [...(await readMetrics(server.origin)).keys()].filter((name) => name.startsWith('partner_'));
  expect(after.sort()).toEqual(before.sort());
});

test('while the database is unavailable, other metrics are still reported and lost log entries are counted', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  await database.shut();
  expect((await client(CATALOG)).status).toBeGreaterThanOrEqual(200);
  const unavailable = await until(
    () => readMetrics(server.origin),
    (metrics) =>
      sumOf(metrics, 'partner_booking_request_log_unwritten_lines_total') > 0 &&
      sumOf(metrics, 'partner_booking_cache_fresh') === 0,
  );
  expect([...unavailable.keys()].filter((name) => name.startsWith('partner_booking_deliver'))).toEqual([]);
  expect(unavailable.get('partner_booking_ready')).toBe(0);
  expect([...unavailable.keys()].filter((name) => /_(keys|endpoints|slots)\{/.test(name))).toEqual([]);
  expect(sumOf(unavailable, 'process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  await database.open();
  await until(
    () => readMetrics(server.origin),
    (metrics) => metrics.has('partner_booking_deliveries{state="held"}'),
  );
});

type AlertFile = { groups: { rules: { expr: string; labels: object; annotations: object }[] }[] };

test('every metric of the alerts exists', async () => {
  const { text } = await askMetrics(server.origin);
  const file = parseYaml(await readFile('deploy/prometheus/alerts.yml', 'utf8')) as AlertFile;
  const rules = file.groups.flatMap((group) => group.rules);
  for (const { annotations, labels } of rules)
    expect([annotations, labels]).toEqual([
      { summary: expect.any(String), action: expect.any(String), runbook_url: expect.any(String) },
      { severity: expect.stringMatching(/^(critical|warning)$/) },
    ]);
  const expressions = rules.map(({ expr }) => expr);
  for (const [metric] of expressions.join('\n').matchAll(/\b(?:partner_booking|nodejs|process)_\w+/g))
    expect(text).toMatch(new RegExp(`^# TYPE ${metric.replace(/_(count|sum|bucket)$/, '')} `, 'm'));
  expect(expressions.length).toBeGreaterThan(10);
});

test('the documentation lists exactly the existing metrics', async () => {
  const { text } = await askMetrics(server.origin);
  const served = [...text.matchAll(/^# TYPE (partner_booking_\w+) /gm)].map(([, name]) => name);
  const page = await readFile('docs/monitoring.md', 'utf8');
  const listed = [...page.matchAll(/^\| `(partner_booking_\w+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual(served.sort());
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    expect(text).toContain(`# TYPE ${name} `);
    expect(page).toContain(`\`${name}\``);
  }
});
