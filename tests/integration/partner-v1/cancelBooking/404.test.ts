import { beforeAll, expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { comparable, countRows, everythingOf } from '@/tests/support/booking-rows';
import { actionPath, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

async function expectNotFound(reference: string, action = 'cancel') {
  const headers = { 'content-type': 'application/json', 'idempotency-key': 'a-key-of-this-test' };
  const body = '{"expected_version":1}';
  const reply = await desk.client(actionPath(reference, action), { method: 'POST', headers, body });
  expect([reference, action, reply.status]).toEqual([reference, action, 404]);
  return comparable(reply);
}

test('returns byte-identical 404s for references that are unknown, malformed, or of another application or tenant', async () => {
  const unknown = await expectNotFound(newBookingReference());
  const sibling = partnerOf((await makeApplication(desk.tenant.id)).key);
  const otherDesk = await makeDesk();
  const [siblingBooking, otherTenantBooking] = await Promise.all([
    sibling.create(desk.body('09:00')),
    otherDesk.book(),
  ]);
  const before = [await everythingOf(desk.tenant.id), await everythingOf(otherDesk.tenant.id)];
  for (const reference of [
    siblingBooking.data.booking.reference,
    otherTenantBooking.reference,
    'pbr_x',
    'x',
    '__proto__',
    '%00',
    '%20',
  ]) {
    expect(await expectNotFound(reference)).toEqual(unknown);
  }
  expect([await everythingOf(desk.tenant.id), await everythingOf(otherDesk.tenant.id)]).toEqual(before);
});

test('returns the same 404 for an unknown action, whether or not the booking exists', async () => {
  const { reference } = await desk.book('12:00');
  const unknown = await expectNotFound(reference, 'explode');
  expect(JSON.stringify(unknown)).toContain('unknown_route');
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
    expect(await expectNotFound(reference, action)).toEqual(unknown);
    expect(await expectNotFound(newBookingReference(), action)).toEqual(unknown);
  }
  expect((await desk.read(reference)).data.booking).toMatchObject({ version: 1, status: 'confirmed' });
});

test('does not bind the idempotency key when the reference is not found', async () => {
  const { keys } = await countRows(desk.tenant.id);
  await expectNotFound(newBookingReference());
  expect((await countRows(desk.tenant.id)).keys).toBe(keys);
});
