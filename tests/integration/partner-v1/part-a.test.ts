import { randomUUID } from 'node:crypto';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { makeDesk } from '@/tests/support/bookings';
import { sharedServer } from '@/tests/support/shared';

/*
 * A client of part A alone (contract A, and the shapes of part B in 0.1.0). It uses none of the schemas and helpers of this
 * repository, so that no later change of them changes what it sends and reads. Never adapt it to an extension: if it fails, the
 * extension breaks clients.
 */

type Json = Record<string, unknown>;

/** What the client reads, with the JSON types of each field. It ignores every other field and header. */
const SERVICE = {
  id: 'string',
  name: 'string',
  description: 'string null',
  category: 'string null',
  duration_minutes: 'number',
  slot_interval_minutes: 'number',
  price: 'object null',
  capacity: 'number',
  min_lead_minutes: 'number',
  max_advance_days: 'number',
  cancellation_cutoff_minutes: 'number',
  location_ids: 'array',
};
const LOCATION = { id: 'string', name: 'string', address: 'object', time_zone: 'string', phone: 'string null' };
const SPECIALIST = {
  id: 'string',
  display_name: 'string',
  title: 'string null',
  description: 'string null',
  image_url: 'string null',
  service_ids: 'array',
  location_ids: 'array',
};
const TIMES = {
  date: 'string',
  start_time: 'string',
  end_time: 'string',
  starts_at: 'string',
  ends_at: 'string',
  time_zone: 'string',
  service_id: 'string',
  location_id: 'string',
};
const SLOT = { ...TIMES, available_capacity: 'number', specialist_ids: 'array' };
const BOOKING = {
  ...TIMES,
  reference: 'string',
  version: 'number',
  status: 'string',
  specialist_id: 'string',
  external_reference: 'string',
  customer: 'object',
  cancellable: 'boolean',
  reschedulable: 'boolean',
  change_deadline: 'string null',
  cancelled_at: 'string null',
  cancelled_by: 'string null',
  created_at: 'string',
  updated_at: 'string',
};
const ERROR = { code: 'string', message: 'string', reason: 'string null', fields: 'array', doc_url: 'string' };

const kindOf = (value: unknown) => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Fails if a field that the client reads is missing or has another type. */
function expectShape(value: unknown, shape: Record<string, string>): Json {
  const record = value as Json;
  const wrong = Object.entries(shape).filter(([name, kinds]) => !kinds.split(' ').includes(kindOf(record[name])));
  expect(wrong).toEqual([]);
  return record;
}

const list = (data: Json, name: string, shape: Record<string, string>) =>
  (data[name] as Json[]).map((one) => expectShape(one, shape));

function clientOf(key: string) {
  return async (method: 'GET' | 'POST', path: string, body?: object, idempotencyKey = randomUUID()) => {
    const { statusCode: status, ...response } = await request(`${sharedServer().origin}/api/partner/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { headers } = response;
    const { data, error, meta } = JSON.parse(await response.body.text()) as { data: Json; error: Json; meta: Json };
    expect(meta).toEqual({ request_id: headers['x-request-id'], version: 'v1' });
    expect([headers['content-type'], headers['cache-control'], headers['referrer-policy']]).toEqual([
      'application/json; charset=utf-8',
      'private, no-store',
      'no-referrer',
    ]);
    for (const name of ['limit', 'remaining', 'reset']) expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
    if (status >= 400) expectShape(error, ERROR);
    const isReplay = headers['idempotent-replayed'] === 'true';
    return { status, data, code: error?.code, reason: error?.reason, location: headers.location, isReplay };
  };
}

test('a client of part A alone walks through the six routes, their pages, replays, and refusals unchanged', async () => {
  const desk = await makeDesk({ specialists: 2 });
  const call = clientOf(desk.key);

  const catalog = await call('GET', '/catalog?limit=1');
  const [service] = list(catalog.data, 'services', SERVICE);
  const [location] = list(catalog.data, 'locations', LOCATION);
  expect([catalog.status, kindOf(catalog.data.next_cursor), service?.location_ids]).toEqual([
    200,
    'null',
    [location?.id],
  ]);
  const specialists = await call('GET', `/catalog/specialists?service_id=${service?.id}&limit=1`);
  list(specialists.data, 'specialists', SPECIALIST);
  const further = await call(
    'GET',
    `/catalog/specialists?service_id=${service?.id}&limit=1&cursor=${specialists.data.next_cursor}`,
  );
  expect([further.data.next_cursor, list(further.data, 'specialists', SPECIALIST).length]).toEqual([null, 1]);

  const query = `service_id=${service?.id}&location_id=${location?.id}&date=${desk.body().date}`;
  const slots: Json[] = [];
  for (let cursor: unknown = ''; cursor !== null; ) {
    const page = await call('GET', `/availability?${query}&limit=3${cursor ? `&cursor=${cursor}` : ''}`);
    slots.push(...list(page.data, 'slots', SLOT));
    cursor = page.data.next_cursor;
  }
  const starts = slots.map(({ starts_at }) => Date.parse(String(starts_at)));
  expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
  expect((await call('GET', '/availability')).code).toBe('invalid_request');

  const [first, other] = slots;
  const body = {
    service_id: service?.id,
    location_id: location?.id,
    date: first?.date,
    start_time: first?.start_time,
    external_reference: 'order-of-part-a',
    customer: { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true },
  };
  const key = randomUUID();
  const created = await call('POST', '/bookings', body, key);
  const booking = expectShape(created.data.booking, BOOKING);
  const path = `/bookings/${booking.reference}`;
  expect([created.status, created.location, created.isReplay]).toEqual([201, `/api/partner/v1${path}`, false]);
  expect(booking).toMatchObject({ version: 1, status: 'confirmed', date: first?.date, start_time: first?.start_time });
  expect(booking.customer).toMatchObject({ name: 'Robin Sample', phone_masked: '+49*******234' });
  const replay = await call('POST', '/bookings', { ...body, customer: { ...body.customer } }, key);
  expect([replay.status, replay.isReplay, replay.data]).toEqual([201, true, created.data]);
  const reused = await call('POST', '/bookings', { ...body, start_time: other?.start_time }, key);
  expect([reused.status, reused.code]).toEqual([409, 'idempotency_key_reused']);
  expect((await call('GET', path)).data).toEqual(created.data);
  const found = await call('GET', '/bookings?external_reference=order-of-part-a');
  expect(list(found.data, 'bookings', BOOKING).map(({ reference }) => reference)).toEqual([booking.reference]);

  const to = { expected_version: 1, date: other?.date, start_time: other?.start_time };
  const moved = await call('POST', `${path}/actions/reschedule`, to);
  expect(expectShape(moved.data.booking, BOOKING)).toMatchObject({ version: 2, start_time: other?.start_time });
  const stale = await call('POST', `${path}/actions/cancel`, { expected_version: 1 });
  expect([stale.status, stale.code]).toEqual([409, 'booking_version_conflict']);
  const canceled = await call('POST', `${path}/actions/cancel`, { expected_version: 2, reason: 'customer_request' });
  expect(expectShape(canceled.data.booking, BOOKING)).toMatchObject({ version: 3, status: 'cancelled' });
  const again = await call('POST', `${path}/actions/cancel`, { expected_version: 3 });
  expect([again.status, again.code, again.reason]).toEqual([409, 'booking_unavailable', 'booking_not_active']);

  const stranger = await call('GET', `/bookings/pbr_${'0'.repeat(26)}`);
  expect([stranger.status, stranger.code]).toEqual([404, 'not_found']);
  const composite = await call('POST', '/bookings', { ...body, service_ids: [service?.id] });
  expect([composite.status, composite.code, composite.reason]).toEqual([400, 'invalid_request', 'unknown_field']);
  const anonymous = await clientOf('pbk_test_none')('GET', '/catalog');
  expect([anonymous.status, anonymous.code]).toEqual([401, 'invalid_api_key']);
});
