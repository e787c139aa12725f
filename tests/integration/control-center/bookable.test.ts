import { expect, test } from 'vitest';
import { bookabilityOf } from '@/lib/control-center/overview/bookable';
import { db } from '@/lib/platform/db';
import { inTenant } from '@/lib/platform/tenant-scope';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeService } from '@/tests/support/factories';
import { memberOf } from './requests-lines';

type Desk = Awaited<ReturnType<typeof makeDesk>>;

/** One bookable service without bookings; then the one change of each case. */
const CASES: [reason: string, change: (desk: Desk) => Promise<unknown>][] = [
  ['unoffered', ({ service }) => db().offering.deleteMany({ where: { serviceId: service.id } })],
  [
    'unoffered',
    ({ tenant }) => db().specialist.updateMany({ where: { tenantId: tenant.id }, data: { published: false } }),
  ],
  ['no_opening_hours', ({ location }) => db().locationHours.deleteMany({ where: { locationId: location.id } })],
  ['no_working_hours', ({ tenant }) => db().specialistHours.deleteMany({ where: { tenantId: tenant.id } })],
  [
    'hours_too_short',
    ({ service }) => db().service.update({ where: { id: service.id }, data: { durationMinutes: 481 } }),
  ],
];

test.for(CASES)('says that a service is %s', async ([reason, change]) => {
  const desk = await makeDesk();
  await change(desk);
  const ask = memberOf(desk.tenant.id, 'SUPPORT');
  await expect
    .poll(async () => (await ask('overview.bookable')).data)
    .toEqual({
      services: [{ id: desk.service.id, name: 'Haircut', reason }],
      total: 1,
      any_bookable: false,
    });
});

test('says that all times are taken, and which services can be booked', async () => {
  const desk = await makeDesk({
    service: { durationMinutes: 480, slotIntervalMinutes: 60, maxAdvanceDays: 2, minLeadMinutes: 0 },
  });
  const ask = memberOf(desk.tenant.id, 'SUPPORT');
  const bookable = { services: [], total: 0, any_bookable: true };
  await expect.poll(async () => (await ask('overview.bookable')).data).toEqual(bookable);
  await makeService(desk.tenant.id, { name: { en: 'Hidden' }, published: false });
  const first = async () => {
    const asked = { service_id: desk.service.id, location_id: desk.location.id };
    const reply = await desk.slots({ ...asked, date: dayAhead(0), date_to: dayAhead(3) });
    return (reply.data as { slots: { date: string; start_time: string }[] }).slots[0];
  };
  for (let slot = await first(); slot; slot = await first()) await desk.book(slot.start_time, { date: slot.date });
  const taken = {
    services: [{ id: desk.service.id, name: 'Haircut', reason: 'taken' }],
    total: 1,
    any_bookable: false,
  };
  expect((await ask('overview.bookable')).data).toMatchObject(taken);
  expect((await ask('overview.progress')).data).toMatchObject({ bookings: true });
  // Of the next days, the first one can be booked again when a later one enters the range.
  const later = new Date(Date.now() + 3 * 86_400_000);
  expect(await inTenant(desk.tenant.id, () => bookabilityOf(desk.tenant.id, later))).toEqual(bookable);
});
