import { expect, test } from 'vitest';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { bookingRow, claimsOf, moveDeadline } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { localInstant } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';
import { anonymize, NOBODY } from '../booking-states';

const to = (start_time: string, more: Record<string, unknown> = {}) => ({
  expected_version: 1,
  date: dayAhead(),
  start_time,
  ...more,
});

test('keeps reference, status and customer, and returns the new time and version', async () => {
  const { book, reschedule, read } = await makeDesk();
  const booking = await book('10:00');
  const date = dayAhead(9);
  const startedAt = Date.now();
  const { status, data, headers } = await reschedule(booking.reference, to('14:30', { date }));
  expect(status).toBe(200);
  const at = (time: string) => localInstant(date, time, 'Europe/Berlin');
  expect(data.booking).toEqual({
    ...booking,
    version: 2,
    date,
    start_time: '14:30',
    end_time: '15:00',
    starts_at: at('14:30'),
    ends_at: at('15:00'),
    change_deadline: new Date(at('14:30')).toISOString(),
    updated_at: data.booking.updated_at,
  });
  expect(Date.parse(data.booking.updated_at)).toBeGreaterThanOrEqual(startedAt);
  expect([headers.location, headers['idempotent-replayed']]).toEqual([undefined, undefined]);
  expect((await read(booking.reference)).data).toEqual(data);
});

test('frees the old slot, takes the new one, and leaves exactly one claim', async () => {
  const { book, reschedule, starts, tenant } = await makeDesk();
  const { reference } = await book('10:00');
  await reschedule(reference, to('14:30'));
  const day = await starts();
  expect([day.includes('10:00'), day.includes('14:30')]).toEqual([true, false]);
  const claims = await claimsOf(tenant.id);
  expect(claims).toMatchObject([{ taken: 1, starts_at: new Date(localInstant(dayAhead(), '14:30', 'Europe/Berlin')) }]);
  expect((await bookingRow(reference)).claim_id).toBe(claims[0]?.id);
});

test.for(['09:30', '10:30', '09:00', '11:00'])(
  'accepts %s, which overlaps only the slot or buffers of the booking itself',
  async (start) => {
    const service = { durationMinutes: 60, bufferBeforeMinutes: 10, bufferAfterMinutes: 10 };
    const { book, reschedule, tenant } = await makeDesk({ service });
    const { reference } = await book('10:00');
    expect((await reschedule(reference, to(start))).data.booking.start_time).toBe(start);
    expect(await claimsOf(tenant.id)).toHaveLength(1);
  },
);

test('keeps the current specialist if free, even when others have fewer booked minutes', async () => {
  const { book, reschedule, ids } = await makeDesk({ specialists: 3 });
  const { reference } = await book('10:00', { specialist_id: ids[1] });
  await book('11:00', { specialist_id: ids[1] });
  expect((await reschedule(reference, to('12:00'))).data.booking.specialist_id).toBe(ids[1]);
});

test('assigns the specialist with the fewest booked minutes that day when the current one is busy', async () => {
  const { book, reschedule, ids } = await makeDesk({ specialists: 3 });
  const { reference } = await book('10:00', { specialist_id: ids[1] });
  await book('12:00', { specialist_id: ids[1] });
  await book('15:00', { specialist_id: ids[0] });
  expect((await reschedule(reference, to('12:00'))).data.booking.specialist_id).toBe(ids[2]);
});

test('assigns the requested specialist, at the same or another time', async () => {
  const { book, reschedule, ids } = await makeDesk({ specialists: 2 });
  const { reference } = await book('10:00', { specialist_id: ids[0] });
  const [, second = ''] = ids;
  const other = await reschedule(reference, to('10:00', { specialist_id: second }));
  expect(other.data.booking).toMatchObject({ start_time: '10:00', specialist_id: second, version: 2 });
  const back = await reschedule(reference, to('12:00', { specialist_id: ids[0], expected_version: 2 }));
  expect(back.data.booking).toMatchObject({ start_time: '12:00', specialist_id: ids[0], version: 3 });
});

test('reassigns a booking at the same time when its specialist is no longer published', async () => {
  const { book, reschedule, ids, tenant, slotAt } = await makeDesk({ specialists: 2 });
  const { reference } = await book('10:00', { specialist_id: ids[0] });
  await db().specialist.update({ where: { id: ids[0] }, data: { published: false } });
  await markChanged(db(), 'catalog', tenant.id);
  await until(
    () => slotAt('12:00'),
    (slot) => slot?.available_capacity === 1,
  );
  expect((await reschedule(reference, to('10:00'))).data.booking).toMatchObject({ specialist_id: ids[1], version: 2 });
});

test('increments the version by one per change, even when a booking moves back', async () => {
  const { book, reschedule, read } = await makeDesk();
  const { reference } = await book('10:00');
  for (const [i, start] of ['11:00', '10:00', '11:00', '10:00'].entries()) {
    const { data } = await reschedule(reference, to(start, { expected_version: i + 1 }));
    expect(data.booking).toMatchObject({ version: i + 2, start_time: start, reference });
  }
  expect((await read(reference)).data.booking.version).toBe(5);
});

test('accepts a change just before the deadline, and sets the new deadline from the current cutoff', async () => {
  const { book, reschedule } = await makeDesk({ service: { cancellationCutoffMinutes: 60 } });
  const { reference } = await book('10:00');
  await moveDeadline(reference, 2);
  const { data } = await reschedule(reference, to('15:00'));
  expect(Date.parse(data.booking.change_deadline ?? '')).toBe(
    Date.parse(localInstant(dayAhead(), '14:00', 'Europe/Berlin')),
  );
});

test('accepts every slot that availability offers with exclude_reference', async () => {
  const { book, reschedule, starts } = await makeDesk({ service: { durationMinutes: 90 } });
  const { reference } = await book('12:00');
  await book('14:30');
  const offered = (await starts({ exclude_reference: reference })).filter((start) => start !== '12:00');
  expect(offered).toEqual(['09:00', '09:30', '10:00', '10:30', '11:00', '11:30', '12:30', '13:00']);
  let expected_version = 1;
  for (const start of offered) {
    const { status } = await reschedule(reference, to(start, { expected_version }));
    expect([start, status]).toEqual([start, 200]);
    expected_version += 1;
  }
});

test('moves an anonymized booking and keeps it anonymized', async () => {
  const { book, reschedule } = await makeDesk();
  const { reference } = await book('10:00');
  await anonymize(reference);
  expect((await reschedule(reference, to('11:00'))).data.booking.customer).toEqual(NOBODY);
});
