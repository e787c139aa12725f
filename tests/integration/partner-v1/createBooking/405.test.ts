import { beforeAll, expect, test } from 'vitest';
import { BOOKINGS, type Desk, makeDesk } from '@/tests/support/bookings';
import { expectMethodRefused, methodsOtherThan } from '../methods';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

test.for(methodsOtherThan('GET, POST'))('returns 405 with Allow: GET, POST for %s', async (method) => {
  const reply = await desk.client(BOOKINGS, { method });
  expectMethodRefused(reply, 'GET, POST');
  expect(reply.headers['access-control-allow-methods']).toBeUndefined();
});
