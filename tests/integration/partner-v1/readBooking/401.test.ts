import { expect, test } from 'vitest';
import { BOOKINGS, makeDesk } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { sharedServer } from '@/tests/support/shared';

test('returns 401 missing for a valid reference without a key', async () => {
  const { book } = await makeDesk();
  const { reference } = await book();
  const reply = await createClient({ origin: sharedServer().origin })(`${BOOKINGS}/${reference}`);
  expect([reply.status, reply.error.reason, reply.headers['www-authenticate']]).toEqual([401, 'missing', 'Bearer']);
});
