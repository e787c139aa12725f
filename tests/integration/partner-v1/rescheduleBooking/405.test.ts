import { beforeAll, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { actionPath, type Desk, makeDesk } from '@/tests/support/bookings';
import { expectMethodRefused, methodsOtherThan } from '../methods';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

test.for(methodsOtherThan('POST'))(
  'returns 405 with Allow: POST for %s, even when the booking does not exist',
  async (method) => {
    const reply = await desk.client(actionPath(newBookingReference(), 'reschedule'), { method });
    expectMethodRefused(reply, 'POST');
  },
);
