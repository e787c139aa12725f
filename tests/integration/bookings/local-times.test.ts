import { expect, test } from 'vitest';
import { correctZoneNames } from '@/lib/operations/environment/zone-rules';
import { pool } from '@/lib/platform/db';
import { ZONE_RULES } from '@/lib/platform/time-zones';
import { makeDesk } from '@/tests/support/bookings';
import { makeLocation } from '@/tests/support/factories';
import { makeMember } from '../control-center/applications-people';

const YEAR = new Date().getUTCFullYear() + 1;
const DATE = `${YEAR}-01-16`;
const NEXT_DATE = `${YEAR}-01-17`;

/** A desk that is open at all times, in a time zone whose rules Node.js 20 has wrong. */
async function makeWestDesk(timeZone = 'America/Vancouver') {
  const desk = await makeDesk({ location: { timeZone }, service: { maxAdvanceDays: 1825 } });
  for (const table of ['location_hours', 'specialist_hours']) {
    await pool().query(`UPDATE ${table} SET opens = '00:00', closes = '00:00' WHERE location_id = $1`, [
      desk.location.id,
    ]);
  }
  const owner = await makeMember(desk.tenant.id, 'OWNER');
  const listed = async (from: string, to: string) => {
    const { data } = await owner.query('bookings.list', { period: { from, to } });
    return (data as { bookings: { reference: string }[] }).bookings.map(({ reference }) => reference);
  };
  return { ...desk, owner, listed };
}

async function stored(reference: string) {
  const { rows } = await pool().query(
    `SELECT to_char(date, 'YYYY-MM-DD') AS date, to_char(start_time, 'HH24:MI') AS start_time,
       to_char(end_date, 'YYYY-MM-DD') AS end_date, to_char(end_time, 'HH24:MI') AS end_time, time_zone, zone_rules,
       local_version, version, starts_at FROM bookings WHERE reference = $1`,
    [reference],
  );
  return rows[0] as Record<string, unknown> & { starts_at: Date };
}

test('a booking stores the local time that the customer was told, through every change', async () => {
  const desk = await makeWestDesk();
  const { reference, starts_at } = await desk.book('10:00', { date: DATE });
  expect(starts_at).toBe(`${DATE}T10:00:00-07:00`);
  const told = { date: DATE, time_zone: 'America/Vancouver', zone_rules: ZONE_RULES };
  expect(await stored(reference)).toMatchObject({
    ...told,
    ...{ start_time: '10:00', end_date: DATE, end_time: '10:30', local_version: 1, version: 1 },
  });
  const moved = await desk.reschedule(reference, { expected_version: 1, date: DATE, start_time: '23:00' });
  expect(moved).toMatchObject({ status: 200 });
  expect(await stored(reference)).toMatchObject({
    ...told,
    ...{ start_time: '23:00', end_date: DATE, end_time: '23:30', local_version: 2, version: 2 },
  });
  expect(await desk.cancel(reference, { expected_version: 2 })).toMatchObject({ status: 200 });
  expect(await stored(reference)).toMatchObject({
    ...told,
    ...{ start_time: '23:00', end_date: DATE, end_time: '23:30', local_version: 3, version: 3 },
  });
});

test('the date filter follows the local date', async () => {
  const { book, listed } = await makeWestDesk();
  const evening = await book('23:00', { date: DATE });
  const midnight = await book('00:00', { date: NEXT_DATE });
  expect(await listed(DATE, DATE)).toEqual([evening.reference]);
  expect(await listed(NEXT_DATE, NEXT_DATE)).toEqual([midnight.reference]);
});

/** Makes a booking look as if it had been told and kept under rules by which its end was another local time. */
const tellEnd = (reference: string, time: string) =>
  pool().query('UPDATE bookings SET end_time = $2 WHERE reference = $1', [reference, time]);

test('every place shows the local end that the customer was told, not that of the rules of the server', async () => {
  const { book, read, cancel, owner, location } = await makeWestDesk();
  const { reference } = await book('10:00', { date: DATE });
  await tellEnd(reference, '11:30');
  const told = { start_time: '10:00', end_time: '11:30' };
  const instants = { starts_at: `${DATE}T10:00:00-07:00`, ends_at: `${DATE}T11:30:00-06:00` };
  expect((await read(reference)).data.booking).toMatchObject({ ...told, ...instants, version: 1 });
  expect((await owner.query('bookings.get', { reference })).data).toMatchObject({ ...told, ...instants });
  const list = await owner.query('bookings.list', { period: { from: DATE, to: DATE } });
  expect(list.data).toMatchObject({ bookings: [{ ...told, ...instants }] });
  for (const [procedure, days] of [
    ['bookings.day', (data: unknown) => [data]],
    ['bookings.week', (data: unknown) => (data as { days: unknown[] }).days],
  ] as const) {
    const { data } = await owner.query(procedure, { location_id: location.id, date: DATE });
    const blocks = (days(data) as { columns: { blocks: object[] }[] }[]).flatMap((day) => day.columns[0]?.blocks ?? []);
    expect(blocks, procedure).toMatchObject([told]);
  }
  expect(await cancel(reference)).toMatchObject({ status: 200, data: { booking: { ...told, ...instants } } });
  const { rows } = await pool().query('SELECT payload FROM events WHERE booking_reference = $1 AND version = 2', [
    reference,
  ]);
  expect(JSON.parse(rows[0].payload).data.booking).toMatchObject({ ...told, ...instants });
});

test('a calendar shows a past booking at the local time that its customer was told', async () => {
  const { book, owner, location } = await makeWestDesk();
  const { reference } = await book('00:30', { date: NEXT_DATE });
  await pool().query(`UPDATE bookings SET status = 'completed' WHERE reference = $1`, [reference]);
  // Under the rules of this process, its instant is an hour earlier, on the day before.
  await pool().query(
    `UPDATE bookings SET starts_at = starts_at - interval '1 hour', ends_at = ends_at - interval '1 hour'
     WHERE reference = $1`,
    [reference],
  );
  const blocksOf = async (date: string) => {
    const { data } = await owner.query('bookings.day', { location_id: location.id, date });
    return (data as { columns: { blocks: object[] }[] }).columns[0]?.blocks;
  };
  expect(await blocksOf(DATE)).toEqual([]);
  expect(await blocksOf(NEXT_DATE)).toMatchObject([
    { date: NEXT_DATE, start_minute: 30, end_minute: 60, start_time: '00:30', end_time: '01:00' },
  ]);
});

test('the names of time zones of locations and businesses become canonical', async () => {
  const { tenant, location } = await makeWestDesk('Asia/Kolkata');
  await pool().query(`UPDATE locations SET time_zone = 'Asia/Calcutta' WHERE id = $1`, [location.id]);
  await pool().query(`UPDATE tenants SET time_zone = 'Asia/Calcutta' WHERE id = $1`, [tenant.id]);
  expect(await correctZoneNames()).toBe(2);
  const { rows } = await pool().query(
    'SELECT time_zone FROM locations WHERE id = $1 UNION ALL SELECT time_zone FROM tenants WHERE id = $2',
    [location.id, tenant.id],
  );
  expect(rows).toEqual([{ time_zone: 'Asia/Kolkata' }, { time_zone: 'Asia/Kolkata' }]);
});

test('a location and a booking with an unknown time zone fail no list', async () => {
  const { tenant, book, owner, listed, slots, service, location } = await makeWestDesk();
  const { reference } = await book('10:00', { date: DATE });
  const bad = await makeLocation(tenant.id, { timeZone: 'US/Pacific-Nowhere' });
  await pool().query(`UPDATE bookings SET time_zone = 'Nowhere/Else' WHERE reference = $1`, [reference]);
  expect(await listed(DATE, DATE)).toEqual([reference]);
  for (const [procedure, input] of [
    ['overview.today', undefined],
    ['bookings.day', { location_id: null, date: DATE }],
    ['bookings.day', { location_id: bad.id, date: DATE }],
    ['bookings.week', { location_id: null, date: DATE }],
    ['bookings.get', { reference }],
    ['find.records', { text: reference }],
    ['catalog.locations.list', { page: 1, search: '' }],
  ] as const) {
    expect(await owner.query(procedure, input), procedure).toMatchObject({ status: 200 });
  }
  expect(await slots({ service_id: service.id, location_id: location.id, date: DATE })).toMatchObject({ status: 200 });
});
