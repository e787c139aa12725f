import { expect, test } from 'vitest';
import { hashContacts } from '@/lib/booking/bookings/hash-contacts';
import { db, pool } from '@/lib/platform/db';
import { bookingRow } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeLocation } from '@/tests/support/factories';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from './applications-people';

type Found = { bookings: { reference: string }[]; truncated: boolean; understood: string[]; countries: string[] };

async function makeFrontDesk() {
  const house = await makeDesk();
  const desk = await makeMember(house.tenant.id, 'FRONT_DESK', 'Dora Desk');
  const search = (phone: string) => desk.mutate('bookings.find_by_phone', { phone });
  const find = async (phone: string) =>
    ((await search(phone)).data as Found).bookings.map(({ reference }) => reference);
  const entries = () =>
    db().auditLog.findMany({ where: { tenantId: house.tenant.id, action: 'booking.found_by_phone' } });
  return { ...house, desk, search, find, entries };
}

test('the front desk finds the bookings of the exact number: upcoming ones, past ones, and canceled ones last', async () => {
  const { book, cancel, search, find } = await makeFrontDesk();
  const [past, older] = [await book('10:00'), await book('10:30')];
  await moveToPast(past.reference);
  await moveToPast(older.reference, 60);
  const later = await book('15:00');
  const next = await book('11:00', { customer: { ...CUSTOMER, name: 'R. Sample', phone: '+49 (30) 5550.1234' } });
  const canceled = await book('09:00');
  await cancel(canceled.reference);
  await book('12:00', { customer: { ...CUSTOMER, phone: '+49 30 5550 12345' } });
  const stranger = await makeFrontDesk();
  const theirs = await stranger.book('10:00');
  expect(await find('+49 30 5550 1234')).toEqual(
    [next, later, past, older, canceled].map(({ reference }) => reference),
  );
  expect(await find('+49-30-5550-1234')).toHaveLength(5);
  expect(await stranger.find('+493055501234')).toEqual([theirs.reference]);
  expect(await find('+493055501')).toEqual([]);
  expect(JSON.stringify(((await search('+493055501234')).data as Found).bookings)).not.toMatch(/Sample|5550/);
  const hashes = [next.reference, past.reference, theirs.reference].map(
    async (reference) => (await bookingRow(reference)).phone_hash,
  );
  const [one, two, other] = await Promise.all(hashes);
  expect(one).toEqual(two);
  expect(one).not.toEqual(other);
});

test('a number without a country code is found in the countries of the locations', async () => {
  const { tenant, book, desk } = await makeFrontDesk();
  const german = await book('10:00');
  const austrian = await book('11:00', { customer: { ...CUSTOMER, phone: '+43 30 5550 1234' } });
  await book('12:00', { customer: { ...CUSTOMER, phone: '+33 30 5550 1234' } });
  const search = (national: string) => desk.mutate('bookings.find_by_phone', { national });
  const find = async (national: string) =>
    ((await search(national)).data as Found).bookings.map(({ reference }) => reference);
  for (const text of ['030 5550 1234', '(030) 5550-1234', '0049 30 5550 1234']) {
    expect(await find(text)).toEqual([german.reference]);
  }
  await makeLocation(tenant.id, { country: 'AT' });
  expect(await find('030 5550 1234')).toEqual([german.reference, austrian.reference]);
  expect(await find('030 5550 12')).toEqual([]);
  expect(await search('0305550 x')).toMatchObject({ status: 400, error: { fields: [{ path: 'national' }] } });
  expect(await desk.mutate('bookings.find_by_phone', {})).toMatchObject({ status: 400 });
});

test('a search states how the number was understood, and in which countries it was looked up', async () => {
  const { tenant, book, search, desk } = await makeFrontDesk();
  const booking = await book('10:00', { customer: { ...CUSTOMER, phone: '+44 (0)20 7946 0777' } });
  const searched = async (input: object) => (await desk.mutate('bookings.find_by_phone', input)).data as Found;
  const found = [expect.objectContaining({ reference: booking.reference })];
  expect((await search('\u202a+44\u00a020\u20137946\u20130777\u202c')).data).toMatchObject({
    bookings: found,
    understood: ['+44 20 7946 0777'],
    countries: [],
  });
  const national = { national: '\u202a020 7946\u20130777\u202c' };
  // The only location is in Germany, where the number has a valid length too.
  expect(await searched(national)).toMatchObject({
    bookings: [],
    understood: [expect.stringMatching(/^\+49 /)],
    countries: ['DE'],
  });
  await makeLocation(tenant.id, { country: 'GB' });
  expect(await searched(national)).toMatchObject({
    bookings: found,
    understood: expect.arrayContaining(['+44 20 7946 0777']),
    countries: ['DE', 'GB'],
  });
  expect(await searched({ national: '123456789012345678' })).toMatchObject({ bookings: [], understood: [] });
});

test('both spellings of a Mexican number find the bookings of either', async () => {
  const { book, find, search } = await makeFrontDesk();
  const old = await book('10:00', { customer: { ...CUSTOMER, phone: '+52 1 55 1234 5678' } });
  const current = await book('11:00', { customer: { ...CUSTOMER, phone: '+52 55 1234 5678' } });
  for (const phone of ['+5215512345678', '+52 55 1234 5678']) {
    expect(await find(phone)).toEqual([old.reference, current.reference]);
    expect((await search(phone)).data).toMatchObject({ understood: ['+52 55 1234 5678'] });
  }
});

test('a search that finds a booking is audited without the number', async () => {
  const { book, find, search, entries } = await makeFrontDesk();
  const { reference } = await book('10:00');
  await find('+49 30 5550 9999');
  expect(await entries()).toEqual([]);
  await find('+49 30 5550 1234');
  const [entry, ...others] = await entries();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ objectKind: 'booking', objectId: reference, after: { references: [reference] } });
  expect(entry?.after).toMatchObject({ bookings: [{ service: 'Haircut', date: dayAhead(), start_time: '10:00' }] });
  const { reference: later } = await book('11:00');
  await find('+49 30 5550 1234');
  const about = ['10:00', '11:00'].map((start_time) => ({ service: 'Haircut', date: dayAhead(), start_time }));
  const stored = (await entries()).map(({ after }) => after);
  expect(stored).toContainEqual({ references: [reference, later], bookings: about });
  expect(JSON.stringify(await entries())).not.toMatch(/5550/);
  expect(await search('030 5550 1234')).toMatchObject({ status: 400, error: { fields: [{ path: 'phone' }] } });
});

test('anonymization erases the hash, also by a statement that does not name it', async () => {
  const { book, find } = await makeFrontDesk();
  const { reference } = await book('10:00');
  const sql = 'UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = $1';
  await pool().query(sql, [reference]);
  expect(await bookingRow(reference)).toMatchObject({ phone_hash: null });
  expect(await find('+493055501234')).toEqual([]);
});

test('the job computes missing hashes in batches, and skips a number that cannot be decrypted', async () => {
  const { tenant, book, find } = await makeFrontDesk();
  const references = [];
  for (const start of ['10:00', '11:00', '12:00']) references.push((await book(start)).reference);
  const broken = references[1] ?? '';
  const change = `UPDATE bookings SET phone_hash = NULL, name_hashes = NULL,
    customer_phone = CASE reference WHEN $2 THEN '\\x00'::bytea ELSE customer_phone END WHERE tenant_id = $1`;
  await pool().query(change, [tenant.id, broken]);
  expect(await find('+493055501234')).toEqual([]);
  const stopped = new AbortController();
  stopped.abort();
  expect(await hashContacts(new Date(), stopped.signal)).toEqual({ hashed: 0 });
  const { signal } = new AbortController();
  const { hashed } = await hashContacts(new Date(), signal, { batch: 1 });
  expect(hashed).toBeGreaterThanOrEqual(2);
  expect((await find('+493055501234')).sort()).toEqual(references.filter((one) => one !== broken).sort());
});
