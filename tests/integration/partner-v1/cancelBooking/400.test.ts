import { beforeAll, expect, test } from 'vitest';
import { cancelBooking } from '@/lib/contract/operations';
import { everythingOf, expectFields } from '@/tests/support/booking-rows';
import { actionPath, type Desk, makeDesk } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';

let desk: Desk;
let reference: string;
let before: Awaited<ReturnType<typeof everythingOf>>;

beforeAll(async () => {
  desk = await makeDesk();
  reference = (await desk.book()).reference;
  before = await everythingOf(desk.tenant.id);
});

async function refused(body: unknown, paths: string[], reason: string | null = null) {
  const reply = await desk.cancel(reference, body);
  expectFields(reply, paths, reason);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
  return reply;
}

const NO_VERSIONS = [null, '1', '', true, [1], {}, 0, -1, 1.5, 1e-9, 2_147_483_648, 1e20];

test.for(NO_VERSIONS)('the version %j is refused by name', async (expected_version) => {
  await refused({ expected_version }, ['expected_version']);
});

test.for(['1e400', '9007199254740993', '99999999999999999999999'])('the number %s is no version', async (number) => {
  await refused(`{"expected_version":${number}}`, ['expected_version']);
});

test('the version is required', async () => {
  const reply = await refused({}, ['expected_version']);
  expect(reply.error.fields[0]?.message).toMatch(/required/);
});

test.for(['', 'because', 'OTHER', null, 1, ['other']])('the reason %j is refused by name', async (reason) => {
  await refused({ expected_version: 1, reason }, ['reason']);
});

test.for(['date', 'start_time', 'notify', 'service_ids', 'composition_mode'])(
  'the unknown field %s is named',
  async (name) => {
    await refused({ expected_version: 1, [name]: '10:00' }, [name], 'unknown_field');
  },
);

test('no body, an empty one, JSON that is no object and duplicate keys are refused', async () => {
  await refused('', []);
  await refused('{"expected_version":1,"expected_version":2}', []);
  for (const text of ['[]', 'null', '1']) await refused(text, ['*']);
});

test('without a key nothing is cancelled', async () => {
  const reply = await desk.client(actionPath(reference, 'cancel'), {
    operation: cancelBooking,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"expected_version":1}',
  });
  expectFields(reply, ['Idempotency-Key'], 'idempotency_key_required');
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});

test('nothing that was sent is repeated', async () => {
  const sent = marker();
  expectNoEcho(await refused({ expected_version: sent, reason: sent }, ['expected_version', 'reason']), sent);
});
