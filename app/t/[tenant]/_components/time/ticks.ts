import type { Formats } from '@/lib/platform/text/formats';
import { clockTo, NEAR_DAY } from './moments';

/** A labeled position on the time axis of a chart, in milliseconds since the Unix epoch. */
export type Tick = { at: number; label: string };

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const STEPS = [
  ...[SECOND, 5 * SECOND, 10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 10 * MINUTE, 30 * MINUTE],
  ...[HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY],
];
const WEEK = 7 * DAY;
/** Added to a time so that weeks start on Monday: the Unix epoch was a Thursday, three days after a Monday. */
const WEEK_OFFSET = 3 * DAY;

/** Maximum number of steps on an axis. A long axis has more of them, because no step is longer than a week. */
const MAX_STEPS = 8;
/** The offset of a time zone changes only at multiples of this number of milliseconds since the Unix epoch. */
const SCAN = 30 * MINUTE;

/**
 * Returns the ticks of a time axis. They mark round seconds or minutes, or whole hours, days, or weeks in the time
 * zone. A tick at midnight has the date as its label. If daylight saving skips a tick's local time, the tick is at the
 * first time after the gap. An hour that is repeated has two ticks if the ticks are at most one hour apart.
 * @param from The start of the axis in milliseconds since the Unix epoch.
 * @param timeZone The time zone. Default: the reader's time zone.
 */
export function ticksOf(format: Formats, { from, to }: { from: number; to: number }, timeZone?: string): Tick[] {
  const step = STEPS.find((one) => (to - from) / one <= MAX_STEPS) ?? WEEK;
  const localTime = localTimeIn(timeZone);
  const labelOf = labelFormat(format, step);
  const cellOf = (local: number) => Math.floor((local + (step === WEEK ? WEEK_OFFSET : 0)) / step);
  const unit = Math.min(step, SCAN);
  const offset = localTime(from) - from;
  const ticks: Tick[] = [];
  let last = localTime(from - 1);
  for (let at = Math.ceil((from + offset) / unit) * unit - offset; at <= to; at += unit) {
    const local = localTime(at);
    const isRepeated = step === HOUR && local < last && local % HOUR === 0;
    if (isRepeated || cellOf(local) !== cellOf(last)) ticks.push({ at, label: labelOf(local) });
    last = local;
  }
  return ticks;
}

function labelFormat(format: Formats, step: number) {
  const day = format.dateTime(NEAR_DAY, 'UTC');
  const clock = format.dateTime(clockTo(step < MINUTE ? 'second' : 'minute'), 'UTC');
  return (local: number) => (local % DAY === 0 || step >= DAY ? day : clock).format(new Date(local));
}

/** The result, read as UTC, shows the local time of the zone. In milliseconds. */
function localTimeIn(timeZone: string | undefined): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-u-ca-gregory', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % SECOND) + SECOND) % SECOND);
  };
}
