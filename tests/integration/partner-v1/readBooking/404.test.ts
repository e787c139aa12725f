import { beforeAll, expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { comparable } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication } from '@/tests/support/factories';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

async function expectNotFound(reference: string) {
  const reply = await desk.read(reference);
  expect([reference, reply.status]).toEqual([reference, 404]);
  return comparable(reply);
}

test('returns byte-identical 404s for references that are unknown, malformed, or of another application or tenant', async () => {
  const unknown = await expectNotFound(newBookingReference());
  const sibling = partnerOf((await makeApplication(desk.tenant.id)).key);
  const otherDesk = await makeDesk();
  const [siblingBooking, otherTenantBooking, existing] = await Promise.all([
    sibling.create(desk.body('09:00')),
    otherDesk.book(),
    desk.book('12:00'),
  ]);
  const references = [
    siblingBooking.data.booking.reference,
    otherTenantBooking.reference,
    existing.reference.toUpperCase(),
    existing.reference.slice(0, -1),
    `${existing.reference}0`,
    `${existing.reference.slice(0, -1)}u`,
    existing.reference.replace('pbr_', 'PBR_'),
    existing.reference.replace('pbr_', ''),
    'pbr_',
    'x',
    '__proto__',
    desk.service.id,
    '%20',
    `${existing.reference}%20`,
    `${existing.reference}%00`,
    `%70${existing.reference.slice(1)}`,
    `${existing.reference};x`,
    "'%20OR%201=1--",
    'x'.repeat(10_000),
  ];
  for (const reference of references) expect(await expectNotFound(reference)).toEqual(unknown);
  expect((await desk.read(existing.reference)).status).toBe(200);
});

test('returns the same 404 for a canceled booking of another tenant', async () => {
  const otherDesk = await makeDesk();
  const { reference } = await otherDesk.book();
  await otherDesk.cancel(reference);
  expect(await expectNotFound(reference)).toEqual(await expectNotFound(newBookingReference()));
});

test('does not echo the reference', async () => {
  for (const reference of [newBookingReference(), `pbr_${marker()}`, marker()]) {
    expectNoEcho(await desk.client(`${BOOKINGS}/${reference}`), reference);
  }
});

test('returns 404 for a trailing slash and for every path below a booking', async () => {
  const { reference } = await desk.book('13:00');
  for (const path of ['/', '/events', '/actions', '/actions/', '/actions/cancel/', '//actions/cancel']) {
    expect([path, (await desk.client(`${BOOKINGS}/${reference}${path}`)).status]).toEqual([path, 404]);
  }
});
