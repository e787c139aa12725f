import { expect, test } from 'vitest';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { localInstant } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';

const GRID = Array.from(
  { length: 16 },
  (_, i) => `${String(9 + Math.floor(i / 2)).padStart(2, '0')}:${i % 2 ? '30' : '00'}`,
);

test('returns one slot per step of the grid with exactly the fields of the contract', async () => {
  const { slots, location, service, ids } = await makeDesk();
  const date = dayAhead();
  const { data } = await slots({ service_id: service.id, location_id: location.id, date });
  expect(data.next_cursor).toBeNull();
  expect(data.slots.map(({ start_time }) => start_time)).toEqual(GRID);
  expect(data.slots[2]).toEqual({
    date,
    start_time: '10:00',
    end_time: '10:30',
    starts_at: localInstant(date, '10:00', 'Europe/Berlin'),
    ends_at: localInstant(date, '10:30', 'Europe/Berlin'),
    time_zone: 'Europe/Berlin',
    service_id: service.id,
    location_id: location.id,
    available_capacity: 1,
    specialist_ids: ids,
  });
});

test('returns every day of a range, including the last, in the order of starts', async () => {
  const { slots, service } = await makeDesk({ service: { durationMinutes: 240, slotIntervalMinutes: 240 } });
  const { data } = await slots({ service_id: service.id, date: dayAhead(7), date_to: dayAhead(37), limit: 96 });
  const days = Array.from({ length: 31 }, (_, i) => dayAhead(7 + i));
  expect(data.slots.map(({ date, start_time }) => `${date} ${start_time}`)).toEqual(days.map((day) => `${day} 12:00`));
});

test('sums the capacity of all free specialists and lists them in the order of ids', async () => {
  const { slotAt, book, ids } = await makeDesk({ specialists: 3 });
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 3, specialist_ids: ids });
  await book('10:00', { specialist_id: ids[1] });
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 2, specialist_ids: [ids[0], ids[2]] });
  await book('10:00');
  await book('10:00');
  expect(await slotAt('10:00')).toBeUndefined();
  expect(await slotAt('10:30')).toMatchObject({ available_capacity: 3 });
});

test('counts the remaining seats of a group and drops its specialist when it is full', async () => {
  const { slotAt, book, ids } = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 6, specialist_ids: ids });
  for (const left of [5, 4]) {
    await book('10:00', { specialist_id: ids[0] });
    expect(await slotAt('10:00')).toMatchObject({ available_capacity: left, specialist_ids: ids });
  }
  await book('10:00', { specialist_id: ids[0] });
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 3, specialist_ids: [ids[1]] });
});

test('hides the starts that overlap a group', async () => {
  const { starts, book } = await makeDesk({ service: { capacity: 3, durationMinutes: 60 } });
  await book('10:00');
  expect((await starts()).slice(0, 4)).toEqual(['09:00', '10:00', '11:00', '11:30']);
});

test('returns only the slots of the requested specialist', async () => {
  const { slotAt, starts, book, ids } = await makeDesk({ specialists: 2 });
  const specialist_id = ids[1] ?? '';
  expect(await slotAt('10:00', { specialist_id })).toMatchObject({
    available_capacity: 1,
    specialist_ids: [specialist_id],
  });
  await book('10:00', { specialist_id });
  expect(await starts({ specialist_id })).not.toContain('10:00');
  expect(await starts()).toContain('10:00');
});

test('applies the buffers of both bookings and offers adjacent slots', async () => {
  const service = { bufferBeforeMinutes: 10, bufferAfterMinutes: 20, slotIntervalMinutes: 15 };
  const { starts, book } = await makeDesk({ service });
  expect(await starts()).toHaveLength(31);
  await book('12:00');
  const day = await starts();
  // The service takes 30 minutes. With its buffers, the booking at 12:00 takes 11:50 to 12:50. A booking at 11:00 would
  // take 10:50 to 11:50, and a booking at 13:00 would take 12:50 to 13:50.
  expect(day.filter((time) => time > '10:45' && time < '13:30')).toEqual(['11:00', '13:00', '13:15']);
});

test('offers only starts between lead time and horizon', async () => {
  const early = await makeDesk({ service: { minLeadMinutes: 9 * 1440 } });
  expect(await early.starts({ date: dayAhead(7) })).toEqual([]);
  expect(await early.starts({ date: dayAhead(11) })).toEqual(GRID);
  const late = await makeDesk({ service: { maxAdvanceDays: 9 } });
  expect(await late.starts({ date: dayAhead(7) })).toEqual(GRID);
  expect(await late.starts({ date: dayAhead(11) })).toEqual([]);
});

test('returns no slots and no error for dates in the past or beyond the horizon', async () => {
  const { slots, service } = await makeDesk();
  for (const date of ['0000-01-01', '0001-01-01', '1970-01-01', '2020-02-29', '2999-12-31', '9999-12-31']) {
    const reply = await slots({ service_id: service.id, date });
    expect([date, reply.status, reply.data]).toMatchObject([date, 200, { slots: [], next_cursor: null }]);
  }
});

test('omits past days of a range', async () => {
  const { slots, service } = await makeDesk();
  const { data } = await slots({ service_id: service.id, date: dayAhead(-3), date_to: dayAhead(3), limit: 96 });
  expect(data.slots.length).toBeGreaterThan(0);
  const now = Date.now();
  expect(data.slots.every(({ starts_at }) => Date.parse(starts_at) >= now - 60_000)).toBe(true);
});

test('returns no slots for an allowed location or a specialist that does not offer the service', async () => {
  const { tenant, slots, service, location } = await makeDesk();
  const elsewhere = await makeLocation(tenant.id);
  const other = await makeSpecialist(tenant.id);
  await offer(tenant.id, [other], [await makeService(tenant.id)], [location, elsewhere]);
  const query = { service_id: service.id, date: dayAhead() };
  const empty = { slots: [], next_cursor: null };
  const replies = await Promise.all([
    slots({ ...query, location_id: elsewhere.id }),
    slots({ ...query, location_id: location.id, specialist_id: other.id }),
  ]);
  expect(replies.map(({ status, data }) => [status, data])).toMatchObject([
    [200, empty],
    [200, empty],
  ]);
});

test('defaults to the one allowed location that offers the service', async () => {
  const { tenant, service, specialists, location } = await makeDesk();
  const [elsewhere, closed] = await Promise.all([
    makeLocation(tenant.id),
    makeLocation(tenant.id, { published: false }),
  ]);
  await offer(tenant.id, specialists, [service], [elsewhere, closed]);
  const { key } = await makeApplication(tenant.id, { allLocations: false, locationIds: [elsewhere.id, closed.id] });
  const { data } = await partnerOf(key).slots({ service_id: service.id, date: dayAhead() });
  expect(new Set(data.slots.map(({ location_id }) => location_id))).toEqual(new Set([elsewhere.id]));
  expect(location.id).not.toBe(elsewhere.id);
});

test('omits a specialist who is no longer published', async () => {
  const { tenant, starts, ids, slotAt } = await makeDesk({ specialists: 2 });
  expect(await slotAt('10:00')).toMatchObject({ specialist_ids: ids });
  await db().specialist.update({ where: { id: ids[0] }, data: { published: false } });
  await markChanged(db(), 'catalog', tenant.id);
  await until(
    () => slotAt('10:00'),
    (slot) => slot?.specialist_ids.length === 1,
  );
  expect(await slotAt('10:00')).toMatchObject({ available_capacity: 1, specialist_ids: [ids[1]] });
  expect(await starts()).toEqual(GRID);
});

test('returns the resolved language in Content-Language', async () => {
  const { slots, service } = await makeDesk();
  const query = { service_id: service.id, date: dayAhead() };
  const language = async (more: Record<string, string>, headers?: Record<string, string>) =>
    (await slots({ ...query, ...more }, headers)).headers['content-language'];
  expect(await language({})).toBe('en');
  expect(await language({ locale: 'de-CH' })).toBe('de');
  expect(await language({}, { 'accept-language': 'fr, de;q=0.5' })).toBe('de');
  expect(await language({ locale: 'fr' }, { 'accept-language': 'de' })).toBe('en');
});
