import { beforeAll, test } from 'vitest';
import { AVAILABILITY, type Desk, makeDesk } from '@/tests/support/bookings';
import { expectMethodRefused, methodsOtherThan } from '../methods';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

test.for(methodsOtherThan('GET'))('returns 405 with Allow: GET for %s', async (method) => {
  const reply = await desk.client(AVAILABILITY, { method });
  expectMethodRefused(reply, 'GET');
});
