import { expect, test } from 'vitest';
import { claimsOf, expectRefusal } from '@/tests/support/booking-rows';
import { makeDesk } from '@/tests/support/bookings';
import { makeLocation, makeService, offer } from '@/tests/support/factories';

test('books up to the capacity of a group, in one claim', async () => {
  const { create, body, tenant } = await makeDesk({ service: { capacity: 3 } });
  const replies = [];
  for (let guest = 0; guest < 4; guest += 1) replies.push(await create(body()));
  expect(replies.slice(0, 3).map(({ status }) => status)).toEqual([201, 201, 201]);
  const [, , , last] = replies;
  if (last) expectRefusal(last, 409, 'booking_unavailable', 'slot_taken');
  expect(await claimsOf(tenant.id)).toMatchObject([{ capacity: 3, taken: 3 }]);
});

test('books a freed seat at once, for capacity 1 and for a full group', async () => {
  for (const capacity of [1, 3]) {
    const { book, cancel, create, body, tenant, slotAt } = await makeDesk({ service: { capacity } });
    const first = await book();
    for (let guest = 1; guest < capacity; guest += 1) await book();
    expectRefusal(await create(body()), 409, 'booking_unavailable', 'slot_taken');
    expect((await cancel(first.reference)).status).toBe(200);
    expect((await slotAt('10:00'))?.available_capacity).toBe(1);
    const next = await book();
    expect(next.reference).not.toBe(first.reference);
    expectRefusal(await create(body()), 409, 'booking_unavailable', 'slot_taken');
    expect(await claimsOf(tenant.id)).toMatchObject([{ capacity, taken: capacity }]);
  }
});

test('books adjacent slots and refuses overlapping ones', async () => {
  const { create, body } = await makeDesk({ service: { slotIntervalMinutes: 15 } });
  expect((await create(body('10:00'))).status).toBe(201);
  for (const start of ['09:45', '10:00', '10:15']) {
    expectRefusal(await create(body(start)), 409, 'booking_unavailable', 'slot_taken');
  }
  for (const start of ['09:30', '10:30']) expect((await create(body(start))).status).toBe(201);
});

test('applies the buffers of both bookings, even outside opening hours', async () => {
  const service = { bufferBeforeMinutes: 15, bufferAfterMinutes: 30, slotIntervalMinutes: 15 };
  const { create, body } = await makeDesk({ service });
  for (const start of ['09:00', '12:00', '16:30']) expect((await create(body(start))).status).toBe(201);
  // With its buffers, each booking claims the time from 15 minutes before its start to 60 minutes after its start. Two
  // starts must therefore be at least 75 minutes apart.
  for (const start of ['11:00', '12:45', '13:00', '15:30']) {
    expectRefusal(await create(body(start)), 409, 'booking_unavailable', 'slot_taken');
  }
  for (const start of ['10:45', '13:15', '15:15']) expect((await create(body(start))).status).toBe(201);
});

test('books every listed slot as often as its available capacity, and then lists none', async () => {
  const { slots, service, create, body } = await makeDesk({
    specialists: 2,
    service: { capacity: 2, durationMinutes: 60, slotIntervalMinutes: 60 },
  });
  const shown = (await slots({ service_id: service.id, date: body().date })).data.slots;
  expect(shown).toHaveLength(8);
  for (const { start_time, available_capacity } of shown) {
    for (let seat = 0; seat < available_capacity; seat += 1) expect((await create(body(start_time))).status).toBe(201);
    expectRefusal(await create(body(start_time)), 409, 'booking_unavailable', 'slot_taken');
  }
  expect((await slots({ service_id: service.id, date: body().date })).data.slots).toEqual([]);
});

test('refuses overlapping bookings of a specialist across locations and services', async () => {
  const { tenant, specialists, service, location, book, create, body } = await makeDesk();
  const [elsewhere, other] = [await makeLocation(tenant.id), await makeService(tenant.id)];
  await offer(tenant.id, specialists, [service, other], [location, elsewhere]);
  await book('10:00');
  const busy = [
    { location_id: elsewhere.id },
    { service_id: other.id },
    { service_id: other.id, location_id: elsewhere.id },
  ];
  for (const more of busy) {
    expectRefusal(await create(body('10:00', more)), 409, 'booking_unavailable', 'slot_taken');
  }
});
