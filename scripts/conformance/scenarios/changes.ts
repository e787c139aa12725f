import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type BookingRecord, bookingData } from '@/lib/contract/bookings';
import { CUSTOMER, dataOf, expectRefusal, SLOT, type World } from '../world';

const OPTIONAL = {
  customer: { ...CUSTOMER, email: 'robin@mail.example.com', locale: 'de_DE' },
  note: 'Ground floor.\nWithout stairs.',
  metadata: { campaign: 'spring', basket: '4711' },
};

/** Checks contract B19 for a booking with all optional fields. */
function expectOptional({ customer, note_characters, metadata }: BookingRecord): void {
  assert.deepEqual([customer.email_masked, customer.locale], ['r***@m***.com', 'de-DE']);
  assert.deepEqual([note_characters, metadata], [29, OPTIONAL.metadata]);
}

/** Checks contract B7: rescheduling and canceling a booking require the booking's current version. */
export async function changes(world: World): Promise<void> {
  const { check, need, create, post, body, read, slotsOf } = world;
  const { independent } = await world.bookable();
  const [slot, target] = [independent(SLOT.changed), independent(SLOT.target)];
  const book = async () => dataOf(await create(body(slot, OPTIONAL)), 201, bookingData);
  const { booking } = await need('B7', 'an available slot can be booked', book);
  await check(
    'B19',
    'the email address is masked, the note is counted, the language and the metadata are returned',
    () => expectOptional(booking),
  );
  const action = (name: string, more: object, key?: string) =>
    post(`/bookings/${booking.reference}/actions/${name}`, more, key);
  const to = { date: target.date, start_time: target.start_time };
  await check('B7', 'an expected_version that is not a positive whole number gets a 400', async () => {
    for (const expected_version of [0, 1.5, '1', null]) {
      expectRefusal(await action('cancel', { expected_version }), 400, 'invalid_request');
    }
  });
  await check('A', 'a wrong expected_version gets a 409 booking_version_conflict', async () => {
    expectRefusal(await action('cancel', { expected_version: 7 }), 409, 'booking_version_conflict', null);
    expectRefusal(await action('reschedule', { expected_version: 7, ...to }), 409, 'booking_version_conflict', null);
  });
  await check('B7', 'a reschedule to the same start and specialist gets a 409 same_slot', async () => {
    const here = { date: slot.date, start_time: slot.start_time, specialist_id: booking.specialist_id };
    expectRefusal(
      await action('reschedule', { expected_version: 1, ...here }),
      409,
      'booking_unavailable',
      'same_slot',
    );
  });
  await check('B6', 'exclude_reference makes the booking’s own time available', async () => {
    const { service_id, location_id, date } = slot;
    const query = { service_id, location_id, date, limit: '96', specialist_id: booking.specialist_id };
    const offered = await slotsOf({ ...query, exclude_reference: booking.reference });
    assert.ok(offered.some(({ starts_at }) => starts_at === slot.starts_at));
  });
  const key = randomUUID();
  const move = () => action('reschedule', { expected_version: 1, ...to }, key);
  const moved = await need('B7', 'a reschedule gets a response', move);
  await check('B7', 'a reschedule keeps the reference and increments the version', () => {
    const after = dataOf(moved, 200, bookingData).booking;
    assert.deepEqual([after.reference, after.version, after.status], [booking.reference, 2, 'confirmed']);
    assert.equal(after.starts_at, target.starts_at);
  });
  await check('B19', 'the optional fields stay when the booking is moved', async () => {
    expectOptional(dataOf(moved, 200, bookingData).booking);
    expectOptional(await read(booking.reference));
  });
  await check('B8', 'repeating the reschedule returns a replay, not a version conflict', async () => {
    const again = await move();
    assert.deepEqual([again.status, again.headers['idempotent-replayed']], [200, 'true']);
    assert.deepEqual(again.json?.data, moved.json?.data);
  });
  const cancelKey = randomUUID();
  const cancel = () => action('cancel', { expected_version: 2, reason: 'customer_request' }, cancelKey);
  const canceled = await need('B7', 'a cancellation gets a response', cancel);
  await check('B7', 'a cancellation is final: the booking cannot be changed and has no deadline', () => {
    const after = dataOf(canceled, 200, bookingData).booking;
    assert.deepEqual([after.status, after.version, after.cancelled_by], ['cancelled', 3, 'partner']);
    assert.deepEqual([after.cancellable, after.reschedulable, after.change_deadline], [false, false, null]);
  });
  await check('B7', 'repeating the cancellation returns the original response', async () => {
    const again = await cancel();
    assert.deepEqual(again.json?.data, canceled.json?.data);
  });
  await check('B7', 'a change after the cancellation gets a 409 booking_not_active', async () => {
    expectRefusal(await action('cancel', { expected_version: 3 }), 409, 'booking_unavailable', 'booking_not_active');
    assert.equal((await read(booking.reference)).version, 3);
  });
}
