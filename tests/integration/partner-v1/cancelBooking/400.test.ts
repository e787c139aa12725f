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

async function expectRefused(body: unknown, paths: string[], reason: string | null = null) {
  const reply = await desk.cancel(reference, body);
  expectFields(reply, paths, reason);
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
  return reply;
}

const INVALID_VERSIONS = [null, '1', '', true, [1], {}, 0, -1, 1.5, 1e-9, 2_147_483_648, 1e20];

test.for(INVALID_VERSIONS)('rejects expected_version %j and names the field', async (expected_version) => {
  await expectRefused({ expected_version }, ['expected_version']);
});

test.for(['1e400', '9007199254740993', '99999999999999999999999'])(
  'rejects the number %s as expected_version',
  async (number) => {
    await expectRefused(`{"expected_version":${number}}`, ['expected_version']);
  },
);

test('requires expected_version', async () => {
  const reply = await expectRefused({}, ['expected_version']);
  expect(reply.error.fields[0]?.message).toMatch(/required/);
});

test.for(['', 'because', 'OTHER', 1, ['other']])('rejects reason %j and names the field', async (reason) => {
  await expectRefused({ expected_version: 1, reason }, ['reason']);
});

test.for(['date', 'start_time', 'notify', 'service_ids', 'composition_mode'])(
  'rejects and names the unknown field %s',
  async (name) => {
    await expectRefused({ expected_version: 1, [name]: '10:00' }, [name], 'unknown_field');
  },
);

test('rejects an empty body, JSON that is not an object, and duplicate keys', async () => {
  await expectRefused('', []);
  await expectRefused('{"expected_version":1,"expected_version":2}', []);
  for (const text of ['[]', 'null', '1']) await expectRefused(text, ['*']);
});

test('requires an idempotency key', async () => {
  const reply = await desk.client(actionPath(reference, 'cancel'), {
    operation: cancelBooking,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"expected_version":1}',
  });
  expectFields(reply, ['Idempotency-Key'], 'idempotency_key_required');
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});

test('echoes no submitted value', async () => {
  const sent = marker();
  expectNoEcho(await expectRefused({ expected_version: sent, reason: sent }, ['expected_version', 'reason']), sent);
});
