import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { findRecords } from '@/lib/control-center/find/find';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { memberOf } from '../control-center/requests-lines';
import { rowOf } from './rows';

const DATE = dayAhead();
const NOTHING = { booking_reference: null, external_reference: null, refused: null };

let desk: Desk;
/** The expected field `refused` of the log entry after the server refused to create a booking at 10:00. */
let asked: object;

beforeAll(async () => {
  desk = await makeDesk();
  asked = { service_id: desk.service.id, location_id: desk.location.id, date: DATE, start_time: '10:00' };
  await desk.book();
});

/** Returns the fields of the log entry that state what a refused write requested. */
async function storedOf({ requestId }: { requestId: string }) {
  const { booking_reference, external_reference, refused } = await rowOf(requestId);
  return { booking_reference, external_reference, refused };
}

test('a refused create is stored with its service, location, specialist, start, and external reference', async () => {
  const [specialist_id] = desk.ids;
  const taken = await desk.create(desk.body('10:00', { specialist_id, external_reference: 'INV 1/ä' }));
  expect(taken.error.reason).toBe('slot_taken');
  const stored = { booking_reference: null, external_reference: 'INV 1/ä', refused: { ...asked, specialist_id } };
  expect(await storedOf(taken)).toEqual(stored);
  const unplaced = await desk.create(desk.body('10:00', { location_id: null }));
  expect(await storedOf(unplaced)).toMatchObject({ external_reference: 'order-4711', refused: asked });
});

test('a forced 503 is stored with its external reference, and with nothing else that it requested', async () => {
  const forced = await desk.create(desk.body('10:00', { external_reference: 'test:503:order-9' }));
  expect(forced.status).toBe(503);
  expect(await storedOf(forced)).toEqual({ ...NOTHING, external_reference: 'test:503:order-9' });
});

test('a reused idempotency key is stored with the second request, a success and a replay with neither', async () => {
  const sending = { key: randomUUID() };
  const made = await desk.create(desk.body('12:00', { external_reference: 'INV-12' }), sending);
  const replay = await desk.create(desk.body('12:00', { external_reference: 'INV-12' }), sending);
  const reused = await desk.create(desk.body('13:00', { external_reference: 'INV-13' }), sending);
  expect([made.status, replay.status, reused.error.code]).toEqual([201, 201, 'idempotency_key_reused']);
  for (const success of [made, replay]) {
    expect(await storedOf(success)).toMatchObject({ external_reference: 'INV-12', refused: null });
  }
  const refused = { ...asked, start_time: '13:00' };
  expect(await storedOf(reused)).toEqual({ booking_reference: null, external_reference: 'INV-13', refused });
});

test('a refused change is stored with its booking: a reschedule with the requested start, a cancel with the old', async () => {
  const { reference, specialist_id } = await desk.book('14:00', { external_reference: 'INV-14' });
  const known = { booking_reference: reference, external_reference: 'INV-14' };
  const moved = await desk.reschedule(reference, { expected_version: 1, date: DATE, start_time: '10:00' });
  expect(moved.error.reason).toBe('slot_taken');
  expect(await storedOf(moved)).toEqual({ ...known, refused: asked });
  const cancel = await desk.cancel(reference, { expected_version: 9 });
  expect(cancel.error.code).toBe('booking_version_conflict');
  expect(await storedOf(cancel)).toEqual({ ...known, refused: { ...asked, specialist_id, start_time: '14:00' } });
  const unread = await desk.cancel(reference, { expected_version: 'x' });
  expect(await storedOf(unread)).toEqual(NOTHING);
});

test('the booking of another application is not stored', async () => {
  const stranger = await makeDesk();
  const { reference } = await stranger.book('15:00');
  const cancel = await desk.cancel(reference);
  expect(cancel.status).toBe(404);
  expect(await storedOf(cancel)).toEqual(NOTHING);
});

const INVALID: readonly (readonly [field: string, values: unknown[]])[] = [
  ['service_id', ['svc_', 'Robin Sample', `svc_${'u'.repeat(26)}`, ['svc'], { id: 'Robin Sample' }, 7]],
  ['location_id', ['+49 30 5550 1234', `${newId('loc')} `, newId('svc')]],
  ['specialist_id', ['robin@sample.example', `x${newId('spc')}`]],
  ['date', ['2026-02-30', '2026-1-1', `${DATE}T10:00`, `${DATE}\n`, '+493055501234']],
  ['start_time', ['24:00', '9:30', '10:00:00', '10:00\u0000', 'Robin Sample']],
  ['external_reference', ['x'.repeat(129), 'x'.repeat(15_000), 'a\u0000b', 'a\nb', '\ud800', '', { name: 'x' }, 4711]],
];

test('a value is stored only if its format is valid', async () => {
  const each = INVALID.flatMap(([field, values]) => values.map((value) => ({ field, value })));
  const stored = async ({ field, value }: (typeof each)[number]) => {
    const reply = await desk.create(desk.body('10:00', { [field]: value }));
    expect(reply.status).toBeGreaterThanOrEqual(400);
    const { external_reference, refused } = await storedOf(reply);
    return { field, value, ...(refused as object), external_reference: external_reference ?? undefined };
  };
  const expected = each.map(({ field, value }) => {
    return { field, value, ...asked, external_reference: 'order-4711', [field]: undefined };
  });
  expect(await Promise.all(each.map(stored))).toEqual(expected);
});

test('customer data is not stored, whatever field contains it', async () => {
  const { name, phone } = CUSTOMER;
  const wrong = [
    ...[name, 'ROBIN-SAMPLE', phone, '3055501234', 'robin@sample.example'].map((text) => ({
      external_reference: text,
    })),
    { email: 'robin@sample.example', notes: 'robin sample', phone },
    { external_reference: name, customer: { ...CUSTOMER, phone: '5550' } },
    { external_reference: name, customer: name },
    { service_id: name, location_id: phone, specialist_id: name, date: phone, start_time: name },
  ];
  const { reference } = await desk.book('16:00');
  const replies = [
    ...(await Promise.all(wrong.map((more) => desk.create(desk.body('10:00', more))))),
    await desk.create(desk.body('10:00', { external_reference: `${name} `.repeat(5_000) })),
    await desk.reschedule(reference, { expected_version: 9, date: name, start_time: phone, specialist_id: name }),
    await desk.cancel(reference, { expected_version: 9, reason: name, service_id: name, external_reference: name }),
  ];
  expect(replies.filter(({ status }) => status < 400)).toEqual([]);
  const rows = await Promise.all(replies.map(({ requestId }) => rowOf(requestId)));
  expect(JSON.stringify(rows)).not.toMatch(/robin|5550/i);
});

test('an order number finds its refused writes, in the list and in the palette, only of its own business', async () => {
  const taken = await desk.create(desk.body('10:00', { external_reference: 'INV-20' }));
  await rowOf(taken.requestId);
  const stranger = await makeDesk();
  const idsFor = async (tenantId: string) => {
    const { data } = await memberOf(tenantId)('requests.list', { reference: 'INV-20', period: '30d' });
    return (data as { rows: { request_id: string }[] }).rows.map(({ request_id }) => request_id);
  };
  expect([await idsFor(desk.tenant.id), await idsFor(stranger.tenant.id)]).toEqual([[taken.requestId], []]);
  const find = (tenantId: string) => findRecords({ tenantId, mayViewPartners: true }, 'INV-20');
  expect(await find(desk.tenant.id)).toMatchObject([{ kind: 'reference', id: 'INV-20' }]);
  expect(await find(stranger.tenant.id)).toEqual([]);
});

test('the page of a request names its records, but no records of another business', async () => {
  const stranger = await makeDesk();
  const [specialist_id] = desk.ids;
  const named = await desk.create(desk.body('10:00', { specialist_id, location_id: null }));
  const strange = await desk.create(desk.body('10:00', { service_id: stranger.service.id }));
  const refusedOf = async ({ requestId }: { requestId: string }) => {
    await rowOf(requestId);
    const { data } = await memberOf(desk.tenant.id, 'SUPPORT')('requests.get', { request_id: requestId });
    return data as { refused: object; external_reference: string };
  };
  const location = { id: desk.location.id, name: 'Studio', time_zone: 'Europe/Berlin' };
  expect(await refusedOf(named)).toMatchObject({
    refused: {
      service: { id: desk.service.id, name: 'Haircut' },
      location,
      specialist: { id: specialist_id, name: expect.any(String) },
      date: DATE,
      start_time: '10:00',
    },
    external_reference: 'order-4711',
  });
  expect(await refusedOf(strange)).toMatchObject({
    refused: { service: { id: stranger.service.id, name: null }, location, specialist: null },
  });
});
