import { beforeAll, expect, test } from 'vitest';
import { newBookingReference } from '@/lib/platform/ids';
import { comparable } from '@/tests/support/booking-rows';
import { BOOKINGS, type Desk, makeDesk, partnerOf } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeApplication } from '@/tests/support/factories';

let mine: Desk;

beforeAll(async () => {
  mine = await makeDesk();
});

async function refusal(reference: string) {
  const reply = await mine.read(reference);
  expect([reference, reply.status]).toEqual([reference, 404]);
  return comparable(reply);
}

test('another application`s, another tenant`s, an unknown and a malformed reference are one answer, byte for byte', async () => {
  const unknown = await refusal(newBookingReference());
  const colleague = partnerOf((await makeApplication(mine.tenant.id)).key);
  const theirs = await makeDesk();
  const [own, foreign, known] = await Promise.all([
    colleague.create(mine.body('09:00')),
    theirs.book(),
    mine.book('12:00'),
  ]);
  const references = [
    own.data.booking.reference,
    foreign.reference,
    known.reference.toUpperCase(),
    known.reference.slice(0, -1),
    `${known.reference}0`,
    `${known.reference.slice(0, -1)}u`,
    known.reference.replace('pbr_', 'PBR_'),
    known.reference.replace('pbr_', ''),
    'pbr_',
    'x',
    '__proto__',
    mine.service.id,
    '%20',
    `${known.reference}%20`,
    `${known.reference}%00`,
    `%70${known.reference.slice(1)}`,
    `${known.reference};x`,
    "'%20OR%201=1--",
    'x'.repeat(10_000),
  ];
  for (const reference of references) expect(await refusal(reference)).toEqual(unknown);
  expect((await mine.read(known.reference)).status).toBe(200);
});

test('a cancelled booking of somebody else is not found either', async () => {
  const theirs = await makeDesk();
  const { reference } = await theirs.book();
  await theirs.cancel(reference);
  expect(await refusal(reference)).toEqual(await refusal(newBookingReference()));
});

test('the answer does not repeat the reference', async () => {
  for (const reference of [newBookingReference(), `pbr_${marker()}`, marker()]) {
    expectNoEcho(await mine.client(`${BOOKINGS}/${reference}`), reference);
  }
});

test('neither a trailing slash nor anything below a booking is a route', async () => {
  const { reference } = await mine.book('13:00');
  for (const path of ['/', '/events', '/actions', '/actions/', '/actions/cancel/', '//actions/cancel']) {
    expect([path, (await mine.client(`${BOOKINGS}/${reference}${path}`)).status]).toEqual([path, 404]);
  }
});
