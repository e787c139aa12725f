import { beforeAll, expect, test } from 'vitest';
import { everythingOf, expectFields } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';

let desk: Desk;
let reference: string;
let before: Awaited<ReturnType<typeof everythingOf>>;

beforeAll(async () => {
  desk = await makeDesk();
  reference = (await desk.book()).reference;
  before = await everythingOf(desk.tenant.id);
});

async function refused(more: Record<string, unknown>, paths: string[], reason: string | null = null) {
  const body = { expected_version: 1, date: dayAhead(), start_time: '12:00', ...more };
  const reply = await desk.reschedule(reference, body);
  expectFields(reply, paths, reason);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
  return reply;
}

test.for([null, '1', true, 0, -1, 1.5, 2_147_483_648, 1e20])('the version %j is refused by name', async (version) => {
  await refused({ expected_version: version }, ['expected_version']);
});

test.for(['expected_version', 'date', 'start_time'])('%s is required', async (name) => {
  const reply = await refused({ [name]: undefined }, [name]);
  expect(reply.error.fields[0]?.message).toMatch(/required/);
});

test.for(['', '2027-02-30', '27-01-01', 20270101, null])('the date %j is refused by name', async (date) => {
  await refused({ date }, ['date']);
});

test.for(['', '24:00', '9:00', '09:00:00', 900, null])('the time %j is refused by name', async (start_time) => {
  await refused({ start_time }, ['start_time']);
});

test.for([null, 1, [], {}])('the specialist %j is refused by name', async (specialist_id) => {
  await refused({ specialist_id }, ['specialist_id']);
});

test.for(['service_id', 'location_id', 'service_ids', 'composition_mode', 'customer', 'external_reference', 'reason'])(
  '%s is fixed, and unknown here',
  async (name) => {
    await refused({ [name]: 'x' }, [name], 'unknown_field');
  },
);

test('everything that is wrong is named at once, and nothing is repeated', async () => {
  const sent = marker();
  const wrong = { expected_version: sent, date: sent, start_time: sent };
  expectNoEcho(await refused(wrong, ['expected_version', 'date', 'start_time']), sent);
});
