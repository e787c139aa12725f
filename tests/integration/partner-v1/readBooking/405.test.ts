import { beforeAll, expect, test } from 'vitest';
import { BOOKINGS, type Desk, makeDesk } from '@/tests/support/bookings';

let desk: Desk;
let reference: string;

beforeAll(async () => {
  desk = await makeDesk();
  reference = (await desk.book()).reference;
});

test.for(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
  '%s is refused with the method that is allowed, and changes nothing',
  async (method) => {
    const reply = await desk.client(`${BOOKINGS}/${reference}`, { method });
    expect([reply.status, reply.headers.allow, reply.error.code]).toEqual([405, 'GET', 'invalid_request']);
    expect((await desk.read(reference)).data.booking).toMatchObject({ version: 1, status: 'confirmed' });
  },
);
