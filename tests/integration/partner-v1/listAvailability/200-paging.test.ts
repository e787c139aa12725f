import { beforeAll, expect, test } from 'vitest';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { walkPages } from '../pages';

let desk: Desk;
let query: { service_id: string; date: string; date_to: string };
let all: string[];

beforeAll(async () => {
  // Four days with 31 starts each have more slots than fit on the largest page.
  desk = await makeDesk({ service: { slotIntervalMinutes: 15 } });
  query = { service_id: desk.service.id, date: dayAhead(7), date_to: dayAhead(10) };
  const days = await Promise.all(
    [7, 8, 9, 10].map((day) => desk.slots({ ...query, date: dayAhead(day), date_to: dayAhead(day) })),
  );
  all = days.flatMap(({ data }) => data.slots.map(({ starts_at }) => starts_at));
});

async function page(parameters: Record<string, string | number>) {
  const { status, data } = await desk.slots({ ...query, ...parameters });
  expect(status).toBe(200);
  return { items: data.slots.map(({ starts_at }) => starts_at), next: data.next_cursor };
}

test.for([7, 31, 48, 62, 95, 96])('returns every slot once and in order over pages of %i', async (limit) => {
  expect(all).toHaveLength(124);
  const { sizes, items } = await walkPages(page, [limit]);
  expect(items).toEqual(all);
  expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
});

test('returns 48 slots per page by default', async () => {
  expect((await page({})).items).toEqual(all.slice(0, 48));
});

test('returns no cursor when a page ends exactly at the last slot', async () => {
  expect((await walkPages(page, [62, 62])).sizes).toEqual([62, 62]);
});

test('accepts a different limit for every page', async () => {
  expect(await walkPages(page, [1, 96, 3])).toEqual({
    sizes: [1, 96, ...Array.from({ length: 9 }, () => 3)],
    items: all,
  });
});

test('neither repeats nor skips other slots when slots are booked between two pages', async () => {
  const otherDesk = await makeDesk();
  const otherQuery = { service_id: otherDesk.service.id, date: dayAhead(), limit: 4 };
  const first = await otherDesk.slots(otherQuery);
  expect(first.data.slots.at(-1)?.start_time).toBe('10:30');
  await otherDesk.book('10:30');
  await otherDesk.book('11:00');
  const second = await otherDesk.slots({ ...otherQuery, cursor: first.data.next_cursor ?? '' });
  expect(second.data.slots.map(({ start_time }) => start_time)).toEqual(['11:30', '12:00', '12:30', '13:00']);
});
