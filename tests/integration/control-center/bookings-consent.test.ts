import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { bookingRow } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeMember } from './applications-people';

async function makeHouse() {
  const house = await makeDesk();
  const desk = await makeMember(house.tenant.id, 'FRONT_DESK', 'Dora Desk');
  const found = async () => {
    const { data } = await desk.mutate('bookings.find_by_phone', { phone: CUSTOMER.phone });
    return (data as { bookings: { reference: string }[] }).bookings.map(({ reference }) => reference);
  };
  const set = (reference: string, withdrawn: boolean) =>
    desk.mutate('bookings.set_consent_withdrawn', { reference, withdrawn });
  const entries = () =>
    db().auditLog.findMany({
      where: { tenantId: house.tenant.id, action: { startsWith: 'booking.consent_' } },
      orderBy: { id: 'asc' },
    });
  return { ...house, desk, found, set, entries };
}

test('a booking keeps how and to which text the customer consented', async () => {
  const { book, desk } = await makeHouse();
  const customer = { ...CUSTOMER, consent_source: 'checkout page', consent_text_version: '2026-05' };
  const { reference } = await book('10:00', { customer });
  const plain = await book('11:00', { customer: { ...CUSTOMER, consent_source: null } });
  expect((await desk.query('bookings.get', { reference })).data).toMatchObject({
    consent_source: 'checkout page',
    consent_text_version: '2026-05',
    consent_withdrawn_at: null,
  });
  expect(await bookingRow(plain.reference)).toMatchObject({ consent_source: null, consent_text_version: null });
});

test.each(['', ' x', 'x'.repeat(101), 'anna@example.com', 'line\nbreak', 1, true])(
  'refuses %j as a label of consent at its field',
  async (label) => {
    const { create, body } = await makeHouse();
    const reply = await create(body('10:00', { customer: { ...CUSTOMER, consent_source: label } }));
    expect(reply).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'customer.consent_source' }] },
    });
  },
);

test('after a withdrawal only the page of the booking has the contact, and the withdrawal can be undone', async () => {
  const { book, create, body, read, desk, found, set, entries } = await makeHouse();
  const key = 'consent-replay-000001';
  const { reference, version } = await book('10:00', {}, { key });
  expect(await found()).toEqual([reference]);
  expect(await set(reference, true)).toMatchObject({ status: 200 });
  expect(await found()).toEqual([]);
  const hidden = { name: null, phone_masked: null };
  expect((await read(reference)).data.booking).toMatchObject({ version, customer: hidden });
  expect((await create(body('10:00'), { key })).data.booking).toMatchObject({ reference, customer: hidden });
  const page = (await desk.query('bookings.get', { reference })).data;
  expect(page).toMatchObject({ consent_withdrawn_at: expect.any(String), customer: { name_masked: 'R***' } });
  expect((await desk.mutate('bookings.contact', { reference })).data).toMatchObject({
    customer: { name: CUSTOMER.name },
  });
  await set(reference, true);
  expect(await entries()).toMatchObject([
    { action: 'booking.consent_withdrawn', objectId: reference, after: { date: dayAhead(), start_time: '10:00' } },
  ]);
  await set(reference, false);
  expect(await found()).toEqual([reference]);
  expect((await read(reference)).data.booking).toMatchObject({ version, customer: { name: CUSTOMER.name } });
  expect((await entries()).map(({ action }) => action)).toEqual([
    'booking.consent_withdrawn',
    'booking.consent_restored',
  ]);
});

test('consent of an unknown or anonymized customer cannot be withdrawn', async () => {
  const { book, set } = await makeHouse();
  const { reference } = await book('10:00');
  await db().booking.update({ where: { reference }, data: { customerName: null, customerPhone: null } });
  expect(await set(reference, true)).toMatchObject({ status: 404 });
  expect(await set('pbr_7h2k9m4n8q1r5t3v6w0x2y4z8a', true)).toMatchObject({ status: 404 });
});

test('in TEST, a phone number that may belong to a person is marked', async () => {
  const { book, desk } = await makeHouse();
  const real = await book('10:00', { customer: { ...CUSTOMER, phone: '+49 30 5550 1234' } });
  const reserved = await book('11:00', { customer: { ...CUSTOMER, phone: '+49 30 23125 234' } });
  const marked = async (reference: string) =>
    ((await desk.query('bookings.get', { reference })).data as { maybe_real_phone: boolean }).maybe_real_phone;
  expect(await marked(real.reference)).toBe(true);
  expect(await marked(reserved.reference)).toBe(false);
});
