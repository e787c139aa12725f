import { describe, expect, it } from 'vitest';
import type { Claim } from '@/lib/booking/availability/input';
import { listSlots } from '@/lib/booking/availability/list-slots';
import { formatSlotTimes } from '@/lib/booking/availability/slots';
import { formatDay, parseDay } from '@/lib/platform/time-zones';
import { claim, query } from './fixtures';
import { readerOf } from './reader';

const FIRST = parseDay('2026-09-14');
const { service, location, specialists, now } = query();

/** Returns claims that leave no free slot on the first `days` days. Each day has three starts. */
function fullDays(days: number): Claim[] {
  return Array.from({ length: days }, (_, day) => formatDay(FIRST + day)).flatMap((date) =>
    ['09', '10', '11'].map((hour) => claim(`${date}T${hour}:00:00+02:00`)),
  );
}

async function pageOf(claims: readonly Claim[], limit: number, after: number | null = null) {
  const { read, asked } = readerOf(claims);
  const range = { date: '2026-09-14', dateTo: '2026-10-14', ownClaim: null };
  const page = await listSlots(read, {
    service,
    location,
    specialists,
    ...range,
    after,
    limit,
    now: new Date(now),
  });
  const starts = page.slots.map((slot) => {
    const { date, start_time } = formatSlotTimes(location, slot);
    return `${date} ${start_time}`;
  });
  return { starts, last: page.last, reads: asked.length };
}

describe('a page of 31 days', () => {
  it('reads the claims of four days if they fill it', async () => {
    const { starts, reads } = await pageOf(fullDays(1), 5);
    expect(starts).toEqual([
      ...['09:00', '10:00', '11:00'].map((time) => `2026-09-15 ${time}`),
      ...['09:00', '10:00'].map((time) => `2026-09-16 ${time}`),
    ]);
    expect(reads).toBe(1);
  });

  it.each([
    [4, 2],
    [15, 2],
    [16, 3],
    [30, 3],
  ])('reads on until it is full: with %i days booked, %i times', async (days, reads) => {
    const page = await pageOf(fullDays(days), 2);
    const date = formatDay(FIRST + days);
    expect(page).toMatchObject({ starts: [`${date} 09:00`, `${date} 10:00`], reads });
    expect(page.last).not.toBeNull();
  });

  it('reads all days three times at most, and is empty if all are booked', async () => {
    expect(await pageOf(fullDays(31), 96)).toEqual({ starts: [], last: null, reads: 3 });
  });

  it('is the last page if no slot follows, also if it is full', async () => {
    expect(await pageOf(fullDays(30), 3)).toMatchObject({ starts: { length: 3 }, last: null });
  });

  it('continues after the last slot of the previous page', async () => {
    const all = await pageOf(fullDays(10), 96);
    expect(all.starts).toHaveLength(63);
    const first = await pageOf(fullDays(10), 40);
    const second = await pageOf(fullDays(10), 40, first.last);
    expect([...first.starts, ...second.starts]).toEqual(all.starts);
    expect(second.last).toBeNull();
  });
});
