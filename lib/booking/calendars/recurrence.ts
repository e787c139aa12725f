import { DAY, weekdayOf } from '@/lib/platform/time-zones';
import { UnreadableCalendar } from './scan';

/**
 * The work that a calendar may still take, in checked days of its repeats, each about a microsecond. When `left` falls to
 * `pauseAt`, other requests get their turn.
 */
export type Budget = { left: number; pauseAt: number };

/** @throws UnreadableCalendar if the budget is used up. */
export function spend(budget: Budget, work: number): void {
  budget.left -= work;
  if (budget.left < 0) throw new UnreadableCalendar('too_complex');
}

/** Maximum number of entries of one part of a rule, such as BYYEARDAY. */
const MAX_ENTRIES = 366;
/** Maximum number of starts within one period of a rule, such as a year. */
const MAX_OF_PERIOD = 3_000;

/** A rule (RFC 5545, 3.3.10), as read by ical.js. Weekdays are 1 (Monday) to 7. `until` is kept as text. */
export type Rule = {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  count: number | null;
  until: string | null;
  wkst: number;
  months: readonly number[];
  weeks: readonly number[];
  yearDays: readonly number[];
  monthDays: readonly number[];
  weekdays: readonly { day: number; nth: number }[];
  hours: readonly number[];
  minutes: readonly number[];
  positions: readonly number[];
};

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/**
 * Reads a rule in the form of jCal (RFC 7265, 3.6.10).
 * @throws UnreadableCalendar for a rule that repeats within a day, or with values that RFC 5545 does not have.
 */
export function readRule(value: unknown): Rule {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const freq = FREQUENCIES.find((name) => name === given.freq);
  if (!freq || given.bysecond !== undefined) throw new UnreadableCalendar('unsupported_rule');
  const [interval = 1] = numbers(given.interval, 1, 100_000);
  const [count = null] = numbers(given.count, 1, 1_000_000);
  // ical.js counts weekdays from Sunday, 1.
  const [wkst = 2] = numbers(given.wkst, 1, 7);
  return {
    ...{ freq, interval, count, wkst: wkst === 1 ? 7 : wkst - 1 },
    until: typeof given.until === 'string' ? given.until : null,
    months: numbers(given.bymonth, 1, 12),
    weeks: numbers(given.byweekno, -53, 53),
    yearDays: numbers(given.byyearday, -366, 366),
    monthDays: numbers(given.bymonthday, -31, 31),
    weekdays: list(given.byday).map(readWeekday),
    hours: numbers(given.byhour, 0, 23),
    minutes: numbers(given.byminute, 0, 59),
    positions: numbers(given.bysetpos, -366, 366),
  };
}

function list(value: unknown): unknown[] {
  const values = value === undefined ? [] : Array.isArray(value) ? value : [value];
  if (values.length > MAX_ENTRIES) throw new UnreadableCalendar('too_complex');
  return values;
}

function numbers(value: unknown, min: number, max: number): number[] {
  return list(value).map((one) => {
    const number = Number(one);
    if (!Number.isInteger(number) || number < min || number > max) throw new UnreadableCalendar('unsupported_rule');
    return number;
  });
}

function readWeekday(value: unknown): { day: number; nth: number } {
  const [, nth, name = ''] = /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(String(value)) ?? [];
  if (!name) throw new UnreadableCalendar('unsupported_rule');
  return { day: WEEKDAYS.indexOf(name) + 1, nth: Number(nth ?? 0) };
}

/** Returns the year, month (1 to 12), and day of the month of a day number (days since 1970-01-01). */
function dateOf(day: number): { year: number; month: number; date: number } {
  const at = new Date(day * 86_400_000);
  return { year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() };
}

/** Returns the day number of the first day of a month. `month` may be outside 1 to 12. */
function firstOfMonth(year: number, month: number): number {
  const months = year * 12 + month - 1;
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(months / 12), ((months % 12) + 12) % 12, 1);
  return date.getTime() / 86_400_000;
}

const weekStart = (day: number, wkst: number) => day - ((weekdayOf(day) - wkst + 7) % 7);

/** The rule with the parts that RFC 5545 takes from the start. */
function completed(rule: Rule, start: number): Rule {
  const { month, date } = dateOf(start);
  const byDay = rule.weekdays.length + rule.monthDays.length + rule.yearDays.length;
  const own = [{ day: weekdayOf(start), nth: 0 }];
  if (byDay > 0 || rule.freq === 'DAILY') return rule;
  if (rule.freq === 'WEEKLY' || rule.weeks.length > 0) return { ...rule, weekdays: own };
  if (rule.freq === 'MONTHLY' || rule.months.length > 0) return { ...rule, monthDays: [date] };
  return { ...rule, months: [month], monthDays: [date] };
}

/** The first and the last day of a period of the rule: the period of the start, and `steps` intervals after it. */
function periodOf({ freq, interval, wkst }: Rule, start: number, steps: number): [number, number] {
  const { year, month } = dateOf(start);
  const by = steps * interval;
  if (freq === 'DAILY') return [start + by, start + by];
  if (freq === 'WEEKLY') return [weekStart(start, wkst) + by * 7, weekStart(start, wkst) + by * 7 + 6];
  if (freq === 'MONTHLY') return [firstOfMonth(year, month + by), firstOfMonth(year, month + by + 1) - 1];
  return [firstOfMonth(year + by, 1), firstOfMonth(year + by + 1, 1) - 1];
}

/** Returns how many periods can be left out, because they end before the day `from`. */
function skipped(rule: Rule, start: number, from: number): number {
  // Before occurrences are left out, they must be counted.
  if (rule.count !== null || from <= start) return 0;
  const [then, now] = [dateOf(start), dateOf(from)];
  const years = now.year - then.year;
  const periods = {
    DAILY: from - start,
    WEEKLY: Math.floor((from - start) / 7),
    MONTHLY: years * 12 + now.month - then.month,
    YEARLY: years,
  };
  return Math.max(0, Math.floor((periods[rule.freq] - 1) / rule.interval));
}

/**
 * Yields the local starts (minutes since 1970-01-01) of a rule after `start`, in ascending order, from about the day
 * `from` until the day `to`. `start` itself is not yielded, but counts as the first occurrence. Whatever the rule, the
 * loop ends: each period is later than the one before it, and each checked day takes from the budget. Yields null when it
 * is time for a pause, because a rule can have no occurrence in centuries.
 * @throws UnreadableCalendar if the budget is used up.
 */
export function* startsOf(
  given: Rule,
  start: number,
  { from, to }: { from: number; to: number },
  budget: Budget,
): Generator<number | null> {
  const first = Math.floor(start / DAY);
  const rule = completed(given, first);
  let count = 1;
  for (let steps = skipped(rule, first, from); ; steps += 1) {
    const [begin, end] = periodOf(rule, first, steps);
    if (begin > to) return;
    if (budget.left <= budget.pauseAt) yield null;
    for (const at of startsIn(rule, start, [begin, end], budget)) {
      if (at <= start) continue;
      if (rule.count !== null && count >= rule.count) return;
      count += 1;
      if (at >= (to + 1) * DAY) return;
      yield at;
    }
  }
}

function startsIn(rule: Rule, start: number, [begin, end]: [number, number], budget: Budget): number[] {
  const clock = start - Math.floor(start / DAY) * DAY;
  const hours = rule.hours.length > 0 ? rule.hours : [Math.floor(clock / 60)];
  const minutes = rule.minutes.length > 0 ? rule.minutes : [clock % 60];
  const size = rule.weekdays.length + rule.monthDays.length + rule.yearDays.length + rule.weeks.length * 8;
  const starts: number[] = [];
  for (let day = begin; day <= end; day += 1) {
    spend(budget, 1 + (size >> 3));
    const { year, month } = dateOf(day);
    if (rule.months.length > 0 && !rule.months.includes(month)) {
      day = firstOfMonth(year, month + 1) - 1;
    } else if (isOn(rule, day)) {
      spend(budget, hours.length * minutes.length);
      // BYSETPOS compares each start of a period with all its values.
      if (starts.length > MAX_OF_PERIOD) throw new UnreadableCalendar('too_complex');
      for (const hour of hours) for (const minute of minutes) starts.push(day * DAY + hour * 60 + minute);
    }
  }
  starts.sort((a, b) => a - b);
  if (rule.positions.length === 0) return starts;
  return starts.filter(
    (_, index) => rule.positions.includes(index + 1) || rule.positions.includes(index - starts.length),
  );
}

function isOn(rule: Rule, day: number): boolean {
  const { freq, months, weeks, yearDays, monthDays, weekdays } = rule;
  const { year, month, date } = dateOf(day);
  // Lengths of months and years are computed only for the rules that need them, because every day is checked.
  const monthLength = () => firstOfMonth(year, month + 1) - (day - date + 1);
  if (!isAmong(monthDays, date, monthLength)) return false;
  const ofYear = () => day - firstOfMonth(year, 1) + 1;
  const yearLength = () => firstOfMonth(year + 1, 1) - firstOfMonth(year, 1);
  if (yearDays.length > 0 && !isAmong(yearDays, ofYear(), yearLength)) return false;
  if (weeks.length > 0 && !isInWeeks(rule, day)) return false;
  if (weekdays.length === 0) return true;
  const weekday = weekdayOf(day);
  const inMonth = freq === 'MONTHLY' || months.length > 0;
  return weekdays.some(({ day: wanted, nth }) => {
    if (wanted !== weekday) return false;
    if (nth === 0 || freq === 'DAILY' || freq === 'WEEKLY') return true;
    const at = inMonth ? date : ofYear();
    const left = (inMonth ? monthLength() : yearLength()) - at;
    return nth === Math.ceil(at / 7) || nth === -(Math.floor(left / 7) + 1);
  });
}

/** Returns whether a position, counted from 1 or from the end, is among the values. Without values, every one is. */
function isAmong(values: readonly number[], at: number, length: () => number): boolean {
  return (
    values.length === 0 || values.includes(at) || (values.some((one) => one < 0) && values.includes(at - length() - 1))
  );
}

/** The first week of a year is the first with at least four days in it. */
function isInWeeks({ weeks, wkst }: Rule, day: number): boolean {
  const firstWeek = (year: number) => weekStart(firstOfMonth(year, 1) + 3, wkst);
  const begin = weekStart(day, wkst);
  const { year } = dateOf(begin + 3);
  const number = (begin - firstWeek(year)) / 7 + 1;
  const all = (firstWeek(year + 1) - firstWeek(year)) / 7;
  return weeks.includes(number) || weeks.includes(number - all - 1);
}
