import { beforeAll, expect, test } from 'vitest';
import { AVAILABILITY, type Desk, makeDesk } from '@/tests/support/bookings';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is refused with the method that is allowed',
  async (method) => {
    const reply = await desk.client(AVAILABILITY, { method });
    expect([reply.status, reply.headers.allow, reply.error.code]).toEqual([405, 'GET', 'invalid_request']);
  },
);
