import { expect, test } from 'vitest';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeLocation, makeSpecialist, offer } from '@/tests/support/factories';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';

type Day = {
  from_minute: number;
  to_minute: number;
  ticks: { minute: number; label: string }[];
  columns: { specialist: { id: string }; blocks: { start_time: string; bookings: { reference: string }[] }[] }[];
};

async function makeHouse(options?: Parameters<typeof makeDesk>[0]) {
  const desk = await makeDesk(options);
  const owner = await makeMember(desk.tenant.id);
  const day = async (date = dayAhead()) => {
    const reply = await owner.query('bookings.day', { location_id: desk.location.id, date });
    expect(reply).toMatchObject({ status: 200 });
    return reply.data as Day;
  };
  return { ...desk, owner, day };
}

test('returns a column per specialist of the location and one block per appointment or group', async () => {
  const { tenant, book, owner, day, ids } = await makeHouse({ specialists: 2, service: { capacity: 2 } });
  await makeSpecialist(tenant.id, { displayName: 'Works elsewhere' });
  const group = [await book('10:00', { specialist_id: ids[0] }), await book('10:00', { specialist_id: ids[0] })];
  await book('07:30', { specialist_id: ids[1] }).catch(() => null);
  const alone = await book('16:30', { specialist_id: ids[1] });
  const canceled = await book('12:00', { specialist_id: ids[1] });
  await owner.mutate('bookings.change', { reference: canceled.reference, action: 'cancel', expected_version: 1 });
  const found = await day();
  expect(found).toMatchObject({ from_minute: 480, to_minute: 1080, cancelled: 1, truncated: false });
  expect(found.ticks).toHaveLength(10);
  expect(found.ticks[0]).toEqual({ minute: 480, label: '08:00' });
  const columns = new Map(found.columns.map(({ specialist, blocks }) => [specialist.id, blocks]));
  expect([...columns.keys()].sort()).toEqual([...ids].sort());
  expect(columns.get(ids[0] ?? '')).toMatchObject([{ start_minute: 600, end_minute: 630, start_time: '10:00' }]);
  expect(
    columns
      .get(ids[0] ?? '')?.[0]
      ?.bookings.map(({ reference }) => reference)
      .sort(),
  ).toEqual(group.map(({ reference }) => reference).sort());
  expect(columns.get(ids[1] ?? '')).toMatchObject([
    { start_time: '16:30', bookings: [{ reference: alone.reference }] },
  ]);
  expect((await day(dayAhead(8))).columns.map(({ blocks }) => blocks)).toEqual([[], []]);
});

test('returns an appointment past midnight on both days', async () => {
  const { location, ids, book, day } = await makeHouse({ service: { durationMinutes: 60 } });
  const always = { opens: '00:00', closes: '00:00' };
  await db().locationHours.updateMany({ where: { locationId: location.id }, data: always });
  await db().specialistHours.updateMany({ where: { specialistId: { in: ids } }, data: always });
  await book('23:30');
  const [evening, night] = [await day(), await day(dayAhead(8))];
  expect(evening.columns[0]?.blocks).toMatchObject([{ start_minute: 1410, end_minute: 1440, end_time: '00:30' }]);
  expect(evening.to_minute).toBe(1440);
  expect(night.columns[0]?.blocks).toMatchObject([{ start_minute: 0, end_minute: 30, start_time: '23:30' }]);
  expect(night.from_minute).toBe(0);
});

test('returns wall-clock hours on days with a clock change', async () => {
  const { day } = await makeHouse();
  for (const date of ['2026-03-29', '2026-10-25']) {
    const { ticks } = await day(date);
    expect(ticks.map(({ label }) => label).slice(0, 2)).toEqual(['08:00', '09:00']);
    expect(ticks).toHaveLength(10);
  }
});

test('returns 404 for an unknown location and names an invalid date', async () => {
  const { owner, location } = await makeHouse();
  const ask = (location_id: string, date: string) => owner.query('bookings.day', { location_id, date });
  expect(await ask('loc_nowhere', dayAhead())).toMatchObject({ status: 404 });
  expect(await ask(location.id, '2026-02-30')).toMatchObject({ status: 400, error: { fields: [{ path: 'date' }] } });
});

type Hours = { start_time: string; end_time: string };
type Shaded = {
  location: { id: string };
  opening: Hours[];
  columns: { working: Hours[]; blocks: { seats: unknown }[] }[];
};

test('returns opening hours, and working hours without breaks and time off; a closed day has none', async () => {
  const { location, ids, day } = await makeHouse();
  const [specialistId = ''] = ids;
  const weekdays = [1, 2, 3, 4, 5, 6, 7];
  await db().specialistBreak.createMany({
    data: weekdays.map((weekday) => ({ specialistId, weekday, opens: '13:00', closes: '13:30' })),
  });
  const off = { startsAt: new Date(`${dayAhead()}T15:00:00Z`), endsAt: new Date(`${dayAhead(8)}T00:00:00Z`) };
  await db().specialistTimeOff.create({ data: { specialistId, ...off } });
  const date = new Date(`${dayAhead(9)}T00:00:00Z`);
  await db().locationException.create({ data: { locationId: location.id, date, hours: [] } });
  const times = (hours: Hours[] = []) => hours.map(({ start_time, end_time }) => `${start_time}–${end_time}`);
  const shaded = async (ahead: number) => (await day(dayAhead(ahead))) as unknown as Shaded;
  expect(times((await shaded(7)).columns[0]?.working)).toEqual(['09:00–13:00', '13:30–15:00']);
  expect(times((await shaded(7)).opening)).toEqual(['09:00–17:00']);
  expect(await shaded(9)).toMatchObject({ opening: [], columns: [{ working: [] }] });
});

test('selects a location that has bookings, and returns the seats of a group', async () => {
  const { tenant, owner, location, service, specialists, ids, book } = await makeHouse({ service: { capacity: 4 } });
  const first = await makeLocation(tenant.id, { name: { en: 'A first one' } });
  await offer(tenant.id, specialists, [service], [first]);
  const read = async (date: string) => (await owner.query('bookings.day', { location_id: null, date })).data as Shaded;
  expect((await read(dayAhead())).location.id).toBe(first.id);
  await book('10:00');
  await book('10:00');
  const found = await read(dayAhead());
  expect(found.location.id).toBe(location.id);
  expect(found.columns).toMatchObject([{ specialist: { id: ids[0] }, blocks: [{ seats: { taken: 2, capacity: 4 } }] }]);
  expect((await read(dayAhead(5))).location.id).toBe(location.id);
});

test('selects no location for a booking that ends before the date begins in the time zone of its location', async () => {
  const { tenant, owner, location, service, specialists, book } = await makeHouse();
  // In this time zone, a date begins at 10:00 UTC on the previous day.
  const early = await makeLocation(tenant.id, { name: { en: 'Early' }, timeZone: 'Pacific/Kiritimati' });
  await offer(tenant.id, specialists, [service], [early]);
  await book('10:00', { date: dayAhead(6) });
  await book('11:00');
  await book('16:00', { location_id: early.id });
  const read = async (date: string) => (await owner.query('bookings.day', { location_id: null, date })).data as Shaded;
  expect((await read(dayAhead(6))).location.id).toBe(location.id);
  expect((await read(dayAhead())).location.id).toBe(early.id);
});

type Outside = { outside: string | null };

test('marks bookings outside changed hours for the front desk, like the warning at the location', async () => {
  const { tenant, location, book, cancel, owner } = await makeHouse();
  const desk = await makeMember(tenant.id, 'FRONT_DESK', 'Dora Desk');
  const [inside, late, canceled] = [await book('10:00'), await book('16:00'), await book('16:30')];
  await cancel(canceled.reference);
  const isMarked = async ({ reference }: { reference: string }) =>
    ((await desk.query('bookings.get', { reference })).data as Outside).outside;
  expect(await isMarked(late)).toBeNull();
  const date = new Date(`${dayAhead()}T00:00:00Z`);
  await db().locationException.create({
    data: { locationId: location.id, date, hours: [{ opens: '09:00', closes: '12:00' }] },
  });
  await markChanged(db(), 'catalog', tenant.id);
  await until(
    () => isMarked(late),
    (reason) => reason === 'outside_hours',
  );
  expect(await Promise.all([inside, canceled].map(isMarked))).toEqual([null, null]);
  const at = { location_id: location.id, date: dayAhead() };
  const day = (await desk.query('bookings.day', at)).data as Pick<Week['days'][number], 'columns'>;
  const week = (await desk.query('bookings.week', at)).data as Week;
  for (const { columns } of [day, ...week.days.filter((one) => one.date === dayAhead())]) {
    expect(columns.flatMap(({ blocks }) => blocks.map(({ bookings }) => bookings))).toMatchObject([
      [{ reference: inside.reference, outside: null }],
      [{ reference: late.reference, outside: 'outside_hours' }],
    ]);
  }
  const warning = await owner.query('catalog.locations.outside', { id: location.id });
  expect(warning.data).toMatchObject({ count: 1, first: [{ reference: late.reference, reason: 'outside_hours' }] });
});

type Week = {
  from_minute: number;
  to_minute: number;
  days: { date: string; opening: Hours[]; cancelled: number; columns: Day['columns'] }[];
};

test('returns a week from Monday with the bookings, hours, and closed days of each day', async () => {
  const { owner, location, book, tenant, day } = await makeHouse({ specialists: 2 });
  const read = async (date: string) =>
    (await owner.query('bookings.week', { location_id: location.id, date })).data as Week;
  const { reference } = await book('10:00');
  const closed = dayAhead();
  const week = await read(closed);
  expect(week.days.map(({ date }) => new Date(date).getUTCDay())).toEqual([1, 2, 3, 4, 5, 6, 0]);
  expect((await read(week.days[6]?.date ?? '')).days.map(({ date }) => date)).toEqual(
    week.days.map(({ date }) => date),
  );
  const columns = week.days.flatMap(({ date, columns }) => columns.map((column) => ({ date, ...column })));
  expect(columns).toHaveLength(14);
  const blocks = columns.flatMap(({ date, blocks }) =>
    blocks.map(({ start_time, bookings }) => [date, start_time, bookings]),
  );
  expect(blocks).toMatchObject([[closed, '10:00', [{ reference, version: 1, movable: true }]]]);
  // The day schedule and the week schedule show the same specialists and bookings.
  const shown = (found: Day['columns'] = []) =>
    found.map(({ specialist, blocks: own }) => [
      specialist,
      own.map(({ start_time, bookings }) => [start_time, bookings]),
    ]);
  expect(shown(week.days.find(({ date }) => date === closed)?.columns)).toEqual(shown((await day(closed)).columns));
  const date = new Date(`${closed}T00:00:00Z`);
  await db().locationException.create({ data: { locationId: location.id, date, hours: [] } });
  await markChanged(db(), 'catalog', tenant.id);
  const openings = await until(
    async () => (await read(closed)).days.map((one) => [one.date === closed, one.opening.length]),
    (found) => found.some(([, length]) => length === 0),
  );
  for (const [isClosed, length] of openings) expect(length).toBe(isClosed ? 0 : 1);
});

test('a week with a clock change has one axis in local times', async () => {
  const { owner, location } = await makeHouse();
  const reply = await owner.query('bookings.week', { location_id: location.id, date: '2026-10-25' });
  expect(reply.data).toMatchObject({
    from_minute: 480,
    to_minute: 1080,
    ticks: { 0: { minute: 480, label: '08:00' } },
  });
  for (const { opening } of (reply.data as Week).days)
    expect(opening).toMatchObject([{ start_minute: 540, end_minute: 1020, start_time: '09:00' }]);
});

test('begins with the location that the member looked at last', async () => {
  const { tenant, location, book, owner } = await makeHouse();
  const other = await makeLocation(tenant.id, { name: { en: 'Zzz, without bookings' } });
  await book('10:00');
  const shown = async (by: typeof owner) => {
    const input = { location_id: null, date: dayAhead() };
    const replies = await Promise.all([by.query('bookings.day', input), by.query('bookings.week', input)]);
    return replies.map(({ data }) => (data as { location: { id: string } }).location.id);
  };
  expect(await shown(owner)).toEqual([location.id, location.id]);
  for (const location_id of [location.id, other.id])
    expect(await owner.mutate('bookings.remember_location', { location_id })).toMatchObject({ status: 200 });
  expect(await shown(owner)).toEqual([other.id, other.id]);
  expect(await owner.query('bookings.new_choices', {})).toMatchObject({ data: { location_id: other.id } });
  expect(await shown(await makeMember(tenant.id))).toEqual([location.id, location.id]);
  await db().location.delete({ where: { id: other.id } });
  expect(await shown(owner)).toEqual([location.id, location.id]);
});
