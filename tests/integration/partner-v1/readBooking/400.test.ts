import { expect, test } from 'vitest';
import { expectFields } from '@/tests/support/booking-rows';
import { BOOKINGS, makeDesk } from '@/tests/support/bookings';

test('rejects every query parameter', async () => {
  const { book, client } = await makeDesk();
  const { reference } = await book();
  expectFields(await client(`${BOOKINGS}/${reference}?expand=customer`), ['expand'], 'unknown_field');
  expectFields(await client(`${BOOKINGS}/${reference}?locale=%zz`), ['locale']);
  expect((await client(`${BOOKINGS}/${reference}?`)).status).toBe(200);
});
