import { expect, test } from 'vitest';
import { makeMember } from '@/tests/integration/control-center/applications-people';
import { bookingRow, countRows, eventsOf, expectFields, NOTHING } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, listed, makeDesk } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { tablesHolding } from '@/tests/support/leaks';
import { anonymize, NOBODY } from '../booking-states';

/** The optional fields of contract B19, with a text that occurs nowhere else. */
function optionalFields(mark = marker()) {
  const customer = { ...CUSTOMER, email: `${mark}@mail.example.com`, locale: 'de_DE' };
  return { mark, fields: { customer, note: `${mark}\nNo stairs.`, metadata: { campaign: mark, basket: '4711' } } };
}

test('a client of part A alone gets every field as before, and its repeated create a replay', async () => {
  const { create, body, read, find, reschedule, cancel } = await makeDesk();
  const key = 'part-a-alone-0001';
  const { data, status } = await create(body(), { key });
  expect([status, data.booking.version]).toEqual([201, 1]);
  const { note_characters, metadata, customer, ...rest } = data.booking;
  expect([note_characters, metadata, customer.email_masked, customer.locale]).toEqual([null, null, null, null]);
  expect((await create(body(), { key })).data).toEqual(data);
  expect((await read(rest.reference)).data).toEqual(data);
  expect((await find({ external_reference: 'order-4711' })).data.bookings).toEqual([listed(data.booking)]);
  const to = { expected_version: 1, date: dayAhead(), start_time: '11:00' };
  expect((await reschedule(rest.reference, to)).data.booking).toMatchObject({ version: 2, customer });
  expect((await cancel(rest.reference, { expected_version: 2 })).data.booking).toMatchObject({ version: 3, customer });
});

test('the partner gets the email masked, the length of the note, the language, and the metadata, on every single read', async () => {
  const { create, body, read, find, reschedule, cancel } = await makeDesk();
  const { fields, mark } = optionalFields();
  const key = 'with-options-00001';
  const { data } = await create(body('10:00', fields), { key });
  const shown = {
    customer: {
      name: CUSTOMER.name,
      phone_masked: '+49*******234',
      email_masked: `${mark[0]}***@m***.com`,
      locale: 'de-DE',
    },
    note_characters: fields.note.length,
    metadata: fields.metadata,
  };
  expect(data.booking).toMatchObject(shown);
  const { reference } = data.booking;
  expect((await read(reference)).data).toEqual(data);
  const replay = await create(body('10:00', fields), { key });
  expect([replay.headers['idempotent-replayed'], replay.data]).toEqual(['true', data]);
  const other = await create(body('10:00', { ...fields, note: 'Another note.' }), { key });
  expect([other.status, other.error.code]).toEqual([409, 'idempotency_key_reused']);
  const list = await find({ external_reference: 'order-4711' });
  expect(list.data.bookings).toEqual([listed(data.booking)]);
  expect(list.text).not.toContain(mark);
  const to = { expected_version: 1, date: dayAhead(), start_time: '11:00' };
  expect((await reschedule(reference, to)).data.booking).toMatchObject({ version: 2, ...shown });
  expect((await cancel(reference, { expected_version: 2 })).data.booking).toMatchObject({ version: 3, ...shown });
});

test('the database holds none of the texts in plain text, and events and log entries hold nothing of them', async () => {
  const { book, create, body, cancel } = await makeDesk();
  const { fields, mark } = optionalFields();
  const { reference } = await book('10:00', fields);
  await cancel(reference);
  expect((await create(body('09:10', fields))).status).toBe(409);
  expect((await create(body('11:00', { ...fields, note: 'x'.repeat(501) }))).status).toBe(400);
  expect(await tablesHolding(mark)).toEqual([]);
  for (const { payload } of await eventsOf(reference)) {
    const { booking } = JSON.parse(String(payload)).data;
    expect(Object.keys(booking)).not.toEqual(expect.arrayContaining(['customer', 'note_characters', 'metadata']));
  }
});

test('refuses invalid values at their field, repeats none, and stores nothing', async () => {
  const desk = await makeDesk();
  const mark = marker();
  const refused: [Record<string, unknown> | string, string, string | null][] = [
    [{ metadata: { [mark]: { nested: mark } } }, 'metadata', null],
    [{ metadata: Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`n${i}`, mark])) }, 'metadata', null],
    [JSON.stringify(desk.body()).replace('{', `{"metadata":{"__proto__":"${mark}"},`), 'metadata', null],
    [{ metadata: { a: `${mark}\u0000` } }, 'metadata', null],
    [{ metadata: { mail: `${mark}@example.com` } }, 'metadata', 'sensitive_reference'],
    [{ metadata: { [`${mark}_Robin_Sample`]: 'x' } }, 'metadata', 'sensitive_reference'],
    [{ metadata: { call: `${mark} 030 5550 1234` } }, 'metadata', 'sensitive_reference'],
    [{ note: `${mark}\u0007` }, 'note', null],
    [{ customer: { ...CUSTOMER, email: `${mark} @example.com` } }, 'customer.email', null],
    [{ customer: { ...CUSTOMER, locale: `${mark}!` } }, 'customer.locale', null],
    [{ customer: { ...CUSTOMER, note: mark } }, 'customer.note', 'unknown_field'],
  ];
  for (const [more, field, reason] of refused) {
    const reply = await desk.create(typeof more === 'string' ? more : desk.body('10:00', more));
    expectFields(reply, [field], reason);
    expectNoEcho(reply, mark);
  }
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  expect(await tablesHolding(mark)).toEqual([]);
});

test('the business sees them with the contact, and a withdrawal hides them from the partner', async () => {
  const { tenant, create, body, read } = await makeDesk();
  const { fields, mark } = optionalFields();
  const key = 'withdrawn-options-1';
  const { data } = await create(body('10:00', fields), { key });
  const { reference } = data.booking;
  const [desk, support] = [await makeMember(tenant.id, 'FRONT_DESK'), await makeMember(tenant.id, 'SUPPORT')];
  const masked = { email_masked: `${mark[0]}***@m***.com`, locale: 'de-DE', has_note: true, has_metadata: true };
  for (const member of [desk, support]) {
    const page = await member.query('bookings.get', { reference });
    expect(page.data).toMatchObject({ customer: masked });
    expect(JSON.stringify(page)).not.toContain(mark);
  }
  const contact = { email: fields.customer.email, locale: 'de-DE', note: fields.note, metadata: fields.metadata };
  expect((await desk.mutate('bookings.contact', { reference })).data).toMatchObject({ customer: contact });
  expect((await support.mutate('bookings.contact', { reference })).status).toBe(403);

  await desk.mutate('bookings.set_consent_withdrawn', { reference, withdrawn: true });
  const hidden = { customer: NOBODY, note_characters: null, metadata: null };
  expect((await read(reference)).data.booking).toEqual({ ...data.booking, ...hidden });
  expect((await create(body('10:00', fields), { key })).data.booking).toEqual({ ...data.booking, ...hidden });
});

test('a statement of an earlier version that erases the contact erases them', async () => {
  const { book } = await makeDesk();
  const { reference } = await book('12:00', optionalFields().fields);
  expect((await bookingRow(reference)).metadata).not.toBeNull();
  await anonymize(reference);
  const none = { customer_email: null, customer_locale: null, note: null, metadata: null };
  expect(await bookingRow(reference)).toMatchObject(none);
});
