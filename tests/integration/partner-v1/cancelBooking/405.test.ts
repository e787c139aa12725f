import { beforeAll, expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { actionPath, type Desk, makeDesk } from '@/tests/support/bookings';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

test.for(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is refused with the method that is allowed, whether the booking exists or not',
  async (method) => {
    const reply = await desk.client(actionPath(newBookingReference(), 'cancel'), { method });
    expect([reply.status, reply.headers.allow, reply.error.code]).toEqual([405, 'POST', 'invalid_request']);
  },
);
