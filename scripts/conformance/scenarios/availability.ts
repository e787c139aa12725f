import assert from 'node:assert/strict';
import { availabilityData } from '@/lib/contract/availability';
import { explainData } from '@/lib/contract/explain';
import { dataOf, dayAhead, expectRefusal, type World } from '../world';

/** `YYYY-MM-DD HH:MM` in a time zone. */
function wallClock(timestamp: string, timeZone: string): string {
  const format = { timeZone, dateStyle: 'short', timeStyle: 'short', hour12: false } as const;
  return new Intl.DateTimeFormat('sv-SE', format).format(new Date(timestamp));
}

/** Checks contract B6. */
export async function availability(world: World): Promise<void> {
  const { wire, check, slotsOf } = world;
  const { service, slots, independent } = await world.bookable();
  const { service_id, location_id, date } = independent(0);
  await check('B6', 'slots are unique, are ordered by starts_at, and have matching local dates and times', () => {
    const instants = slots.map(({ starts_at }) => Date.parse(starts_at));
    assert.ok(instants.every((at, i) => i === 0 || at > (instants[i - 1] ?? 0)));
    for (const slot of slots)
      assert.equal(wallClock(slot.starts_at, slot.time_zone), `${slot.date} ${slot.start_time}`);
  });
  await check('B6', 'a slot has the service’s duration and starts on the service’s interval', () => {
    for (const { starts_at, ends_at, start_time } of slots) {
      assert.equal((Date.parse(ends_at) - Date.parse(starts_at)) / 60_000, service.duration_minutes);
      const [hours = 0, minutes = 0] = start_time.split(':').map(Number);
      assert.equal((hours * 60 + minutes) % service.slot_interval_minutes, 0);
    }
  });
  await check('A', 'a page with three slots contains the first three slots of the list', async () => {
    const query = new URLSearchParams({ service_id, location_id, date, limit: '3' });
    const page = dataOf(await wire.send(`/availability?${query}`), 200, availabilityData);
    const day = slots.filter((slot) => slot.date === date).map(({ starts_at }) => starts_at);
    assert.deepEqual(
      page.slots.map(({ starts_at }) => starts_at),
      day.slice(0, 3),
    );
    assert.equal(page.next_cursor !== null, day.length > 3);
  });
  await check('B6', 'dates in the past and beyond the horizon have no slots', async () => {
    assert.deepEqual(await slotsOf({ service_id, location_id, date: '2020-02-29' }), []);
    assert.deepEqual(await slotsOf({ service_id, location_id, date: dayAhead(service.max_advance_days + 3) }), []);
  });
  const refused: [string, Record<string, string>][] = [
    ['a missing date', { service_id }],
    ['a missing service', { date }],
    ['a nonexistent date', { service_id, location_id, date: '2026-02-30' }],
    ['a date_to more than 30 days after the date', { service_id, location_id, date, date_to: dayAhead(90) }],
    ['a date_to before the date', { service_id, location_id, date, date_to: '2020-01-01' }],
    ['a limit of 97', { service_id, location_id, date, limit: '97' }],
  ];
  for (const [what, query] of refused) {
    await check('B6', `${what} gets a 400`, async () => {
      expectRefusal(await wire.send(`/availability?${new URLSearchParams(query)}`), 400, 'invalid_request');
    });
  }
  await check(
    'B18',
    'an explanation has reason null for the starts that availability offers, and for no others',
    async () => {
      const explained: string[] = [];
      let cursor: string | null = null;
      do {
        const query = new URLSearchParams({ service_id, location_id, date, limit: '96', ...(cursor && { cursor }) });
        const page = dataOf(await wire.send(`/availability/explain?${query}`), 200, explainData);
        explained.push(...page.starts.filter(({ reason }) => reason === null).map(({ start_time }) => start_time));
        cursor = page.next_cursor;
      } while (cursor !== null);
      const offered = await slotsOf({ service_id, location_id, date });
      assert.deepEqual(
        explained,
        offered.map(({ start_time }) => start_time),
      );
    },
  );
  await check('B18', 'a date in the past is explained with lead_time', async () => {
    const query = new URLSearchParams({ service_id, location_id, date: '2020-02-28' });
    const page = dataOf(await wire.send(`/availability/explain?${query}`), 200, explainData);
    assert.ok(page.starts.length > 0 && page.starts.every(({ reason }) => reason === 'lead_time'));
  });
  await check('B3', 'an unknown service, location, specialist, or booking gets a 404', async () => {
    const known = { service_id, location_id, date };
    for (const name of ['service_id', 'location_id', 'specialist_id', 'exclude_reference']) {
      const query = new URLSearchParams({ ...known, [name]: 'xyz_01jd8x4t5wf3rbq0zk6m7n8p9q' });
      expectRefusal(await wire.send(`/availability?${query}`), 404, 'not_found', null);
    }
  });
}
