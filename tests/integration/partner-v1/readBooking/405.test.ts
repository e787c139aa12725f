import { beforeAll, expect, test } from 'vitest';
import { BOOKINGS, type Desk, makeDesk } from '@/tests/support/bookings';
import { expectMethodRefused, methodsOtherThan } from '../methods';

let desk: Desk;
let reference: string;

beforeAll(async () => {
  desk = await makeDesk();
  reference = (await desk.book()).reference;
});

test.for(methodsOtherThan('GET'))('returns 405 with Allow: GET for %s and changes nothing', async (method) => {
  const reply = await desk.client(`${BOOKINGS}/${reference}`, { method });
  expectMethodRefused(reply, 'GET');
  expect((await desk.read(reference)).data.booking).toMatchObject({ version: 1, status: 'confirmed' });
});
