import { expect, test } from 'vitest';
import { readDay } from '@/lib/booking/bookings/day';
import { removeSeats } from '@/lib/operations/retention/claims';
import { pool } from '@/lib/platform/db';
import { claimsOf, everythingOf } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectIntact } from '@/tests/support/invariants';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from '../control-center/applications-people';

/** A date two days after the default date of bookings. */
const LATER = dayAhead(9);
/** 30 days from now, after all bookings in this file. */
const NOW = new Date(Date.now() + 30 * 86_400_000);

async function makeHouse(options?: Parameters<typeof makeDesk>[0]) {
  const desk = await makeDesk(options);
  const bookAll = async (...starts: string[]) => {
    const references: string[] = [];
    for (const start of starts) references.push((await desk.book(start)).reference);
    return references;
  };
  /** Removes claims that ended before `LATER`. */
  const remove = (limit = 100) => removeSeats(NOW, desk.tenant.id, new Date(LATER), limit);
  const seats = async () => (await claimsOf(desk.tenant.id)).map(({ taken }) => taken);
  return { ...desk, bookAll, remove, seats };
}

test('removes only claims that ended before the time, and changes nothing else', async () => {
  const { tenant, bookAll, book, remove } = await makeHouse();
  const [past] = await bookAll('10:00');
  await book('10:00', { date: LATER });
  const before = await everythingOf(tenant.id);
  const claimId = before.bookings.find(({ reference }) => reference === past)?.claim_id;
  expect(await remove()).toBe(1);
  const claims = before.claims.filter(({ id }) => id !== claimId);
  expect(claims).toHaveLength(1);
  const removed = { claim_id: null, claim_removed_at: NOW };
  const bookings = before.bookings.map((row) => (row.reference === past ? { ...row, ...removed } : row));
  expect(await everythingOf(tenant.id)).toEqual({ ...before, claims, bookings });
  expect(await remove()).toBe(0);
  await expectIntact(tenant.id);
});

test('a past day, its bookings, and the changes that remain allowed are the same without claims', async () => {
  const { tenant, location, bookAll, read, reschedule, remove, seats } = await makeHouse({ service: { capacity: 2 } });
  const references = await bookAll('10:00', '10:00', '12:00');
  const [first = '', second = '', third = ''] = references;
  await moveToPast(references, 7 + 10);
  const seen = async () => ({
    day: await readDay(new Date(), { tenantId: tenant.id, userId: '', reasons: true }, location.id, dayAhead(-10)),
    details: await Promise.all(references.map(async (reference) => (await read(reference)).data)),
  });
  const before = await seen();
  expect(before.day.columns[0]?.blocks.map(({ bookings }) => bookings.length)).toEqual([2, 1]);
  expect(await remove()).toBe(3);
  expect(await seats()).toEqual([]);
  // Without a claim, a booking cannot be rescheduled, so `movable` is false. Everything else must be the same.
  for (const { bookings } of before.day.columns.flatMap(({ blocks }) => blocks)) {
    for (const booking of bookings) booking.movable = false;
  }
  expect(await seen()).toEqual(before);
  expect(await reschedule(third, { date: LATER, start_time: '12:00', expected_version: 1 })).toMatchObject({
    status: 409,
    error: { code: 'booking_unavailable' },
  });
  const owner = await makeMember(tenant.id);
  for (const [reference, action] of [
    [first, 'cancel'],
    [second, 'complete'],
    [third, 'no_show'],
  ]) {
    const change = { reference, action, expected_version: 1 };
    expect(await owner.mutate('bookings.change', change)).toMatchObject({ status: 200, data: { version: 2 } });
  }
});

test('a batch is bounded, also within a group, whose claim remains until its last seat is removed', async () => {
  const { tenant, bookAll, remove, seats } = await makeHouse({ service: { capacity: 3 } });
  await bookAll('10:00', '10:00', '10:00');
  expect(await seats()).toEqual([3]);
  expect(await remove(2)).toBe(2);
  expect(await seats()).toEqual([1]);
  await expectIntact(tenant.id);
  expect(await remove(2)).toBe(1);
  expect(await seats()).toEqual([]);
});

test('skips a booking that is being written; concurrent runs and changes leave the seats consistent', async () => {
  const { tenant, bookAll, book, remove, seats } = await makeHouse({ service: { capacity: 4 } });
  const [alone, ...group] = await bookAll('11:00', '10:00', '10:00', '10:00', '10:00');
  const owner = await makeMember(tenant.id);
  const writer = await pool().connect();
  try {
    await writer.query('BEGIN');
    await writer.query('SELECT FROM bookings WHERE reference = $1 FOR UPDATE', [alone]);
    const [changed, created, ...removed] = await Promise.all([
      owner.mutate('bookings.change', { reference: group[3], action: 'cancel', expected_version: 1 }),
      book('10:00', { date: LATER }),
      ...[1, 2, 3].map(() => remove(2)),
    ]);
    expect([changed.status, created.status]).toEqual([200, 'confirmed']);
    const total = removed.reduce((sum, count) => sum + count, 0) + (await remove());
    expect([3, 4]).toContain(total);
    expect(await seats()).toEqual([1, 1]);
    await expectIntact(tenant.id);
  } finally {
    await writer.query('ROLLBACK');
    writer.release();
  }
  expect(await remove()).toBe(1);
  expect(await seats()).toEqual([1]);
  await expectIntact(tenant.id);
});
