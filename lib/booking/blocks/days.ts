import { param, statement } from '@/lib/platform/sql';
import { DAY, formatDay, formatTime, parseDay, parseTime, weekdayOf } from '@/lib/platform/time-zones';
import type { WriteTx } from '@/lib/platform/write-transaction';

/** Every n weeks, on these weekdays (1 is Monday, 7 is Sunday), until this date (`YYYY-MM-DD`), inclusive. */
export type Repeat = { every_weeks: number; weekdays: readonly number[]; until: string };

/** The local start and end (`YYYY-MM-DDTHH:MM`) of a block's first occurrence, and its repeat. */
export type BlockTimes = { from: string; to: string; repeat: Repeat | null };

/** The part of a block on a local day (days since 1970-01-01), in minutes since local midnight. */
export type DayPart = { day: number; from: number; to: number };

/** Returns a local time as days since 1970-01-01 × 1440 + minutes since midnight. */
export function localMinutes(text: string): number {
  return parseDay(text.slice(0, 10)) * DAY + parseTime(text.slice(11));
}

/** Returns the local time (`YYYY-MM-DDTHH:MM`) of local minutes. */
export function localText(at: number): string {
  const day = Math.floor(at / DAY);
  return `${formatDay(day)}T${formatTime(at - day * DAY)}`;
}

/**
 * Returns the occurrences of a block in order, in local minutes. The first one always counts. The weeks of a repeat begin
 * on Monday and are counted from the week of the first occurrence. The limits of `blockSchema` bound their number to 732.
 */
export function occurrencesOf({ from, to, repeat }: BlockTimes): { from: number; to: number }[] {
  const start = localMinutes(from);
  const length = localMinutes(to) - start;
  const first = Math.floor(start / DAY);
  const monday = first - weekdayOf(first) + 1;
  const last = repeat ? parseDay(repeat.until) : first;
  const occurrences: { from: number; to: number }[] = [];
  for (let day = first; day <= last; day += 1) {
    const isDue =
      repeat?.weekdays.includes(weekdayOf(day)) && Math.floor((day - monday) / 7) % repeat.every_weeks === 0;
    const at = start + (day - first) * DAY;
    if (day === first || isDue) occurrences.push({ from: at, to: at + length });
  }
  return occurrences;
}

/** Returns the parts of a block on all its local days, in order, at most about 1,500. */
export function partsOf(times: BlockTimes): DayPart[] {
  const parts: DayPart[] = [];
  for (const occurrence of occurrencesOf(times)) {
    for (let at = occurrence.from; at < occurrence.to; ) {
      const day = Math.floor(at / DAY);
      const to = Math.min(occurrence.to, (day + 1) * DAY);
      parts.push({ day, from: at - day * DAY, to: to - day * DAY });
      at = to;
    }
  }
  return parts;
}

const INSERT_DAYS = statement<never>('block-days-insert')`
  INSERT INTO block_days (tenant_id, subject_id, block_id, day, from_minute, to_minute)
  SELECT ${param.text('tenantId')}, ${param.text('subjectId')}, given.id, date '1970-01-01' + given.day, given.from_minute, given.to_minute
  FROM unnest(${param.texts('ids')}, ${param.ints('days')}, ${param.ints('fromMinutes')}, ${param.ints('toMinutes')})
    AS given (id, day, from_minute, to_minute)`;

/** Adds the days of the blocks of one subject, so that their time is busy. */
export async function insertDays(
  tx: WriteTx,
  { tenantId, subjectId }: { tenantId: string; subjectId: string },
  blocks: readonly { id: string; parts: readonly DayPart[] }[],
): Promise<void> {
  const days = blocks.flatMap(({ id, parts }) => parts.map((part) => ({ id, ...part })));
  await tx.query(INSERT_DAYS, {
    ...{ tenantId, subjectId },
    ids: days.map(({ id }) => id),
    days: days.map(({ day }) => day),
    fromMinutes: days.map(({ from }) => from),
    toMinutes: days.map(({ to }) => to),
  });
}
