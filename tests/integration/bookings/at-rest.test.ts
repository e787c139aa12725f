import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { openCustomer, sealCustomer } from '@/lib/booking/bookings/customer';
import { pool } from '@/lib/platform/db';
import { bookingRow } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';
import { marker } from '@/tests/support/echo';
import { tablesHolding } from '@/tests/support/leaks';

function randomCustomer() {
  const digits = `49${randomInt(10_000_000_000, 99_999_999_999)}`;
  return { name: `${marker()} Sample`, phone: `+${digits}`, consent_to_contact: true, digits };
}

test('the database contains neither name nor phone number of a customer in plain text, in any state of the booking', async () => {
  const { book, reschedule, cancel, body, create } = await makeDesk();
  const { digits, ...customer } = randomCustomer();
  const external_reference = marker();
  const { reference, date } = await book('10:00', { customer, external_reference });
  await reschedule(reference, { expected_version: 1, date, start_time: '12:00' });
  await cancel(reference, { expected_version: 2 });
  expect((await create({ ...body('09:10', { customer }), external_reference })).status).toBe(409);
  expect((await create({ ...body(), customer, external_reference: customer.name })).status).toBe(400);
  // Parts of the name and of the number, so that no row holds the whole either.
  expect(await tablesHolding(customer.name.slice(0, 20), digits.slice(2))).toEqual([]);
  // Verifies that `tablesHolding` finds unencrypted text.
  expect(await tablesHolding(external_reference)).toEqual(['bookings', 'events', 'request_log']);
});

test('the customer columns contain encrypted bytes that decrypt to the normalized input', async () => {
  const { book } = await makeDesk();
  const { reference } = await book('10:00', {
    customer: { name: '  Zoë Sample ', phone: '+44 (20) 7946-0000', consent_to_contact: true },
  });
  const row = await bookingRow(reference);
  const [name, phone] = [row.customer_name as Buffer, row.customer_phone as Buffer];
  for (const bytes of [name, phone]) {
    expect(bytes.toString('latin1')).not.toMatch(/Zo|Sample|7946|\+44/);
  }
  const opened = openCustomer({ reference, customer_name: name, customer_phone: phone });
  expect(opened).toEqual({ name: 'Zoë Sample', phone: '+442079460000' });
});

test('the encrypted contacts of two bookings of one customer differ', async () => {
  const { book } = await makeDesk();
  const rows = [await bookingRow((await book('10:00')).reference), await bookingRow((await book('11:00')).reference)];
  const [one, two] = rows.map(({ customer_name }) => (customer_name as Buffer).toString('hex'));
  expect(one?.slice(0, 24)).not.toBe(two?.slice(0, 24));
  expect(one?.slice(24)).not.toBe(two?.slice(24));
});

test('a contact copied to another booking cannot be decrypted: the read fails and shows nothing', async () => {
  const { book, read } = await makeDesk();
  const { reference } = await book('10:00');
  const stranger = sealCustomer((await book('11:00')).reference, { name: 'Zq Stranger', phone: '+4930555000' });
  await pool().query('UPDATE bookings SET customer_name = $2, customer_phone = $3 WHERE reference = $1', [
    reference,
    stranger.name,
    stranger.phone,
  ]);
  const reply = await read(reference);
  expect([reply.status, reply.error.code]).toEqual([503, 'service_unavailable']);
  expect(reply.text).not.toContain('Stranger');
});

test('a statement of an earlier version that erases a contact also erases the hash of the phone number', async () => {
  const { book } = await makeDesk();
  const { reference } = await book('10:00');
  expect((await bookingRow(reference)).phone_hash).not.toBeNull();
  await pool().query('UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = $1', [
    reference,
  ]);
  expect((await bookingRow(reference)).phone_hash).toBeNull();
});
