import { beforeAll, expect, test } from 'vitest';
import { BOOKINGS, type Desk, makeDesk } from '@/tests/support/bookings';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

test.for(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is refused with the method that is allowed',
  async (method) => {
    const reply = await desk.client(BOOKINGS, { method });
    expect([reply.status, reply.headers.allow, reply.error.code]).toEqual([405, 'POST', 'invalid_request']);
    expect(reply.headers['access-control-allow-methods']).toBeUndefined();
  },
);
