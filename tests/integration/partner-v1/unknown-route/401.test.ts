import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { createClient } from '@/tests/support/client';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test.for(['', '/', '/nothing', '/catalog/', '/bookings', '/bookings/pbr_x', '/availability/'])(
  'returns the same 401 for %j as for a known route when no key is sent',
  async (path) => {
    const knownRoute = await createClient({ origin })(CATALOG);
    const unknownRoute = await createClient({ origin })(BASE_PATH + path);
    expect(unknownRoute.status).toBe(401);
    expect(unknownRoute.text.replaceAll(unknownRoute.requestId, '*')).toBe(
      knownRoute.text.replaceAll(knownRoute.requestId, '*'),
    );
  },
);
