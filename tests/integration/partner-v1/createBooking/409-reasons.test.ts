import { beforeAll, expect, test } from 'vitest';
import { countRows, expectRefusal, NOTHING } from '@/tests/support/booking-rows';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { daily, makeScheduledDesk, nextClockChanges } from '@/tests/support/schedules';

const ZONE = 'America/New_York';
let desk: Desk;
/** Ids of records that cause a refusal, by cause. */
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

async function expectRefused(reason: string, [, more, start]: Case): Promise<void> {
  const before = await countRows(desk.tenant.id);
  expectRefusal(await desk.create(desk.body(start ?? '10:00', more())), 409, 'booking_unavailable', reason);
  const { keys, ...rest } = await countRows(desk.tenant.id);
  // A refused request adds one row, which stores its idempotency key, and changes nothing else.
  expect({ ...rest, keys: keys - 1 }).toEqual(before);
}

test.for<Case>([
  ['for a service that is not published', () => ({ service_id: bad.draft })],
  ['before specialist_unavailable', () => ({ service_id: bad.draft, specialist_id: bad.stranger })],
  ['before nonexistent_local_time', () => ({ service_id: bad.draft, date: days.gap }), '02:30'],
  ['before lead_time', () => ({ service_id: bad.draft, date: '2020-01-01' })],
  ['before max_advance', () => ({ service_id: bad.draft, date: '2999-01-01' })],
  ['before outside_schedule', () => ({ service_id: bad.draft }), '03:00'],
  ['before slot_taken', () => ({ service_id: bad.draft }), '12:00'],
])('returns service_unpublished %s', (one) => expectRefused('service_unpublished', one));

test.for<Case>([
  ['for a specialist who does not offer the service there', () => ({ specialist_id: bad.stranger })],
  ['for a specialist who is not published', () => ({ specialist_id: bad.away })],
  [
    'for a location that does not offer the service',
    () => ({ specialist_id: desk.ids[0], location_id: bad.elsewhere }),
  ],
  ['before nonexistent_local_time', () => ({ specialist_id: bad.stranger, date: days.gap }), '02:30'],
  ['before lead_time', () => ({ specialist_id: bad.stranger, date: '2020-01-01' })],
  ['before max_advance', () => ({ specialist_id: bad.stranger, date: '2999-01-01' })],
  ['before outside_schedule', () => ({ specialist_id: bad.stranger }), '03:00'],
  ['before slot_taken', () => ({ specialist_id: bad.stranger }), '12:00'],
])('returns specialist_unavailable %s', (one) => expectRefused('specialist_unavailable', one));

test.for<Case>([
  ['for the first minute of the gap', () => ({ date: days.gap }), '02:00'],
  ['for the last minute of the gap', () => ({ date: days.gap }), '02:59'],
  ['before lead_time', () => ({ date: days.pastGap }), '02:30'],
  ['before max_advance', () => ({ date: days.farGap }), '02:30'],
  ['before outside_schedule', () => ({ date: days.gap, location_id: bad.elsewhere }), '02:30'],
])('returns nonexistent_local_time %s', (one) => expectRefused('nonexistent_local_time', one));

test.for<Case>([
  ['for yesterday', () => ({ date: dayAhead(-1) })],
  ['for the year 0', () => ({ date: '0000-01-01' })],
  ['for a start within the lead time of the service', () => ({ service_id: bad.slow })],
  ['before max_advance', () => ({ service_id: bad.slow, date: dayAhead(10) })],
  ['before outside_schedule', () => ({ date: '2020-01-01' }), '03:10'],
  ['before slot_taken', () => ({ service_id: bad.slow }), '12:00'],
])('returns lead_time %s', (one) => expectRefused('lead_time', one));

test.for<Case>([
  ['for a date beyond the horizon', () => ({ date: dayAhead(402) })],
  ['for the last minute of the year 9999', () => ({ date: '9999-12-31' }), '23:59'],
  ['before outside_schedule', () => ({ date: '2999-01-01' }), '03:10'],
  ['before slot_taken', () => ({ service_id: bad.short }), '12:00'],
])('returns max_advance %s', (one) => expectRefused('max_advance', one));

test.for<Case>([
  ['for a start off the grid', () => ({}), '10:15'],
  ['for a start one minute off the grid', () => ({}), '10:01'],
  ['before outside_schedule', () => ({ location_id: bad.elsewhere }), '03:10'],
  ['before slot_taken', () => ({}), '12:15'],
])('returns off_grid %s', (one) => expectRefused('off_grid', one));

test.for<Case>([
  ['for a start before opening', () => ({}), '08:30'],
  ['for an end after closing', () => ({}), '17:00'],
  ['for an unpublished location', () => ({ location_id: bad.closed })],
  ['for an allowed location that does not offer the service', () => ({ location_id: bad.elsewhere })],
])('returns outside_schedule %s', (one) => expectRefused('outside_schedule', one));

test.for<Case>([
  ['for a slot taken by the same service', () => ({}), '12:00'],
  ['for a requested specialist who is busy', () => ({ specialist_id: desk.ids[0] }), '12:00'],
])('returns slot_taken %s', (one) => expectRefused('slot_taken', one));

test('books up to the bounds of lead time and horizon and refuses starts beyond them', async () => {
  // Bookings can start at every minute, so the test can try starts one or two minutes before and after each bound.
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

test('returns outside_schedule for a service offered only at an unpublished location, with or without location_id', async () => {
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
