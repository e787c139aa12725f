import { setImmediate as yieldLoop } from 'node:timers/promises';

/** Maximum characters of a calendar. */
export const MAX_TEXT = 5 * 1024 * 1024;
const MAX_LINES = 400_000;
/** Maximum characters of a property that is read, with its continuation lines. */
const MAX_PROPERTY = 20_000;
/** Maximum characters of a component, without the properties that are dropped. Each is parsed without a pause. */
const MAX_COMPONENT = 200_000;
const MAX_COMPONENTS = 20_000;
const MAX_DEPTH = 8;
/** The number of lines or components after which other requests get their turn. */
export const SLICE = 200;

/** Why a calendar cannot be read. */
export type CalendarProblem = 'not_calendar' | 'too_large' | 'too_complex' | 'too_many' | 'unsupported_rule';

/** Thrown for a calendar that cannot be read. Contains no part of the calendar. */
export class UnreadableCalendar extends Error {
  constructor(readonly problem: CalendarProblem) {
    super(problem);
  }
}

/**
 * Only these properties and, if the owner shows titles, SUMMARY are read. Places, notes, and people are dropped before
 * anything else reads them.
 */
const KEPT = new Set([
  ...[
    'UID',
    'SEQUENCE',
    'DTSTART',
    'DTEND',
    'DURATION',
    'RRULE',
    'RDATE',
    'EXDATE',
    'RECURRENCE-ID',
    'TRANSP',
    'STATUS',
  ],
  ...['X-MICROSOFT-CDO-BUSYSTATUS', 'FREEBUSY', 'TZID', 'X-LIC-LOCATION', 'TZOFFSETFROM', 'TZOFFSETTO'],
]);
const KEPT_COMPONENTS = new Set(['VEVENT', 'VFREEBUSY', 'VTIMEZONE']);
const OBSERVANCES = new Set(['STANDARD', 'DAYLIGHT']);

/** The text of one component with only the kept properties. */
export type Component = { name: string; text: string };

/**
 * Returns the events, free/busy lists, and time zones of a calendar, reduced to the properties that say when. Takes
 * linear time, and lets other requests run in between.
 * @throws UnreadableCalendar if the text is no complete calendar, or exceeds a limit.
 */
export async function scanCalendar(text: string, titles: boolean): Promise<Component[]> {
  if (text.length > MAX_TEXT) throw new UnreadableCalendar('too_large');
  const found: Component[] = [];
  const stack: string[] = [];
  let lines: string[] = [];
  let size = 0;
  let calendars = 0;
  for await (const line of unfolded(text)) {
    const [, name = '', rest = ''] = /^([A-Za-z0-9-]{1,40})([;:].*)$/s.exec(line) ?? [];
    const property = name.toUpperCase();
    const value = rest.slice(1).trim().toUpperCase();
    if (property === 'BEGIN') {
      if (stack.length === 0 && value !== 'VCALENDAR') throw new UnreadableCalendar('not_calendar');
      stack.push(value);
      if (stack.length > MAX_DEPTH) throw new UnreadableCalendar('too_complex');
      if (stack.length === 2) [lines, size] = [[], 0];
      if (isRead(stack)) lines.push(`BEGIN:${value}`);
    } else if (property === 'END') {
      if (stack.at(-1) !== value) throw new UnreadableCalendar('not_calendar');
      if (isRead(stack)) lines.push(`END:${value}`);
      if (isRead(stack) && stack.length === 2) found.push({ name: value, text: lines.join('\r\n') });
      if (found.length > MAX_COMPONENTS) throw new UnreadableCalendar('too_complex');
      stack.pop();
      if (stack.length === 0) calendars += 1;
    } else if (stack.length === 0) {
      if (line.trim() !== '') throw new UnreadableCalendar('not_calendar');
    } else if ((KEPT.has(property) || (titles && property === 'SUMMARY')) && isRead(stack)) {
      // A shortened property would be another time.
      size += line.length;
      if (line.length > MAX_PROPERTY || size > MAX_COMPONENT) throw new UnreadableCalendar('too_complex');
      lines.push(line);
    }
  }
  // A calendar that ends early would free the time of the missing events.
  if (calendars === 0 || stack.length > 0) throw new UnreadableCalendar('not_calendar');
  return found;
}

function isRead(stack: readonly string[]): boolean {
  const [, component = '', part = ''] = stack;
  if (!KEPT_COMPONENTS.has(component)) return false;
  return stack.length === 2 || (stack.length === 3 && component === 'VTIMEZONE' && OBSERVANCES.has(part));
}

/** Yields the lines of a calendar without their folds. A line longer than a property may be is cut. */
async function* unfolded(text: string): AsyncGenerator<string> {
  let current: string | null = null;
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  for (let count = 0; at < text.length; count += 1) {
    if (count >= MAX_LINES) throw new UnreadableCalendar('too_complex');
    if (count % (SLICE * 50) === 0) await yieldLoop();
    const next = text.indexOf('\n', at);
    const end = next < 0 ? text.length : next;
    const line = text.slice(at, text[end - 1] === '\r' && end > at ? end - 1 : end);
    at = end + 1;
    if (current !== null && (line.startsWith(' ') || line.startsWith('\t'))) {
      if (current.length <= MAX_PROPERTY) current += line.slice(1, MAX_PROPERTY + 2);
    } else {
      if (current !== null) yield current;
      current = line.slice(0, MAX_PROPERTY + 1);
    }
  }
  if (current !== null) yield current;
}
