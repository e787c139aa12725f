import assert from 'node:assert/strict';
import { availabilityDaysData, MAX_CALENDAR_DAYS } from '@/lib/contract/availability-days';
import { catalogData } from '@/lib/contract/catalog';
import { dataOf, dayAhead, expectRefusal, type World } from '../world';

/** Checks contract B17. */
export async function days(world: World): Promise<void> {
  const { wire, check, slotsOf } = world;
  const { independent } = await world.bookable();
  const { service_id, location_id, date } = independent(0);
  const known = { service_ids: service_id, location_ids: location_id };
  const read = async (query: Record<string, string>) =>
    dataOf(await wire.send(`/availability/days?${new URLSearchParams(query)}`), 200, availabilityDaysData).combinations;
  await check('B17', 'a day is available with the first slot that availability returns', async () => {
    const [one, ...others] = await read({ ...known, date });
    const [first] = await slotsOf({ service_id, location_id, date });
    assert.equal(others.length, 0);
    assert.deepEqual(one?.days, [{ date, available: first !== undefined, first_slot: first ?? null }]);
  });
  await check('B17', 'every day of the range is listed, and past days are not available', async () => {
    const [past] = await read({ ...known, date: '2020-02-01', date_to: '2020-04-02' });
    assert.equal(past?.days.length, MAX_CALENDAR_DAYS);
    assert.ok(past?.days.every(({ available, first_slot }) => !available && first_slot === null));
  });
  await check('B17', 'next=true returns the first available day’s slot', async () => {
    const [found] = await read({ ...known, date, next: 'true' });
    const [day] = await read({ ...known, date: found?.next_slot?.date ?? date });
    assert.deepEqual([found?.days, found?.next_slot], [[], day?.days[0]?.first_slot]);
  });
  const refused: [string, Record<string, string>][] = [
    ['a date_to 62 days after the date', { ...known, date, date_to: dayAhead(120) }],
    ['next=true with a date_to', { ...known, date, date_to: date, next: 'true' }],
    ['a missing service', { date }],
    ['a list of 21 ids', { service_ids: Array.from({ length: 21 }, () => service_id).join(), date }],
  ];
  for (const [what, query] of refused) {
    await check('B17', `${what} gets a 400`, async () => {
      expectRefusal(await wire.send(`/availability/days?${new URLSearchParams(query)}`), 400, 'invalid_request');
    });
  }
  await check('B3', 'an unknown id in a list gets a 404', async () => {
    for (const name of ['service_ids', 'location_ids', 'specialist_ids']) {
      const query = new URLSearchParams({ ...known, date, [name]: 'xyz_01jd8x4t5wf3rbq0zk6m7n8p9q' });
      expectRefusal(await wire.send(`/availability/days?${query}`), 404, 'not_found', null);
    }
  });
  await check('B17', 'an unchanged answer is a 304 without a body, and another token is not', async () => {
    const path = '/catalog?limit=1';
    const first = await wire.send(path);
    const { token } = dataOf(first, 200, catalogData);
    assert.equal(first.headers.etag, `W/"${token}"`);
    for (const [tag, status] of [
      [`W/"${token}"`, 304],
      [`"x", "${token}"`, 304],
      [`W/"${token}x"`, 200],
    ] as const) {
      const reply = await wire.send(path, { headers: { 'if-none-match': tag } });
      assert.deepEqual([tag, reply.status, reply.text === ''], [tag, status, status === 304]);
    }
    assert.equal(dataOf(await wire.send(`${path}&min_token=${token}`), 200, catalogData).token, token);
    expectRefusal(await wire.send(`${path}&min_token=${token}x`), 400, 'invalid_request');
  });
}
