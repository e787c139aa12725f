import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

test('checks the restrictions of the credential before it matches the route', async () => {
  const { key } = await makeBusiness({ networks: ['203.0.113.1'] });
  const { status, error } = await createClient({ origin: sharedServer().origin, key })(`${BASE_PATH}/nothing`);
  expect([status, error.code, error.reason]).toEqual([403, 'credential_restricted', 'ip']);
});
