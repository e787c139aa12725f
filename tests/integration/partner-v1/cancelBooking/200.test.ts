import { expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { bookingRow, claimsOf, moveDeadline } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';
import { catalogChanged } from '@/tests/support/factories';

test('changes only status, version and deadline, and returns when and by whom it was canceled', async () => {
  const { book, cancel } = await makeDesk();
  const booking = await book();
  const startedAt = Date.now();
  const { status, data, headers } = await cancel(booking.reference, {
    expected_version: 1,
    reason: 'customer_request',
  });
  const { cancelled_at } = data.booking;
  expect(status).toBe(200);
  expect(data.booking).toEqual({
    ...booking,
    version: 2,
    status: 'cancelled',
    cancellable: false,
    reschedulable: false,
    change_deadline: null,
    cancelled_at,
    cancelled_by: 'partner',
    updated_at: cancelled_at,
  });
  expect(Date.parse(cancelled_at ?? '')).toBeGreaterThanOrEqual(startedAt);
  expect(Date.parse(cancelled_at ?? '')).toBeLessThanOrEqual(Date.now());
  expect([headers.location, headers['idempotent-replayed']]).toEqual([undefined, undefined]);
});

test('stores the reason and releases the claim', async () => {
  const { book, cancel } = await makeDesk();
  for (const reason of ['customer_request', 'duplicate', 'other', undefined]) {
    const { reference } = await book();
    expect((await cancel(reference, { expected_version: 1, reason })).status).toBe(200);
    expect(await bookingRow(reference)).toMatchObject({ cancel_reason: reason ?? null, claim_id: null });
  }
});

test('frees the seat at once, and deletes the claim with its last booking', async () => {
  const { book, cancel, tenant, slotAt } = await makeDesk({ service: { capacity: 3 } });
  const [one, two] = [await book(), await book()];
  const [claim] = await claimsOf(tenant.id);
  await cancel(one.reference);
  expect(await claimsOf(tenant.id)).toEqual([{ ...claim, taken: 1 }]);
  expect((await slotAt('10:00'))?.available_capacity).toBe(2);
  await cancel(two.reference);
  expect(await claimsOf(tenant.id)).toEqual([]);
  expect((await slotAt('10:00'))?.available_capacity).toBe(3);
});

test('cancels just before the deadline', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  await moveDeadline(reference, 2);
  expect((await cancel(reference)).data.booking.status).toBe('cancelled');
});

test('applies the deadline that the booking returned, not that of a service edited since', async () => {
  const { book, cancel, service } = await makeDesk();
  const { reference, change_deadline, starts_at } = await book();
  expect(Date.parse(change_deadline ?? '')).toBe(Date.parse(starts_at));
  await pool().query('UPDATE services SET cancellation_cutoff_minutes = 100000 WHERE id = $1', [service.id]);
  expect((await cancel(reference)).status).toBe(200);
});

test('cancels a booking of a service that is no longer published', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await db().service.update({ where: { id: desk.service.id }, data: { published: false } });
  await catalogChanged(desk.tenant.id);
  expect((await desk.cancel(reference)).data.booking.status).toBe('cancelled');
});
