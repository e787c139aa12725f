import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { createClient } from '@/tests/support/client';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test.for(['', '/', '/nothing', '/catalog/', '/bookings', '/bookings/pbr_x', '/availability/'])(
  'without a key nobody learns whether %j is a route',
  async (path) => {
    const known = await createClient({ origin })(CATALOG);
    const unknown = await createClient({ origin })(BASE_PATH + path);
    expect(unknown.status).toBe(401);
    expect(unknown.text.replaceAll(unknown.requestId, '*')).toBe(known.text.replaceAll(known.requestId, '*'));
  },
);
