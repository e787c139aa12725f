import { beforeAll, expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { changeSettings } from '@/tests/support/fresh-process';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

// This process generates keys that contain the id of a cell. The server under test runs without `CELL`.
beforeAll(() => changeSettings({ CELL: 'eu01' }));

test('a key with the id of any cell works in the deployment that has it, and elsewhere it is an unknown key', async () => {
  const { key } = await makeBusiness();
  expect(key).toMatch(/^pbk_test_eu01[0-9A-Za-z]{38}$/);
  expect((await createClient({ origin, key })(CATALOG)).status).toBe(200);
  for (const unknown of [generateKey(), generateKey('us07')]) {
    const { status, error } = await createClient({ origin, key: unknown })(CATALOG);
    expect([status, error.code, error.reason]).toEqual([401, 'invalid_api_key', null]);
  }
  const { status } = await createClient({ origin, key: key.replace('eu01', 'eu02') })(CATALOG);
  expect(status).toBe(401);
});
