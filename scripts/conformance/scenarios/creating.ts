import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { bookingData } from '@/lib/contract/bookings';
import { bookingsData } from '@/lib/contract/bookings-list';
import { dataOf, expectRefusal, listed, SLOT, type World } from '../world';

/** Checks contract B7: available slots can be booked. */
export async function creating(world: World): Promise<void> {
  const { check, need, create, read, body, slotsOf, wire } = world;
  const { service, independent } = await world.bookable();
  const slot = independent(SLOT.creating);
  const external_reference = `conformance-${randomUUID()}`;
  const { reply, booking } = await need('B7', 'an available slot can be booked', async () => {
    const response = await create(body(slot, { external_reference }));
    return { reply: response, booking: dataOf(response, 201, bookingData).booking };
  });
  await check('B7', 'the booking has the times, service, and location of the slot', () => {
    const { date, start_time, end_time, starts_at, ends_at, time_zone, service_id, location_id } = slot;
    const expected = { date, start_time, end_time, starts_at, ends_at, time_zone, service_id, location_id };
    const given = Object.keys(expected).map((name) => [name, booking[name as keyof typeof expected]]);
    assert.deepEqual(Object.fromEntries(given), expected);
    assert.ok(slot.specialist_ids.includes(booking.specialist_id));
  });
  await check('B7', 'the booking is confirmed at version 1, and Location is its path', () => {
    assert.deepEqual([booking.status, booking.version], ['confirmed', 1]);
    assert.ok(reply.headers.location?.endsWith(`/bookings/${booking.reference}`));
  });
  await check('B7', 'the phone is masked to its country code and last three digits', () => {
    assert.match(booking.customer.phone_masked ?? '', /^\+49\*+234$/);
  });
  await check('B7', 'change_deadline is the start minus the cutoff', () => {
    const minutes = (Date.parse(booking.starts_at) - Date.parse(booking.change_deadline ?? '')) / 60_000;
    assert.equal(minutes, service.cancellation_cutoff_minutes);
  });
  await check('B7', 'the price is the price of the service', () => assert.deepEqual(booking.price, service.price));
  await check('B7', 'reading the booking returns the data of the create response', async () =>
    assert.deepEqual(await read(booking.reference), booking),
  );
  await check('B12', 'a list contains only the bookings with the external reference', async () => {
    const find = async (reference: string) => {
      const query = new URLSearchParams({ external_reference: reference, limit: '100' });
      return dataOf(await wire.send(`/bookings?${query}`), 200, bookingsData).bookings;
    };
    const found = await find(external_reference);
    assert.deepEqual(found, [listed(booking)]);
    assert.deepEqual(await find(`${external_reference}-unknown`), []);
  });
  await check('B12', 'a list of bookings requires an external reference', async () => {
    expectRefusal(await wire.send('/bookings'), 400, 'invalid_request', null);
  });
  await check('B6', 'the specialist is no longer offered at that start', async () => {
    const { service_id, location_id, date } = slot;
    const now = await slotsOf({ service_id, location_id, date, limit: '96' });
    const same = now.find(({ starts_at }) => starts_at === slot.starts_at);
    assert.ok(!same?.specialist_ids.includes(booking.specialist_id));
  });
  await check('B7', 'a second booking with the same specialist and start gets a 409 slot_taken', async () => {
    const again = await create(body(slot, { specialist_id: booking.specialist_id }));
    expectRefusal(again, 409, 'booking_unavailable', 'slot_taken');
  });
  await check('B1', 'an optional field that is null is treated like an absent field', async () => {
    const path = `/bookings/pbr_${'0'.repeat(26)}/actions/cancel`;
    expectRefusal(await world.post(path, { expected_version: 1, reason: null }), 404, 'not_found', null);
  });
  await check('B3', 'an unknown and a malformed reference get the same 404, except for the request id', async () => {
    const paths = [`/bookings/pbr_${'0'.repeat(26)}`, '/bookings/nonsense'];
    const replies = await Promise.all(paths.map((path) => wire.send(path)));
    for (const one of replies) expectRefusal(one, 404, 'not_found', null);
    const [a, b] = replies.map(({ text }) => text.replaceAll(/req_\w+/g, ''));
    assert.equal(a, b);
  });
}
