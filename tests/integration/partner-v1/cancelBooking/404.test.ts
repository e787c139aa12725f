import { beforeAll, expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { comparable, countRows, everythingOf } from '@/tests/support/booking-rows';
import { actionPath, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';

let mine: Desk;

beforeAll(async () => {
  mine = await makeDesk();
});

async function refusal(reference: string, action = 'cancel') {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-this-test' };
  const body = '{"expected_version":1}';
  const reply = await mine.client(actionPath(reference, action), { method: 'POST', headers, body });
  expect([reference, action, reply.status]).toEqual([reference, action, 404]);
  return comparable(reply);
}

test('another application`s, another tenant`s, an unknown and a malformed reference are one answer, byte for byte', async () => {
  const unknown = await refusal(newBookingReference());
  const colleague = partnerOf((await makeApplication(mine.tenant.id)).key);
  const theirs = await makeDesk();
  const [own, foreign] = await Promise.all([colleague.create(mine.body('09:00')), theirs.book()]);
  const before = [await everythingOf(mine.tenant.id), await everythingOf(theirs.tenant.id)];
  for (const reference of [own.data.booking.reference, foreign.reference, 'pbr_x', 'x', '__proto__', '%00', '%20']) {
    expect(await refusal(reference)).toEqual(unknown);
  }
  expect([await everythingOf(mine.tenant.id), await everythingOf(theirs.tenant.id)]).toEqual(before);
});

test('an unknown action is the same answer, whether the booking exists or not', async () => {
  const { reference } = await mine.book('12:00');
  const unknown = await refusal(newBookingReference());
  for (const action of [
    'complete',
    'no_show',
    'confirm',
    'Cancel',
    'cancel%20',
    'cancel;x',
    '',
    '__proto__',
    'cancel/x',
  ]) {
    expect(await refusal(reference, action)).toEqual(unknown);
    expect(await refusal(newBookingReference(), action)).toEqual(unknown);
  }
  expect((await mine.read(reference)).data.booking).toMatchObject({ version: 1, status: 'confirmed' });
});

test('a reference that is not found binds no key', async () => {
  const { keys } = await countRows(mine.tenant.id);
  await refusal(newBookingReference());
  expect((await countRows(mine.tenant.id)).keys).toBe(keys);
});
