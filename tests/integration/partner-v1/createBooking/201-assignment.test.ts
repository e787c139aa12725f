import { expect, test } from 'vitest';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeService, offer } from '@/tests/support/factories';

const bookWith = async (desk: Desk, index: number, start: string, more: Record<string, unknown> = {}) =>
  desk.book(start, { specialist_id: desk.ids[index], ...more });

const bookAndGetIndex = async (desk: Desk, start: string, more: Record<string, unknown> = {}) =>
  desk.ids.indexOf((await desk.book(start, more)).specialist_id);

test('assigns equally booked specialists in the order of their ids', async () => {
  const desk = await makeDesk({ specialists: 3 });
  expect([
    await bookAndGetIndex(desk, '10:00'),
    await bookAndGetIndex(desk, '10:00'),
    await bookAndGetIndex(desk, '10:00'),
  ]).toEqual([0, 1, 2]);
});

test('assigns the specialist with the fewest claimed minutes that day', async () => {
  const desk = await makeDesk({ specialists: 3 });
  await bookWith(desk, 0, '09:00');
  await bookWith(desk, 1, '09:30');
  await bookWith(desk, 1, '10:00');
  await bookWith(desk, 2, '10:30');
  await bookWith(desk, 2, '11:00');
  await bookWith(desk, 2, '11:30');
  expect(await bookAndGetIndex(desk, '14:00')).toBe(0);
  // Both specialists have 60 claimed minutes, so the first is assigned. After that, the second has fewer claimed
  // minutes.
  expect(await bookAndGetIndex(desk, '15:00')).toBe(0);
  expect(await bookAndGetIndex(desk, '15:30')).toBe(1);
});

test('ignores the claims of other days', async () => {
  const desk = await makeDesk({ specialists: 2 });
  await bookWith(desk, 0, '10:00', { date: dayAhead(6) });
  await bookWith(desk, 0, '10:00', { date: dayAhead(8) });
  expect(await bookAndGetIndex(desk, '14:00')).toBe(0);
});

test('counts minutes without buffers', async () => {
  const desk = await makeDesk({ specialists: 2, service: { bufferBeforeMinutes: 30, bufferAfterMinutes: 60 } });
  const longer = await makeService(desk.tenant.id, { durationMinutes: 45, slotIntervalMinutes: 15 });
  await offer(desk.tenant.id, desk.specialists, [longer], [desk.location]);
  await bookWith(desk, 0, '10:00');
  await bookWith(desk, 1, '10:00', { service_id: longer.id });
  expect(await bookAndGetIndex(desk, '15:00')).toBe(0);
});

test('counts the minutes of a group once, regardless of its number of customers', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  for (let guest = 0; guest < 3; guest += 1) await bookWith(desk, 0, '09:00');
  await bookWith(desk, 1, '09:30');
  await bookWith(desk, 1, '10:00');
  expect(await bookAndGetIndex(desk, '14:00')).toBe(0);
});

test('prefers an open group over specialists with fewer minutes until the group is full', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  await bookWith(desk, 1, '09:00');
  await bookWith(desk, 1, '10:00');
  expect([await bookAndGetIndex(desk, '10:00'), await bookAndGetIndex(desk, '10:00')]).toEqual([1, 1]);
  expect(await bookAndGetIndex(desk, '10:00')).toBe(0);
});

test('assigns the specialist with fewer minutes when both have an open group', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  await bookWith(desk, 0, '10:00');
  await bookWith(desk, 1, '10:00');
  await bookWith(desk, 0, '12:00');
  expect(await bookAndGetIndex(desk, '10:00')).toBe(1);
});

test('does not treat a claim of another service as an open group', async () => {
  const desk = await makeDesk({ specialists: 2, service: { capacity: 3 } });
  const other = await makeService(desk.tenant.id, { capacity: 3 });
  await offer(desk.tenant.id, desk.specialists, [other], [desk.location]);
  await bookWith(desk, 0, '10:00');
  expect(await bookAndGetIndex(desk, '10:00', { service_id: other.id })).toBe(1);
  expect((await desk.create(desk.body('10:00', { service_id: other.id, specialist_id: desk.ids[0] }))).status).toBe(
    409,
  );
});

test('skips busy specialists and assigns the requested one', async () => {
  const desk = await makeDesk({ specialists: 2 });
  expect((await bookWith(desk, 1, '10:00')).specialist_id).toBe(desk.ids[1]);
  await bookWith(desk, 0, '11:00');
  await bookWith(desk, 0, '12:00');
  expect(await bookAndGetIndex(desk, '12:00')).toBe(1);
  expect(await bookAndGetIndex(desk, '10:00')).toBe(0);
});
