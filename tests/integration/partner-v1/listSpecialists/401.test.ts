import { expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { createClient } from '@/tests/support/client';
import { SPECIALISTS } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test('returns 401 without a key and with an unknown key', async () => {
  const none = await createClient({ origin })(SPECIALISTS);
  expect([none.status, none.error.reason, none.headers['www-authenticate']]).toEqual([401, 'missing', 'Bearer']);
  const unknown = await createClient({ origin, key: generateKey() })(SPECIALISTS);
  expect([unknown.status, unknown.error.reason]).toEqual([401, null]);
});

test('authenticates before it checks the filters', async () => {
  const reply = await createClient({ origin })(`${SPECIALISTS}?service_id=svc_nothing&limit=0`);
  expect(reply.status).toBe(401);
});
