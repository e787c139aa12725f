import { Temporal } from 'temporal-polyfill';

/*
 * A simple, slow model of contract B6. It shares no code with the server: it represents ranges of time as sets of
 * minutes, and converts local times with Temporal.
 */

interface Hours {
  opens: string;
  closes: string;
}
export type Weekly = Hours & { weekday: number };
export interface Exception {
  date: string;
  hours?: Hours[];
}
export interface ModelClaim {
  startsAt: number;
  from: number;
  to: number;
  capacity: number;
  taken: number;
  sameService: boolean;
  sameLocation: boolean;
}
export interface ModelSpecialist {
  id: string;
  working: Weekly[];
  breaks: Weekly[];
  exceptions: Exception[];
  timeOff: { from: string; to: string }[];
  claims: ModelClaim[];
}
export interface ModelBlock {
  /** The id of a specialist, or `loc` or `ten` for all of them. */
  subjectId: string;
  from: string;
  to: string;
  repeat: { every_weeks: number; weekdays: number[]; until: string } | null;
}
export interface ModelCase {
  timeZone: string;
  /** The current time in epoch milliseconds. */
  now: number;
  date: string;
  dateTo: string;
  service: {
    durationMinutes: number;
    slotIntervalMinutes: number;
    bufferBeforeMinutes: number;
    bufferAfterMinutes: number;
    capacity: number;
    minLeadMinutes: number;
    maxAdvanceDays: number;
  };
  opening: Weekly[];
  exceptions: Exception[];
  specialists: ModelSpecialist[];
  blocks: ModelBlock[];
  exclude: { specialistId: string; startsAt: number } | null;
}
export interface ModelSeat {
  specialistId: string;
  seatsLeft: number;
  openClaim: boolean;
}

const minuteOf = (zoned: Temporal.ZonedDateTime): number => zoned.epochMilliseconds / 60_000;

/**
 * Returns a function that caches the results of `answer`, because Temporal is slow and the same days occur repeatedly.
 */
function remember<T>(answer: (local: string, zone: string) => T): (local: string, zone: string) => T {
  const known = new Map<string, T>();
  return (local, zone) => {
    const key = `${local} ${zone}`;
    if (!known.has(key)) known.set(key, answer(local, zone));
    return known.get(key) as T;
  };
}

/**
 * Converts the local time at which a time range begins or ends to epoch minutes. If daylight saving repeats the local
 * time, returns its first occurrence. If daylight saving skips the local time, moves it forward by the length of the
 * gap.
 */
export const boundary = remember((local, zone) =>
  minuteOf(Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'compatible' })),
);

/**
 * Converts the local time of a start to epoch minutes. If daylight saving repeats the local time, returns its first
 * occurrence. If daylight saving skips the local time, returns null.
 */
const startOf = remember((text, zone) => {
  const local = Temporal.PlainDateTime.from(text);
  const zoned = local.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return zoned.toPlainDateTime().equals(local) ? minuteOf(zoned) : null;
});

export function dates(first: string, last: string): string[] {
  const all: string[] = [];
  let date = Temporal.PlainDate.from(first);
  while (Temporal.PlainDate.compare(date, last) <= 0) {
    all.push(date.toString());
    date = date.add({ days: 1 });
  }
  return all;
}

const exists = remember((text, zone) => {
  const date = Temporal.PlainDate.from(text);
  return date.toZonedDateTime(zone).toPlainDate().equals(date);
});

/**
 * Returns the minutes within the weekly hours. Exceptions replace the hours of their dates. Covers the dates of the
 * test case, and a few days before and after them.
 */
function minutes(weekly: Weekly[], exceptions: Exception[], day: ModelCase): Set<number> {
  const inside = new Set<number>();
  const reach = 3 + Math.ceil(day.service.durationMinutes / 1440);
  const first = Temporal.PlainDate.from(day.date).subtract({ days: 3 }).toString();
  const last = Temporal.PlainDate.from(day.dateTo).add({ days: reach }).toString();
  for (const text of dates(first, last)) {
    const date = Temporal.PlainDate.from(text);
    if (!exists(text, day.timeZone)) continue;
    const exception = exceptions.filter((candidate) => candidate.date === text);
    const hours =
      exception.length > 0
        ? exception.flatMap((candidate) => candidate.hours ?? [])
        : weekly.filter((candidate) => candidate.weekday === date.dayOfWeek);
    for (const { opens, closes } of hours) {
      const endsAtMidnight = closes === '24:00';
      const nextDay = endsAtMidnight || closes <= opens;
      const closingDate = date.add({ days: nextDay ? 1 : 0 }).toString();
      const end = boundary(`${closingDate}T${endsAtMidnight ? '00:00' : closes}`, day.timeZone);
      for (let m = boundary(`${text}T${opens}`, day.timeZone); m < end; m++) inside.add(m);
    }
  }
  return inside;
}

/** Returns the dates of all occurrences of a block. */
function occurrences({ from, repeat }: ModelBlock): Temporal.PlainDateTime[] {
  const first = Temporal.PlainDateTime.from(from);
  const monday = first.toPlainDate().subtract({ days: first.dayOfWeek - 1 });
  const found = [first];
  for (const text of repeat ? dates(first.toPlainDate().add({ days: 1 }).toString(), repeat.until) : []) {
    const date = Temporal.PlainDate.from(text);
    const week = Math.floor(monday.until(date).days / 7);
    if (repeat?.weekdays.includes(date.dayOfWeek) && week % repeat.every_weeks === 0)
      found.push(date.toPlainDateTime(first));
  }
  return found;
}

/** Returns the minutes that a block closes: on each local date that exists, the part of the block on this date. */
function blockedMinutes(block: ModelBlock, zone: string): Set<number> {
  const closed = new Set<number>();
  const length = Temporal.PlainDateTime.from(block.from).until(block.to, { largestUnit: 'minutes' }).minutes;
  for (const start of occurrences(block)) {
    const end = start.add({ minutes: length });
    for (const text of dates(start.toPlainDate().toString(), end.toPlainDate().toString())) {
      if (!exists(text, zone)) continue;
      const midnight = Temporal.PlainDateTime.from(text);
      const later = Temporal.PlainDateTime.compare(start, midnight) > 0 ? start : midnight;
      const next = midnight.add({ days: 1 });
      const earlier = Temporal.PlainDateTime.compare(end, next) < 0 ? end : next;
      const to = boundary(earlier.toString(), zone);
      for (let m = boundary(later.toString(), zone); m < to; m++) closed.add(m);
    }
  }
  return closed;
}

/** Returns the minutes at which each specialist works while the location is open. */
export function workingMinutes(day: ModelCase): Map<string, Set<number>> {
  const open = minutes(day.opening, day.exceptions, day);
  const blocks = day.blocks.map((block) => ({ ...block, closed: blockedMinutes(block, day.timeZone) }));
  return new Map(
    day.specialists.map((specialist) => {
      const closed = blocks.filter(({ subjectId }) => ['loc', 'ten', specialist.id].includes(subjectId));
      const breaks = minutes(specialist.breaks, [], day);
      const off = specialist.timeOff.map(({ from, to }) => [boundary(from, day.timeZone), boundary(to, day.timeZone)]);
      const working = [...minutes(specialist.working, specialist.exceptions, day)].filter(
        (m) =>
          open.has(m) &&
          !breaks.has(m) &&
          !off.some(([from = 0, to = 0]) => m >= from && m < to) &&
          !closed.some((block) => block.closed.has(m)),
      );
      return [specialist.id, new Set(working)];
    }),
  );
}

function claimsOf(specialist: ModelSpecialist, day: ModelCase): ModelClaim[] {
  return specialist.claims
    .map((claim) =>
      day.exclude?.specialistId === specialist.id && day.exclude.startsAt === claim.startsAt
        ? { ...claim, taken: claim.taken - 1 }
        : claim,
    )
    .filter((claim) => claim.taken > 0);
}

/**
 * Returns a specialist's free seats at a start. Returns 'off' if a part of the slot is outside the specialist's working
 * hours, and 'busy' if another claim prevents the booking.
 */
function seatsOf(specialist: ModelSpecialist, working: Set<number>, start: number, day: ModelCase) {
  const { service } = day;
  const end = start + service.durationMinutes;
  for (let m = start; m < end; m++) if (!working.has(m)) return 'off';
  const from = start - service.bufferBeforeMinutes;
  const to = end + service.bufferAfterMinutes;
  const overlapping = claimsOf(specialist, day).filter((claim) => claim.from < to && claim.to > from);
  if (overlapping.length === 0) {
    return { specialistId: specialist.id, seatsLeft: service.capacity, openClaim: false };
  }
  const open = overlapping.filter(
    (claim) =>
      claim.sameService &&
      claim.sameLocation &&
      claim.startsAt === start &&
      claim.from === from &&
      claim.to === to &&
      claim.taken < claim.capacity,
  );
  if (open.length !== overlapping.length) return 'busy';
  const seatsLeft = open.reduce((sum, claim) => sum + claim.capacity - claim.taken, 0);
  return { specialistId: specialist.id, seatsLeft, openClaim: true };
}

/**
 * Returns the specialists with free seats at a start. If there are none, returns the reason: the first that applies, in
 * the order of contract B3.
 */
export function modelCheck(
  day: ModelCase,
  working: Map<string, Set<number>>,
  date: string,
  time: string,
  wanted: string | null,
): string | { startsAt: number; seats: ModelSeat[] } {
  const asked = day.specialists.filter((specialist) => wanted === null || specialist.id === wanted);
  if (wanted !== null && asked.length === 0) return 'specialist_unavailable';
  const start = startOf(`${date}T${time}`, day.timeZone);
  if (start === null) return 'nonexistent_local_time';
  if (start * 60_000 < day.now + day.service.minLeadMinutes * 60_000) return 'lead_time';
  if (start * 60_000 > day.now + day.service.maxAdvanceDays * 24 * 3_600_000) return 'max_advance';
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  if ((hour * 60 + minute) % day.service.slotIntervalMinutes !== 0) return 'off_grid';
  const answers = asked.map((specialist) => seatsOf(specialist, working.get(specialist.id) ?? new Set(), start, day));
  const seats = answers.filter((answer): answer is ModelSeat => typeof answer === 'object');
  if (seats.length > 0) return { startsAt: start, seats };
  return answers.includes('busy') ? 'slot_taken' : 'outside_schedule';
}

/** Returns every time of day that is a multiple of `step` minutes after midnight, as `HH:MM`. */
export function clockTimes(step: number): string[] {
  const times: string[] = [];
  for (let m = 0; m < 1440; m += step) {
    times.push(`${String(Math.floor(m / 60)).padStart(2, '0')}:${String(m % 60).padStart(2, '0')}`);
  }
  return times;
}

/** Returns every slot on the days of a case. */
export function modelSlots(day: ModelCase) {
  const working = workingMinutes(day);
  const slots: { date: string; time: string; startsAt: number; seats: ModelSeat[] }[] = [];
  for (const date of dates(day.date, day.dateTo)) {
    for (const time of clockTimes(day.service.slotIntervalMinutes)) {
      const answer = modelCheck(day, working, date, time, null);
      if (typeof answer === 'object') slots.push({ date, time, ...answer });
    }
  }
  return slots;
}
