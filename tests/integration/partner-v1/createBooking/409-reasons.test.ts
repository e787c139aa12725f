import { beforeAll, expect, test } from 'vitest';
import { countRows, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { daily, makeScheduledDesk, nextClockChanges } from '@/tests/support/schedules';

const ZONE = 'America/New_York';
let desk: Desk;
/** Ids that a request may carry, by what is wrong with them. */
let bad: Record<'draft' | 'slow' | 'short' | 'stranger' | 'away' | 'closed' | 'elsewhere', string>;
let days: Record<'gap' | 'pastGap' | 'farGap', string>;

beforeAll(async () => {
  const working = daily({ opens: '09:00', closes: '17:00' });
  desk = await makeScheduledDesk({
    timeZone: ZONE,
    opening: working,
    specialists: [{ working }],
    service: { maxAdvanceDays: 400 },
  });
  const { tenant, specialists, location } = desk;
  const [draft, slow, short, stranger, away, closed, elsewhere] = await Promise.all([
    makeService(tenant.id, { published: false }),
    makeService(tenant.id, { minLeadMinutes: 20 * 1440, maxAdvanceDays: 1 }),
    makeService(tenant.id, { maxAdvanceDays: 1 }),
    makeSpecialist(tenant.id),
    makeSpecialist(tenant.id, { published: false }),
    makeLocation(tenant.id, { published: false, timeZone: ZONE }),
    makeLocation(tenant.id, { timeZone: ZONE }),
  ]);
  await offer(tenant.id, [...specialists, away], [desk.service, draft, slow, short], [location, closed]);
  const id = ({ id }: { id: string }) => id;
  bad = {
    draft: id(draft),
    slow: id(slow),
    short: id(short),
    stranger: id(stranger),
    away: id(away),
    closed: id(closed),
    elsewhere: id(elsewhere),
  };
  days = {
    gap: nextClockChanges(ZONE).forward.date,
    pastGap: nextClockChanges(ZONE, -800).forward.date,
    farGap: nextClockChanges(ZONE, 800).forward.date,
  };
  await desk.book('12:00');
});

type Case = [what: string, more: () => Record<string, unknown>, start?: string];

async function refused(reason: string, [, more, start]: Case): Promise<void> {
  const before = await countRows(desk.tenant.id);
  expectRefusal(await desk.create(desk.body(start ?? '10:00', more())), 409, 'booking_unavailable', reason);
  const { keys, ...rest } = await countRows(desk.tenant.id);
  // A refusal binds its key and leaves nothing else.
  expect({ ...rest, keys: keys - 1 }).toEqual(before);
}

test.for<Case>([
  ['alone', () => ({ service_id: bad.draft })],
  ['before specialist_unavailable', () => ({ service_id: bad.draft, specialist_id: bad.stranger })],
  ['before nonexistent_local_time', () => ({ service_id: bad.draft, date: days.gap }), '02:30'],
  ['before lead_time', () => ({ service_id: bad.draft, date: '2020-01-01' })],
  ['before max_advance', () => ({ service_id: bad.draft, date: '2999-01-01' })],
  ['before outside_schedule', () => ({ service_id: bad.draft }), '03:00'],
  ['before slot_taken', () => ({ service_id: bad.draft }), '12:00'],
])('service_unpublished %s', (one) => refused('service_unpublished', one));

test.for<Case>([
  ['for one who does not offer it there', () => ({ specialist_id: bad.stranger })],
  ['for one who is not published', () => ({ specialist_id: bad.away })],
  ['at a location that does not offer it', () => ({ specialist_id: desk.ids[0], location_id: bad.elsewhere })],
  ['before nonexistent_local_time', () => ({ specialist_id: bad.stranger, date: days.gap }), '02:30'],
  ['before lead_time', () => ({ specialist_id: bad.stranger, date: '2020-01-01' })],
  ['before max_advance', () => ({ specialist_id: bad.stranger, date: '2999-01-01' })],
  ['before outside_schedule', () => ({ specialist_id: bad.stranger }), '03:00'],
  ['before slot_taken', () => ({ specialist_id: bad.stranger }), '12:00'],
])('specialist_unavailable %s', (one) => refused('specialist_unavailable', one));

test.for<Case>([
  ['in the first minute of the gap', () => ({ date: days.gap }), '02:00'],
  ['in its last minute', () => ({ date: days.gap }), '02:59'],
  ['before lead_time', () => ({ date: days.pastGap }), '02:30'],
  ['before max_advance', () => ({ date: days.farGap }), '02:30'],
  ['before outside_schedule', () => ({ date: days.gap, location_id: bad.elsewhere }), '02:30'],
])('nonexistent_local_time %s', (one) => refused('nonexistent_local_time', one));

test.for<Case>([
  ['in the past', () => ({ date: dayAhead(-1) })],
  ['long ago', () => ({ date: '0000-01-01' })],
  ['too soon for the service', () => ({ service_id: bad.slow })],
  ['before max_advance', () => ({ service_id: bad.slow, date: dayAhead(10) })],
  ['before outside_schedule', () => ({ date: '2020-01-01' }), '03:10'],
  ['before slot_taken', () => ({ service_id: bad.slow }), '12:00'],
])('lead_time %s', (one) => refused('lead_time', one));

test.for<Case>([
  ['beyond the horizon', () => ({ date: dayAhead(402) })],
  ['at the end of time', () => ({ date: '9999-12-31' }), '23:59'],
  ['before outside_schedule', () => ({ date: '2999-01-01' }), '03:10'],
  ['before slot_taken', () => ({ service_id: bad.short }), '12:00'],
])('max_advance %s', (one) => refused('max_advance', one));

test.for<Case>([
  ['before opening', () => ({}), '08:30'],
  ['when the service would end after closing', () => ({}), '17:00'],
  ['off the grid', () => ({}), '10:15'],
  ['by a minute off the grid', () => ({}), '10:01'],
  ['at an unpublished location', () => ({ location_id: bad.closed })],
  ['at an allowed location that does not offer the service', () => ({ location_id: bad.elsewhere })],
  ['before slot_taken', () => ({}), '12:15'],
])('outside_schedule %s', (one) => refused('outside_schedule', one));

test.for<Case>([
  ['by the same service', () => ({}), '12:00'],
  ['with the wanted specialist', () => ({ specialist_id: desk.ids[0] }), '12:00'],
])('slot_taken %s', (one) => refused('slot_taken', one));

test('the last minute that lead time and horizon allow is bookable, the first one beyond is not', async () => {
  // On a grid of one minute, so that the bounds are met within the minute in which the test runs.
  const always = daily({ opens: '00:00', closes: '00:00' });
  const exact = await makeScheduledDesk({
    timeZone: 'UTC',
    opening: always,
    specialists: [{ working: always }, { working: always }],
    service: { slotIntervalMinutes: 1, minLeadMinutes: 60, maxAdvanceDays: 2, durationMinutes: 1 },
  });
  const at = async (minutes: number) => {
    const [date, time] = new Date(Date.now() + minutes * 60_000).toISOString().split('T');
    return exact.create(exact.body(time?.slice(0, 5), { date }));
  };
  expectRefusal(await at(59), 409, 'booking_unavailable', 'lead_time');
  expect((await at(62)).status).toBe(201);
  expect((await at(2 * 1440 - 1)).status).toBe(201);
  expectRefusal(await at(2 * 1440 + 2), 409, 'booking_unavailable', 'max_advance');
});

test('a service offered only at an unpublished location is outside_schedule, with or without a location', async () => {
  const { tenant, specialists, create, body } = await makeDesk();
  const closed = await makeLocation(tenant.id, { published: false });
  const only = await makeService(tenant.id);
  await offer(tenant.id, specialists, [only], [closed]);
  for (const location_id of [undefined, closed.id]) {
    const reply = await create(body('10:00', { service_id: only.id, location_id }));
    expectRefusal(reply, 409, 'booking_unavailable', 'outside_schedule');
  }
  expect(await countRows(tenant.id)).toEqual({ ...NOTHING, keys: 2 });
});
