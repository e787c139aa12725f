import { expect, test } from 'vitest';
import { bookingEventPayload } from '@/lib/contract/events';
import { newBookingReference } from '@/lib/platform/ids';
import { eventsOf } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { marker } from '@/tests/support/echo';
import { makeApplication } from '@/tests/support/factories';

test('every version of a booking has exactly one event with type, actor and request id', async () => {
  const { create, reschedule, cancel, body, tenant, applicationId, ids } = await makeDesk({ specialists: 2 });
  const made = await create(body('10:00', { specialist_id: ids[0] }));
  const { reference } = made.data.booking;
  const moved = await reschedule(reference, {
    expected_version: 1,
    date: dayAhead(9),
    start_time: '12:00',
    specialist_id: ids[1],
  });
  const canceled = await cancel(reference, { expected_version: 2, reason: 'customer_request' });
  const before = made.data.booking;
  const expected = [
    { type: 'booking.created', reply: made, previous: null },
    {
      type: 'booking.rescheduled',
      reply: moved,
      previous: {
        date: before.date,
        start_time: before.start_time,
        starts_at: before.starts_at,
        specialist_id: before.specialist_id,
      },
    },
    { type: 'booking.cancelled', reply: canceled, previous: null },
  ];
  const events = await eventsOf(reference);
  expect(events).toHaveLength(3);
  for (const [i, { type, reply, previous }] of expected.entries()) {
    const {
      customer: _c,
      cancellable: _a,
      reschedulable: _r,
      change_deadline: _d,
      price: _p,
      note_characters: _n,
      metadata: _m,
      ...rest
    } = reply.data.booking;
    const { cancelled_at: _at, cancelled_by: _by, created_at: _made, updated_at: timestamp, ...booking } = rest;
    const { payload, ...row } = events[i] ?? {};
    expect(row).toMatchObject({ type, version: i + 1, actor: 'partner', request_id: reply.requestId });
    expect(row).toMatchObject({ tenant_id: tenant.id, application_id: applicationId, at: new Date(timestamp) });
    const data = { booking, previous, actor: 'partner' };
    const head = { id: row.id, type, timestamp, api_version: 'v1', environment: 'TEST' };
    // The payload matches the documented schema and contains exactly these fields.
    expect(bookingEventPayload.parse(JSON.parse(String(payload)))).toEqual({ ...head, data });
  }
  expect(new Set(events.map(({ id }) => id)).size).toBe(3);
});

test('payloads contain no customer data', async () => {
  const { book, reschedule, cancel } = await makeDesk();
  const name = `${marker()} Sample`;
  const { reference, date } = await book('10:00', {
    customer: { name, phone: '+49 171 987 6543', consent_to_contact: true },
  });
  await reschedule(reference, { expected_version: 1, date, start_time: '12:00' });
  await cancel(reference, { expected_version: 2 });
  const payloads = (await eventsOf(reference)).map(({ payload }) => String(payload)).join('\n');
  expect(payloads).toContain('order-4711');
  expect(payloads).not.toMatch(/customer|phone|name"|consent|9876543|\*543/i);
  expect(payloads).not.toContain(name.slice(0, 12));
});

test('an event belongs to the application of its booking', async () => {
  const { tenant, body } = await makeDesk();
  const other = await makeApplication(tenant.id);
  const { reference } = (await partnerOf(other.key).create(body())).data.booking;
  expect(await eventsOf(reference)).toMatchObject([{ application_id: other.applicationId }]);
});

test('refusals, replays and reads create no event', async () => {
  const { create, body, read, cancel, reschedule } = await makeDesk();
  const key = 'a-key-of-this-test';
  const { reference } = (await create(body(), { key })).data.booking;
  await create(body(), { key });
  await create(body());
  await read(reference);
  await cancel(reference, { expected_version: 9 });
  await cancel(newBookingReference());
  await reschedule(reference, { expected_version: 1, date: dayAhead(), start_time: '10:00' });
  await reschedule(reference, { expected_version: 1, date: 'soon' });
  expect(await eventsOf(reference)).toHaveLength(1);
});
