import { beforeAll, describe, expect, test } from 'vitest';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { bookingEventPayload } from '@/lib/contract/events';
import { pool } from '@/lib/platform/db';
import { pauseEndpoint } from '@/lib/webhooks/endpoint';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { addEndpoint } from '@/tests/support/webhooks';

const HOUR = 3_600_000;
// No other test has a booking then, so that the clock of this test makes no other event due.
const DAYS = 47;

type Emitted = { hours: number | undefined; version: number; deliveries: number };

let desk: Desk;
let endpoint: Awaited<ReturnType<typeof addEndpoint>>;

beforeAll(async () => {
  desk = await makeDesk({ service: { maxAdvanceDays: 90, capacity: 50 } });
  endpoint = await addEndpoint(desk.tenant.id, desk.applicationId, 'http://127.0.0.1:59998/');
});

async function book(start = '10:00', days = DAYS) {
  const { reference, starts_at } = await desk.book(start, { date: dayAhead(days) });
  const startsAt = Date.parse(starts_at);
  return {
    reference,
    /** Emits what is due at a number of hours before the start. */
    at: (hours: number) => emitUpcoming(new Date(startsAt - hours * HOUR)),
  };
}

async function emitted(reference: string): Promise<Emitted[]> {
  const { rows } = await pool().query<{ payload: string; deliveries: number }>(
    `SELECT e.payload, (SELECT count(*)::int FROM deliveries d WHERE d.event_id = e.id) AS deliveries
     FROM events e WHERE e.booking_reference = $1 AND e.type = 'booking.upcoming' ORDER BY e.at`,
    [reference],
  );
  return rows.map(({ payload, deliveries }) => {
    const { data } = bookingEventPayload.parse(JSON.parse(payload));
    return { hours: data.hours_before, version: data.booking.version, deliveries };
  });
}

const early = (version = 1) => ({ hours: 24, version, deliveries: 1 });
const late = (version = 1) => ({ hours: 2, version, deliveries: 1 });

describe('booking.upcoming', () => {
  test('is emitted once 24 and once 2 hours before the start, and never after it', async () => {
    const { reference, at } = await book();
    await at(24.02);
    expect(await emitted(reference)).toEqual([]);
    for (const hours of [24, 24, 23.9, 12, 2.01]) await at(hours);
    expect(await emitted(reference)).toEqual([early()]);
    for (const hours of [2, 1.9, 0.01, 0, -1]) await at(hours);
    expect(await emitted(reference)).toEqual([early(), late()]);
    const { rows } = await pool().query(
      `SELECT e.payload, e.actor, e.request_id, d.state FROM events e JOIN deliveries d ON d.event_id = e.id
       WHERE e.booking_reference = $1 AND e.type = 'booking.upcoming'`,
      [reference],
    );
    for (const row of rows) {
      expect(row).toMatchObject({ actor: 'system', request_id: null });
      expect(row.payload).not.toMatch(/Robin|5550|customer/);
    }
  });

  test('after hours without a process, only what is still true is emitted', async () => {
    const [first, second, third] = [await book('09:00'), await book('09:00', DAYS + 1), await book('09:00', DAYS + 2)];
    await first.at(3);
    await second.at(0.5);
    await third.at(0);
    expect(await emitted(first.reference)).toEqual([early()]);
    expect(await emitted(second.reference)).toEqual([late()]);
    expect(await emitted(third.reference)).toEqual([]);
  });

  test('a reschedule gives the new start events of its own, and a cancellation ends them', async () => {
    const [moved, gone] = [await book('11:00'), await book('11:00')];
    await moved.at(24);
    await desk.cancel(gone.reference, { expected_version: 1 });
    await desk.reschedule(moved.reference, { expected_version: 1, date: dayAhead(DAYS + 2), start_time: '11:00' });
    for (const hours of [2, 0]) await moved.at(hours);
    expect(await emitted(moved.reference)).toEqual([early()]);
    // The same start again is another version.
    await desk.reschedule(moved.reference, { expected_version: 2, date: dayAhead(DAYS), start_time: '11:00' });
    await moved.at(20);
    await moved.at(1);
    expect(await emitted(moved.reference)).toEqual([early(), late(3)]);
    expect(await emitted(gone.reference)).toEqual([early()]);
  });

  test('a booking that was made or moved later gets only what is still ahead', async () => {
    const { reference, at } = await book('12:00');
    await pool().query(`UPDATE bookings SET updated_at = starts_at - interval '5 hours' WHERE reference = $1`, [
      reference,
    ]);
    await at(4);
    expect(await emitted(reference)).toEqual([]);
    await at(2);
    expect(await emitted(reference)).toEqual([late()]);
  });

  test('several processes emit it once for each of many bookings', async () => {
    const all = [];
    for (let count = 0; count < 20; count += 1) all.push(await book('13:00', DAYS + 5));
    const [first] = all;
    await Promise.all(Array.from({ length: 4 }, () => first?.at(24)));
    await first?.at(23);
    for (const { reference } of all) expect(await emitted(reference)).toEqual([early()]);
  });

  test('only an active endpoint for which it is selected gets it', async () => {
    const { reference, at } = await book('14:00', DAYS + 9);
    await pauseEndpoint(new Date(), endpoint.target);
    await at(20);
    expect(await emitted(reference)).toEqual([]);
    await pool().query(`UPDATE webhook_endpoints SET state = 'active', state_reason = NULL WHERE application_id = $1`, [
      desk.applicationId,
    ]);
    await at(19);
    expect(await emitted(reference)).toEqual([early()]);
  });

  test('an application whose endpoint does not receive it has it in its list of events only', async () => {
    const other = await makeDesk({ service: { maxAdvanceDays: 90 } });
    const { reference, starts_at } = await other.book('10:00', { date: dayAhead(DAYS + 12) });
    await emitUpcoming(new Date(Date.parse(starts_at) - 23 * HOUR));
    expect(await emitted(reference)).toEqual([{ hours: 24, version: 1, deliveries: 0 }]);
  });
});
