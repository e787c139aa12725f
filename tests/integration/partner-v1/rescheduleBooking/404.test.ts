import { beforeAll, expect, test } from 'vitest';
import { newBookingReference, newId } from '@/lib/platform/ids';
import { comparable, everythingOf } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';

let mine: Desk;
let theirs: Desk;

beforeAll(async () => {
  [mine, theirs] = await Promise.all([makeDesk(), makeDesk()]);
});

async function refusal(reference: string, more: Record<string, unknown> = {}) {
  const body = { expected_version: 1, date: dayAhead(), start_time: '12:00', ...more };
  const reply = await mine.reschedule(reference, body);
  expect([reference, more, reply.status]).toEqual([reference, more, 404]);
  return comparable(reply);
}

test('another application`s, another tenant`s, an unknown and a malformed reference are one answer, byte for byte', async () => {
  const unknown = await refusal(newBookingReference());
  const colleague = partnerOf((await makeApplication(mine.tenant.id)).key);
  const [own, foreign] = await Promise.all([colleague.create(mine.body('09:00')), theirs.book()]);
  const before = [await everythingOf(mine.tenant.id), await everythingOf(theirs.tenant.id)];
  for (const reference of [own.data.booking.reference, foreign.reference, 'pbr_x', 'x', '__proto__', '%00']) {
    expect(await refusal(reference)).toEqual(unknown);
  }
  expect([await everythingOf(mine.tenant.id), await everythingOf(theirs.tenant.id)]).toEqual(before);
});

test('a specialist who is unknown, malformed or another tenant`s is the same answer, and moves nothing', async () => {
  const unknown = await refusal(newBookingReference());
  const { reference } = await mine.book('15:00');
  const before = await everythingOf(mine.tenant.id);
  for (const specialist_id of [newId('spc'), theirs.ids[0], '', 'x', '\u0000', mine.service.id]) {
    expect(await refusal(reference, { specialist_id })).toEqual(unknown);
  }
  expect(await everythingOf(mine.tenant.id)).toEqual(before);
});
