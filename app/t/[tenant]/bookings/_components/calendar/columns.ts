import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { timesText } from '../display/format';
import type { BookingDay, BookingStatus } from '../types';

type Named = { id: string; name: string };
type Hours = BookingDay['opening'][number];
type DayColumn = BookingDay['columns'][number];

/** One of the bookings of a `Block`. */
export type BlockBooking = DayColumn['blocks'][number]['bookings'][number];

/** One appointment of a specialist, with one booking or a group of bookings. */
export type Block = DayColumn['blocks'][number] & { specialist: Named };

/** The part of a block on the column's day. */
export type Blocked = DayColumn['blocked'][number];

/** The range of the time axis, in elapsed minutes since local midnight. */
export type Axis = { from_minute: number; to_minute: number };

/** A column of the calendar. */
export type Column = {
  /** Unique among the calendar's columns. */
  key: string;
  date: string;
  /** Null if the column shows the bookings of all specialists. */
  specialist: Named | null;
  title: string;
  subtitle: string;
  /** The accessible name of the column's list of bookings. */
  label: string;
  opening: readonly Hours[];
  working: readonly Hours[];
  /** Blocked time. Without a specialist, only that of the location and the business. */
  blocked: readonly Blocked[];
  blocks: readonly Block[];
};

/** What the texts of columns are written with. */
export type ColumnTexts = { t: Translator<'bookings.schedule'>; format: Formats };

/** Returns one column for each specialist in a day schedule. */
export function dayColumns({ t, format }: ColumnTexts, { date, opening, columns }: BookingDay): Column[] {
  return columns.map(({ specialist, working, blocked, blocks }) => {
    const hours = hoursText({ t, format }, working);
    const off = working.length === 0;
    return {
      key: specialist.id,
      date,
      specialist,
      title: specialist.name,
      subtitle: off ? t('off') : hours,
      label: t('specialistColumn', {
        name: specialist.name,
        off: off ? 'yes' : 'no',
        hours,
        empty: blocks.length === 0 ? 'yes' : 'no',
      }),
      opening,
      working,
      blocked,
      blocks: blocks.map((block) => ({ ...block, specialist })),
    };
  });
}

/** Formats hours, such as `09:00–13:00, 14:00–17:00`. */
export function hoursText({ t, format }: ColumnTexts, hours: readonly Hours[]): string {
  return hours.map((one) => (one.start_time === one.end_time ? t('wholeDay') : timesText(format, one))).join(', ');
}

/** Returns the number of bookings in a column. */
export function countBookings({ blocks }: { blocks: readonly { bookings: readonly unknown[] }[] }): number {
  return blocks.reduce((sum, { bookings }) => sum + bookings.length, 0);
}

/** Returns the references of the bookings in a schedule. */
export function referencesOf(days: readonly Pick<BookingDay, 'columns'>[]): string[] {
  return days.flatMap(({ columns }) =>
    columns.flatMap(({ blocks }) => blocks.flatMap(({ bookings }) => bookings.map(({ reference }) => reference))),
  );
}

/** Returns whether the column has working hours or bookings. */
export function isPresent({ working, blocks }: { working: readonly unknown[]; blocks: readonly unknown[] }): boolean {
  return working.length > 0 || blocks.length > 0;
}

/** Returns true if none of the appointment's bookings is confirmed. */
export function isOver(bookings: readonly { status: BookingStatus }[]): boolean {
  return bookings.every(({ status }) => status !== 'confirmed');
}

/** Number of minutes before the current time that are visible when the calendar opens. */
const BEFORE_NOW = 60;

type StartColumn = Pick<Column, 'opening' | 'blocks'>;

/**
 * Returns the minute to which the calendar scrolls when it opens, or null if the location is closed and there are no
 * bookings. If the columns do not show today, this is the start of the first opening hours or booking. If they show
 * today, it is one hour before now, or one hour before the end of the last opening hours or booking if that end has
 * passed. It is never before the start of the first opening hours or booking.
 * @param now The current time on the time axis; null if the columns do not show today.
 */
export function startOf(columns: readonly StartColumn[], now: number | null): number | null {
  const spans = columns.flatMap(({ opening, blocks }) => [...opening, ...blocks]);
  if (spans.length === 0) return null;
  const first = Math.min(...spans.map(({ start_minute }) => start_minute));
  if (now === null) return first;
  const last = Math.max(...spans.map(({ end_minute }) => end_minute));
  return Math.max(first, Math.min(now, last) - BEFORE_NOW);
}

type Span = { start_minute: number; end_minute: number };

/**
 * A shaded part of a column: `closed` outside opening hours, `off` within opening hours when none of the column's
 * specialists is working.
 */
type Shade = { kind: 'closed' | 'off'; from: number; to: number };

/**
 * Returns the shaded parts of a column, in chronological order. The spans in `opening` must not overlap. The spans in
 * `working` can overlap, because a column can show several specialists.
 */
export function shadesOf(
  { from_minute, to_minute }: Axis,
  opening: readonly Span[],
  working: readonly Span[],
): Shade[] {
  const axis = { start_minute: from_minute, end_minute: to_minute };
  const closed = without([axis], opening).map(({ start_minute: from, end_minute: to }) => ({ from, to }));
  const off = without(opening, working).map(({ start_minute: from, end_minute: to }) => ({ from, to }));
  const shades: Shade[] = [
    ...closed.map((span) => ({ kind: 'closed' as const, ...span })),
    ...off.map((span) => ({ kind: 'off' as const, ...span })),
  ];
  return shades.sort((a, b) => a.from - b.from);
}

function without(whole: readonly Span[], removed: readonly Span[]): Span[] {
  let rest = [...whole];
  for (const hole of removed) {
    rest = rest.flatMap((span) => {
      if (hole.end_minute <= span.start_minute || hole.start_minute >= span.end_minute) return [span];
      return [
        { start_minute: span.start_minute, end_minute: hole.start_minute },
        { start_minute: hole.end_minute, end_minute: span.end_minute },
      ].filter(({ start_minute, end_minute }) => start_minute < end_minute);
    });
  }
  return rest;
}
