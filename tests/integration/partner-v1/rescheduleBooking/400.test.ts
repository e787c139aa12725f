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

async function expectRefused(more: Record<string, unknown>, paths: string[], reason: string | null = null) {
  const body = { expected_version: 1, date: dayAhead(), start_time: '12:00', ...more };
  const reply = await desk.reschedule(reference, body);
  expectFields(reply, paths, reason);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
  return reply;
}

test.for([null, '1', true, 0, -1, 1.5, 2_147_483_648, 1e20])(
  'rejects expected_version %j and names the field',
  async (version) => {
    await expectRefused({ expected_version: version }, ['expected_version']);
  },
);

test.for(['expected_version', 'date', 'start_time'])('requires %s', async (name) => {
  const reply = await expectRefused({ [name]: undefined }, [name]);
  expect(reply.error.fields[0]?.message).toMatch(/required/);
});

test.for(['', '2027-02-30', '27-01-01', 20270101, null])('rejects date %j and names the field', async (date) => {
  await expectRefused({ date }, ['date']);
});

test.for(['', '24:00', '9:00', '09:00:00', 900, null])(
  'rejects start_time %j and names the field',
  async (start_time) => {
    await expectRefused({ start_time }, ['start_time']);
  },
);

test.for([1, [], {}])('rejects specialist_id %j and names the field', async (specialist_id) => {
  await expectRefused({ specialist_id }, ['specialist_id']);
});

test.for(['service_id', 'location_id', 'service_ids', 'composition_mode', 'customer', 'external_reference', 'reason'])(
  'rejects %s as unknown, because a reschedule cannot change it',
  async (name) => {
    await expectRefused({ [name]: 'x' }, [name], 'unknown_field');
  },
);

test('names every invalid field at once and echoes no value', async () => {
  const sent = marker();
  const wrong = { expected_version: sent, date: sent, start_time: sent };
  expectNoEcho(await expectRefused(wrong, ['expected_version', 'date', 'start_time']), sent);
});
