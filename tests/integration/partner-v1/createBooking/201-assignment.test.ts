import { expect, test } from 'vitest';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeService, offer } from '@/tests/support/factories';

const given = async (desk: Desk, who: number, start: string, more: Record<string, unknown> = {}) =>
  desk.book(start, { specialist_id: desk.ids[who], ...more });

const assigned = async (desk: Desk, start: string, more: Record<string, unknown> = {}) =>
  desk.ids.indexOf((await desk.book(start, more)).specialist_id);

test('among equals the first by id is assigned, then the next who is free', async () => {
  const desk = await makeDesk({ specialists: 3 });
  expect([await assigned(desk, '10:00'), await assigned(desk, '10:00'), await assigned(desk, '10:00')]).toEqual([
    0, 1, 2,
  ]);
});

test('who has the fewest claimed minutes that day is assigned', async () => {
  const desk = await makeDesk({ specialists: 3 });
  await given(desk, 0, '09:00');
  await given(desk, 1, '09:30');
  await given(desk, 1, '10:00');
  await given(desk, 2, '10:30');
  await given(desk, 2, '11:00');
  await given(desk, 2, '11:30');
  expect(await assigned(desk, '14:00')).toBe(0);
  // Now the first two have an hour each.
  expect(await assigned(desk, '15:00')).toBe(0);
  expect(await assigned(desk, '15:30')).toBe(1);
});

test('other days do not count', async () => {
  const desk = await makeDesk({ specialists: 2 });
  await given(desk, 0, '10:00', { date: dayAhead(6) });
  await given(desk, 0, '10:00', { date: dayAhead(8) });
  expect(await assigned(desk, '14:00')).toBe(0);
});

test('minutes count without buffers', async () => {
  const desk = await makeDesk({ specialists: 2, service: { bufferBeforeMinutes: 30, bufferAfterMinutes: 60 } });
  const longer = await makeService(desk.tenant.id, { durationMinutes: 45, slotIntervalMinutes: 15 });
  await offer(desk.tenant.id, desk.specialists, [longer], [desk.location]);
  await given(desk, 0, '10:00');
  await given(desk, 1, '10:00', { service_id: longer.id });
  expect(await assigned(desk, '15:00')).toBe(0);
});

test('a group counts once, however many guests it has', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  for (let guest = 0; guest < 3; guest += 1) await given(desk, 0, '09:00');
  await given(desk, 1, '09:30');
  await given(desk, 1, '10:00');
  expect(await assigned(desk, '14:00')).toBe(0);
});

test('an open group comes before everybody with fewer minutes, until it is full', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  await given(desk, 1, '09:00');
  await given(desk, 1, '10:00');
  expect([await assigned(desk, '10:00'), await assigned(desk, '10:00')]).toEqual([1, 1]);
  expect(await assigned(desk, '10:00')).toBe(0);
});

test('of two open groups the specialist with fewer minutes takes the guest', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  await given(desk, 0, '10:00');
  await given(desk, 1, '10:00');
  await given(desk, 0, '12:00');
  expect(await assigned(desk, '10:00')).toBe(1);
});

test('a claim of another service is no open group', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  const other = await makeService(desk.tenant.id, { capacity: 3 });
  await offer(desk.tenant.id, desk.specialists, [other], [desk.location]);
  await given(desk, 0, '10:00');
  expect(await assigned(desk, '10:00', { service_id: other.id })).toBe(1);
  expect((await desk.create(desk.body('10:00', { service_id: other.id, specialist_id: desk.ids[0] }))).status).toBe(
    409,
  );
});

test('who is busy is passed over, who is wanted is taken', async () => {
  const desk = await makeDesk({ specialists: 2 });
  expect((await given(desk, 1, '10:00')).specialist_id).toBe(desk.ids[1]);
  await given(desk, 0, '11:00');
  await given(desk, 0, '12:00');
  expect(await assigned(desk, '12:00')).toBe(1);
  expect(await assigned(desk, '10:00')).toBe(0);
});
