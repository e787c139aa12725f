import { plural } from '../format';
import { DAY, formatterOf } from '../time/moments';
import type { BlockRecord } from './use-block-changes';

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DATE = formatterOf(DAY, 'UTC');

const dateText = (date: string) => DATE.format(new Date(`${date}T00:00:00Z`));

/** Returns when a block is, such as `Nov 22, 2026, 10:00–11:00, every 2 weeks on Mon until Jan 31, 2027`. */
export function blockText({ from, to, repeat }: Pick<BlockRecord, 'from' | 'to' | 'repeat'>): string {
  const [date, start, endDate, end] = [from.slice(0, 10), from.slice(11), to.slice(0, 10), to.slice(11)];
  const until = endDate === date ? end : `${dateText(endDate)}, ${end}`;
  const once = `${dateText(date)}, ${start}–${until}`;
  if (repeat === null) return once;
  const weeks = repeat.every_weeks === 1 ? 'every week' : `every ${plural(repeat.every_weeks, 'week')}`;
  const days = repeat.weekdays.map((day) => WEEKDAYS[day - 1]).join(', ');
  return `${once}, ${weeks} on ${days} until ${dateText(repeat.until)}`;
}
