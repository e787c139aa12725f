import { expect, test } from 'vitest';
import { bookingRow, claimsOf, countRows } from '@/tests/support/booking-rows';
import { BOOKINGS, CUSTOMER, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';
import { localInstant } from '@/tests/support/schedules';

test('returns exactly the fields of the contract and the path of the booking in Location', async () => {
  const { create, body, service, location, ids, read } = await makeDesk({ service: { cancellationCutoffMinutes: 90 } });
  const startedAt = Date.now();
  const { status, data, headers } = await create(body('10:00'));
  const endedAt = Date.now();
  expect(status).toBe(201);
  const { reference, created_at } = data.booking;
  const date = dayAhead();
  expect(data.booking).toEqual({
    reference,
    version: 1,
    status: 'confirmed',
    service_id: service.id,
    location_id: location.id,
    specialist_id: ids[0],
    date,
    start_time: '10:00',
    end_time: '10:30',
    starts_at: localInstant(date, '10:00', 'Europe/Berlin'),
    ends_at: localInstant(date, '10:30', 'Europe/Berlin'),
    time_zone: 'Europe/Berlin',
    external_reference: 'order-4711',
    price: null,
    customer: { name: 'Robin Sample', phone_masked: '+49*******234', email_masked: null, locale: null },
    cancellable: true,
    reschedulable: true,
    change_deadline: new Date(Date.parse(localInstant(date, '08:30', 'Europe/Berlin'))).toISOString(),
    cancelled_at: null,
    cancelled_by: null,
    created_at,
    updated_at: created_at,
    note_characters: null,
    metadata: null,
  });
  expect(headers.location).toBe(`${BOOKINGS}/${reference}`);
  expect(headers['idempotent-replayed']).toBeUndefined();
  expect(Date.parse(created_at)).toBeGreaterThanOrEqual(startedAt);
  expect(Date.parse(created_at)).toBeLessThanOrEqual(endedAt);
  expect((await read(reference)).data).toEqual(data);
});

test('writes one booking, one claim, one event and one idempotency key', async () => {
  const { create, body, tenant, service, location, ids } = await makeDesk({
    service: { bufferBeforeMinutes: 5, bufferAfterMinutes: 10 },
  });
  const { data } = await create(body('10:00'));
  expect(await countRows(tenant.id)).toEqual({ bookings: 1, claims: 1, events: 1, keys: 1 });
  const [claim] = await claimsOf(tenant.id);
  const at = (time: string) => new Date(localInstant(dayAhead(), time, 'Europe/Berlin'));
  expect(claim).toMatchObject({
    specialist_id: ids[0],
    service_id: service.id,
    location_id: location.id,
    starts_at: at('10:00'),
    ends_at: at('10:30'),
    capacity: 1,
    taken: 1,
  });
  expect(await bookingRow(data.booking.reference)).toMatchObject({ claim_id: claim?.id, tenant_id: tenant.id });
  const stamp = (time: string) => at(time).toISOString().slice(0, 19).replace('T', ' ');
  expect(claim?.during).toBe(`["${stamp('09:55')}+00","${stamp('10:40')}+00")`);
});

test('generates references that reveal neither time nor order', async () => {
  const { book } = await makeDesk();
  const [one, two] = [await book('10:00'), await book('11:00')];
  expect(one.reference).not.toBe(two.reference);
  expect(one.reference.slice(0, 12)).not.toBe(two.reference.slice(0, 12));
});

test('stores the time of consent', async () => {
  const { book } = await makeDesk();
  const { reference, created_at } = await book();
  expect((await bookingRow(reference)).consent_at).toEqual(new Date(created_at));
});

test('defaults to the one allowed location that offers the service', async () => {
  const { tenant, service, specialists, body, location } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id, { timeZone: 'Asia/Tokyo' }),
    makeLocation(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, specialists, [service], [elsewhere, closed]);
  const here = partnerOf((await makeApplication(tenant.id, { allLocations: false, locationIds: [location.id] })).key);
  const there = partnerOf(
    (await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id, closed.id] })).key,
  );
  expect((await here.create(body('10:00', { location_id: undefined }))).data.booking.location_id).toBe(location.id);
  const { booking } = (await there.create(body('10:00', { location_id: undefined }))).data;
  expect(booking).toMatchObject({ location_id: elsewhere.id, time_zone: 'Asia/Tokyo', start_time: '10:00' });
  expect(booking.starts_at).toBe(`${dayAhead()}T10:00:00+09:00`);
});

const PHONES = [
  ['+49 30 5550 1234', '+49*******234'],
  ['+1 (212) 555-0100', '+1*******100'],
  ['+44.20.7946.0000', '+44*******000'],
  ['+1234567', '+1***567'],
  ['+123456789012345', '+1***********345'],
  ['+358401234567', '+358******567'],
  ['+999 000 000 111', '+999******111'],
  ['  +(49) - 171 - 555 01 99  ', '+49*******199'],
  ['+49\u00a030\u20135550\u20131234', '+49*******234'],
  ['\u202a+49 30 5550 1234\u202c', '+49*******234'],
  ['+44 (0)20 7946 0018', '+44*******018'],
] as const;

test('normalizes a phone, and returns it masked', async () => {
  const { book } = await makeDesk({ service: { capacity: PHONES.length } });
  for (const [phone, masked] of PHONES) {
    const { customer } = await book('10:00', { customer: { ...CUSTOMER, phone } });
    expect([phone, customer]).toMatchObject([phone, { name: CUSTOMER.name, phone_masked: masked }]);
  }
});

const NAMES = [
  'R',
  '  Robin  ',
  'Zoë Müller-Žižek',
  '山田 太郎',
  "O'Brien",
  '👩‍👩‍👧 Family',
  'x'.repeat(200),
  '😀'.repeat(200),
];

test('stores a name of 1 to 200 characters unchanged except for surrounding white space', async () => {
  const { create, body } = await makeDesk({ service: { capacity: 20 } });
  for (const name of NAMES) {
    const { status, data } = await create(body('10:00', { customer: { ...CUSTOMER, name } }));
    expect([status, data.booking.customer.name]).toEqual([201, name.trim()]);
  }
});

test('books an appointment of eight hours up to closing time', async () => {
  const { tenant, specialists, location, create, body } = await makeDesk();
  const long = await makeService(tenant.id, { durationMinutes: 480 });
  await offer(tenant.id, specialists, [long], [location]);
  const { data } = await create(body('09:00', { service_id: long.id }));
  expect(data.booking).toMatchObject({
    end_time: '17:00',
    ends_at: localInstant(dayAhead(), '17:00', 'Europe/Berlin'),
  });
});

test('accepts any member order, white space, escapes and charset spelling', async () => {
  const { create, body } = await makeDesk();
  const text = `\r\n ${JSON.stringify(Object.fromEntries(Object.entries(body()).reverse()), null, 4)}\t`;
  const headers = { 'content-type': 'Application/JSON ; charset="UTF-8"' };
  expect((await create(text.replace('Robin', '\\u0052obin'), { headers })).data.booking.customer.name).toBe(
    'Robin Sample',
  );
});
