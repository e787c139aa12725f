import { beforeAll, expect, test } from 'vitest';
import { type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';

let desk: Desk;
let asked: { service_id: string; date: string; date_to: string };
let all: string[];

beforeAll(async () => {
  // Four days of 31 starts: more than one page can hold.
  desk = await makeDesk({ service: { slotIntervalMinutes: 15 } });
  asked = { service_id: desk.service.id, date: dayAhead(7), date_to: dayAhead(10) };
  const days = await Promise.all(
    [7, 8, 9, 10].map((day) => desk.slots({ ...asked, date: dayAhead(day), date_to: dayAhead(day) })),
  );
  all = days.flatMap(({ data }) => data.slots.map(({ starts_at }) => starts_at));
});

async function page(parameters: Record<string, string | number>) {
  const { status, data } = await desk.slots({ ...asked, ...parameters });
  expect(status).toBe(200);
  return { starts: data.slots.map(({ starts_at }) => starts_at), next: data.next_cursor };
}

async function walk(...limits: number[]) {
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const limit = limits[Math.min(pages.length, limits.length - 1)] ?? 48;
    const read: Awaited<ReturnType<typeof page>> = await page(cursor === null ? { limit } : { limit, cursor });
    pages.push(read.starts);
    cursor = read.next;
  } while (cursor !== null);
  return { sizes: pages.map((one) => one.length), starts: pages.flat() };
}

test.for([7, 31, 48, 62, 95, 96])('pages of %i, put together, are every slot once, in order', async (limit) => {
  expect(all).toHaveLength(124);
  const { sizes, starts } = await walk(limit);
  expect(starts).toEqual(all);
  expect(sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
});

test('without a limit a page has 48', async () => {
  expect((await page({})).starts).toEqual(all.slice(0, 48));
});

test('a page that ends exactly at the end says that nothing follows', async () => {
  expect((await walk(62, 62)).sizes).toEqual([62, 62]);
});

test('the limit may change from page to page', async () => {
  expect(await walk(1, 96, 3)).toEqual({ sizes: [1, 96, ...Array.from({ length: 9 }, () => 3)], starts: all });
});

test('what is booked between two pages neither repeats nor hides another slot', async () => {
  const own = await makeDesk();
  const question = { service_id: own.service.id, date: dayAhead(), limit: 4 };
  const first = await own.slots(question);
  expect(first.data.slots.at(-1)?.start_time).toBe('10:30');
  await own.book('10:30');
  await own.book('11:00');
  const second = await own.slots({ ...question, cursor: first.data.next_cursor ?? '' });
  expect(second.data.slots.map(({ start_time }) => start_time)).toEqual(['11:30', '12:00', '12:30', '13:00']);
});
