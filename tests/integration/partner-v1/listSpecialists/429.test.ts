import { expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG, SPECIALISTS } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

test('counts all routes against one quota of the application', async () => {
  const { key } = await makeBusiness({ quota: 3 });
  const client = createClient({ origin: sharedServer().origin, key });
  expect((await client(CATALOG)).headers['x-ratelimit-remaining']).toBe('2');
  expect((await client(SPECIALISTS)).headers['x-ratelimit-remaining']).toBe('1');
  expect((await client(CATALOG)).headers['x-ratelimit-remaining']).toBe('0');
  const refused = await client(SPECIALISTS);
  expect([refused.status, refused.error.code]).toEqual([429, 'rate_limited']);
});
