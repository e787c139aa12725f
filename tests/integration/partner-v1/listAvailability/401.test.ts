import { expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { AVAILABILITY } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test('returns 401 without a key or with an unknown key, whatever the query', async () => {
  const none = await createClient({ origin })(`${AVAILABILITY}?limit=0`);
  expect([none.status, none.error.reason, none.headers['www-authenticate']]).toEqual([401, 'missing', 'Bearer']);
  const unknown = await createClient({ origin, key: generateKey() })(AVAILABILITY);
  expect([unknown.status, unknown.error.reason]).toEqual([401, null]);
});
