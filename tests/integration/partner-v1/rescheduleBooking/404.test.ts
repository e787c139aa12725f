import { beforeAll, expect, test } from 'vitest';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { comparable, everythingOf } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';

let desk: Desk;
let otherDesk: Desk;

beforeAll(async () => {
  [desk, otherDesk] = await Promise.all([makeDesk(), makeDesk()]);
});

async function expectNotFound(reference: string, more: Record<string, unknown> = {}) {
  const body = { expected_version: 1, date: dayAhead(), start_time: '12:00', ...more };
  const reply = await desk.reschedule(reference, body);
  expect([reference, more, reply.status]).toEqual([reference, more, 404]);
  return comparable(reply);
}

test('returns byte-identical 404s for references that are unknown, malformed, or of another application or tenant', async () => {
  const unknown = await expectNotFound(newBookingReference());
  const sibling = partnerOf((await makeApplication(desk.tenant.id)).key);
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
  ]) {
    expect(await expectNotFound(reference)).toEqual(unknown);
  }
  expect([await everythingOf(desk.tenant.id), await everythingOf(otherDesk.tenant.id)]).toEqual(before);
});

test('returns the same 404 and changes nothing for a specialist who is unknown, malformed or of another tenant', async () => {
  const { reference } = await desk.book('15:00');
  const unknown = await expectNotFound(reference, { specialist_id: newId('spc') });
  expect(JSON.stringify(unknown)).toContain(': specialist_id is not known.');
  const before = await everythingOf(desk.tenant.id);
  for (const specialist_id of [otherDesk.ids[0], '', 'x', '\u0000', desk.service.id]) {
    expect(await expectNotFound(reference, { specialist_id })).toEqual(unknown);
  }
  expect(await everythingOf(desk.tenant.id)).toEqual(before);
});
