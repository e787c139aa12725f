import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';

test('counts requests to unknown routes against the quota', async () => {
  const { key } = await makeBusiness({ quota: 2 });
  const client = createClient({ origin: sharedServer().origin, key });
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await client(`${BASE_PATH}/nothing`)).status);
  expect(statuses).toEqual([404, 404, 429]);
});
