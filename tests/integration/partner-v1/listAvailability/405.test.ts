import { expect, test } from 'vitest';
import { AVAILABILITY, makeDesk } from '@/tests/support/bookings';

test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is refused with the method that is allowed',
  async (method) => {
    const { client } = await makeDesk();
    const reply = await client(AVAILABILITY, { method });
    expect([reply.status, reply.headers.allow, reply.error.code]).toEqual([405, 'GET', 'invalid_request']);
  },
);
