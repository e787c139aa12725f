import { expect, test } from 'vitest';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';

test('returns for each day what GET /availability returns first', async () => {
  const desk = await makeDesk({ specialists: 2, service: { maxAdvanceDays: 40 } });
  for (const specialist_id of desk.ids) await desk.book('09:00', { specialist_id });
  const range = { date: dayAhead(6), date_to: dayAhead(45) };
  const { data } = await desk.days({ service_ids: desk.service.id, location_ids: desk.location.id, ...range });
  const [one, ...others] = data.combinations;
  expect(others).toEqual([]);
  expect(one).toMatchObject({
    ...{ service_id: desk.service.id, location_id: desk.location.id, time_zone: 'Europe/Berlin' },
    ...{ next_slot: null, searched_to: dayAhead(45), complete: true },
  });
  expect(one?.days.map(({ date }) => date)).toEqual(Array.from({ length: 40 }, (_, i) => dayAhead(6 + i)));
  for (const ahead of [6, 7, 8, 39, 42]) {
    const { data: slots } = await desk.slots({ service_id: desk.service.id, date: dayAhead(ahead), limit: 1 });
    const first_slot = slots.slots[0] ?? null;
    expect(one?.days[ahead - 6]).toEqual({ date: dayAhead(ahead), available: first_slot !== null, first_slot });
  }
  expect(one?.days[1]?.first_slot?.start_time).toBe('09:30');
  expect(one?.days.at(-1)?.available).toBe(false);
});

test('combines services with locations, and narrows to specialists', async () => {
  const { tenant, location, service, specialists, key, ids, book } = await makeDesk({ specialists: 2 });
  const [elsewhere, other, third] = await Promise.all([
    makeLocation(tenant.id),
    makeService(tenant.id),
    makeSpecialist(tenant.id),
  ]);
  await offer(tenant.id, specialists.slice(0, 1), [other], [elsewhere]);
  await offer(tenant.id, [third], [other], [elsewhere]);
  const { days } = partnerOf((await makeApplication(tenant.id)).key);
  const pairs = async (more: Record<string, string>) => {
    const { data } = await days({ service_ids: `${other.id},${service.id},${other.id}`, date: dayAhead(), ...more });
    return data.combinations.map((one) => [one.service_id, one.location_id, one.days[0]?.available]);
  };
  expect(await pairs({})).toEqual([
    [other.id, elsewhere.id, true],
    [service.id, location.id, true],
  ]);
  expect(await pairs({ location_ids: `${location.id},${elsewhere.id}` })).toEqual([
    [other.id, location.id, false],
    [other.id, elsewhere.id, true],
    [service.id, location.id, true],
    [service.id, elsewhere.id, false],
  ]);
  expect(await pairs({ specialist_ids: third.id })).toEqual([
    [other.id, elsewhere.id, true],
    [service.id, location.id, false],
  ]);
  await book('10:00', { specialist_id: ids[0] });
  const one = { service_ids: service.id, date: dayAhead(), specialist_ids: ids.join() };
  expect((await partnerOf(key).days(one)).data.combinations[0]?.days[0]?.first_slot?.specialist_ids).toEqual(ids);
});

test('finds the next slot, and counts the days that it searched', async () => {
  const { days, service, location, ids, slots } = await makeDesk({
    specialists: 3,
    policy: { quota: 50 },
    service: { maxAdvanceDays: 120 },
  });
  const query = { service_ids: service.id, date: dayAhead(), next: 'true' };
  const reply = await days(query);
  const first = (await slots({ service_id: service.id, date: dayAhead(), limit: 1 })).data.slots[0];
  expect(reply.data.combinations).toMatchObject([
    { location_id: location.id, days: [], next_slot: first, searched_to: dayAhead(), complete: true },
  ]);
  expect(first?.specialist_ids).toEqual(ids);
  expect(reply.headers['x-ratelimit-remaining']).toBe('49');
  const none = await days({ ...query, specialist_ids: ids[0] ?? '', date: dayAhead(200) });
  expect(none.data.combinations).toMatchObject([{ next_slot: null, searched_to: dayAhead(200), complete: true }]);
});
