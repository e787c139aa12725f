import { expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { SPECIALISTS } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is refused with the method that is allowed',
  async (method) => {
    const { key } = await makeBusiness();
    const reply = await createClient({ origin: sharedServer().origin, key })(SPECIALISTS, { method });
    expect([reply.status, reply.headers.allow, reply.error.code]).toEqual([405, 'GET', 'invalid_request']);
  },
);
