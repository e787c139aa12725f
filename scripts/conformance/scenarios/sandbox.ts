import assert from 'node:assert/strict';
import { bookingData } from '@/lib/contract/bookings';
import { clockData } from '@/lib/contract/sandbox';
import { dataOf, expectRefusal, SLOT, type World } from '../world';

/** Checks contract B20: the clock of the application, with deadlines and the actions of the owner. Ends at real time. */
export async function sandboxTime(world: World): Promise<void> {
  const { post } = world;
  try {
    await checkClock(world);
  } finally {
    await post('/test/clock', { real_time: true }).catch(() => null);
  }
}

async function checkClock(world: World): Promise<void> {
  const { check, need, create, post, body, read } = world;
  const { independent } = await world.bookable();
  const clock = async (input: object) => dataOf(await post('/test/clock', input), 200, clockData).clock;
  const act = (reference: string, action: string) => post('/test/owner-actions', { reference, action });
  const book = async (index: number) => dataOf(await create(body(independent(index))), 201, bookingData).booking;
  const late = await need('B20', 'an available slot can be booked at real time', () => book(SLOT.deadline));
  const done = await need('B20', 'another slot can be booked', () => book(SLOT.completed));
  await check('B20', 'the clock needs exactly one field, and never goes back', async () => {
    for (const input of [{}, { advance_seconds: 1, real_time: true }, { to: '2020-01-01T00:00:00Z' }])
      expectRefusal(await post('/test/clock', input), 400, 'invalid_request');
  });
  await check('B20', 'a booking is not completed before its start', async () => {
    expectRefusal(await act(done.reference, 'complete'), 409, 'booking_unavailable', 'not_started');
  });
  await check('B20', 'the clock advances to a time, and real time stays', async () => {
    const to = Date.parse(late.change_deadline ?? '') + 60_000;
    const { now, real_time, offset_seconds } = await clock({ to: new Date(to).toISOString() });
    assert.ok(Math.abs(Date.parse(now) - to) <= 1_000);
    assert.equal(Date.parse(now) - Date.parse(real_time), offset_seconds * 1_000);
  });
  await check('B7', 'after change_deadline, a booking cannot be changed', async () => {
    const { cancellable, reschedulable, version } = await read(late.reference);
    assert.deepEqual([cancellable, reschedulable], [false, false]);
    const reply = await post(`/bookings/${late.reference}/actions/cancel`, { expected_version: version });
    expectRefusal(reply, 409, 'booking_unavailable', 'outside_cancellation_window');
  });
  await check('B20', 'the owner still cancels it', async () => {
    const { booking } = dataOf(await act(late.reference, 'cancel'), 200, bookingData);
    assert.deepEqual([booking.status, booking.cancelled_by, booking.version], ['cancelled', 'owner', 2]);
  });
  await check('B20', 'after the start, the owner completes a booking', async () => {
    await clock({
      to: new Date(Math.max(Date.parse(done.starts_at), Date.parse(late.starts_at)) + 60_000).toISOString(),
    });
    const { booking } = dataOf(await act(done.reference, 'complete'), 200, bookingData);
    assert.deepEqual([booking.status, booking.version, booking.change_deadline], ['completed', 2, null]);
  });
  await check('B20', 'within a day, the owner undoes that', async () => {
    const { booking } = dataOf(await act(done.reference, 'reopen'), 200, bookingData);
    assert.deepEqual([booking.status, booking.version], ['confirmed', 3]);
    expectRefusal(await act(done.reference, 'reopen'), 409, 'booking_unavailable', 'not_reopenable');
    dataOf(await act(done.reference, 'complete'), 200, bookingData);
  });
  await check('B20', 'one call sets the clock back to real time', async () => {
    const { now, real_time, offset_seconds } = await clock({ real_time: true });
    assert.deepEqual([now, offset_seconds], [real_time, 0]);
  });
}
