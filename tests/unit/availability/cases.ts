import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { prepareLocation, prepareService, prepareSpecialist } from '@/lib/booking/availability/input';
import { type SlotsQuery, slotsForRange } from '@/lib/booking/availability/slots';
import { partsOf } from '@/lib/booking/blocks/days';
import { DAY } from '@/lib/platform/time-zones';
import { boundary, type ModelCase, type ModelClaim, type ModelSpecialist, type Weekly } from './model';

/**
 * Test days by time zone, mostly on or near a change of the zone's offset. The model uses the rules of Node.js, so all
 * supported versions must have the same rules for these days.
 */
const ODD_DAYS: Record<string, string[]> = {
  'Europe/Berlin': ['2027-03-28', '2026-10-25', '2000-03-26'],
  'America/New_York': ['2026-11-01', '2027-03-14', '2006-04-02'],
  'Australia/Lord_Howe': ['2026-10-04', '2027-04-04'],
  'Pacific/Chatham': ['2026-09-27', '2027-04-04'],
  'America/Santiago': ['2026-09-06', '2027-04-04', '2027-04-03'],
  'Africa/Cairo': ['2026-04-24', '2026-10-30', '2026-10-29'],
  'America/Havana': ['2025-03-09', '2025-11-02'],
  'Asia/Beirut': ['2027-03-28', '2026-10-25'],
  'Africa/Casablanca': ['2026-02-15', '2026-03-22'],
  'America/St_Johns': ['2010-11-07', '2010-03-14', '2010-11-06'],
  'America/Nuuk': ['2024-03-30', '2024-10-26', '2024-03-31'],
  'Antarctica/Troll': ['2026-03-29', '2026-10-25'],
  'Pacific/Apia': ['2011-12-30', '2011-12-31', '2026-09-14'],
  'Asia/Kolkata': ['2026-09-14'],
  'Asia/Kathmandu': ['2026-12-31'],
  'Asia/Tokyo': ['2028-02-29'],
};
export const ZONES = Object.keys(ODD_DAYS);

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** Local times. Many are at night, when clocks change. Most are quarter hours, so that many intervals are adjacent. */
const time = fc
  .oneof(
    fc.integer({ min: 0, max: 16 }).map((quarter) => quarter * 15),
    fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
    fc.integer({ min: 0, max: 287 }).map((five) => five * 5),
  )
  .map(clock);
const hours = fc.record({ opens: time, closes: fc.oneof({ arbitrary: time, weight: 9 }, fc.constant('24:00')) });
/** Opening hours of at least three hours, which is enough for a slot of most services. */
const longHours = fc
  .tuple(fc.integer({ min: 0, max: 95 }), fc.integer({ min: 12, max: 96 }))
  .map(([opens, length]) => ({ opens: clock(opens * 15), closes: clock(((opens + length) % 96) * 15) }));
const everyDay = ({ opens, closes }: { opens: string; closes: string }): Weekly[] =>
  [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens, closes }));
const weekday = fc.integer({ min: 1, max: 7 });
const weekly = (maxLength: number) =>
  fc.array(
    fc.tuple(weekday, hours).map(([day, one]) => ({ weekday: day, ...one })),
    { maxLength },
  );
const schedule: fc.Arbitrary<Weekly[]> = fc.oneof(
  weekly(12),
  hours.map(everyDay),
  { arbitrary: longHours.map(everyDay), weight: 2 },
  {
    arbitrary: fc.constantFrom({ opens: '00:00', closes: '00:00' }, { opens: '20:00', closes: '06:00' }).map(everyDay),
    weight: 2,
  },
  fc
    .tuple(time, time, time)
    .map(([a, b, c]) => [...everyDay({ opens: a, closes: b }), ...everyDay({ opens: b, closes: c })]),
);
interface RawException {
  shift: number;
  hours: { opens: string; closes: string }[] | null;
}
const exceptions: fc.Arbitrary<RawException[]> = fc.uniqueArray(
  fc.record({ shift: fc.integer({ min: -2, max: 3 }), hours: fc.option(fc.array(hours, { maxLength: 2 })) }),
  { maxLength: 3, selector: ({ shift }) => shift },
);
const rawClaim = fc.record({
  grid: fc.oneof(fc.integer({ min: 0, max: 24 }), fc.integer({ min: -20, max: 120 })),
  nudge: fc.constantFrom(0, 0, 0, 0, 0, 0, 1, 7),
  same: fc.constantFrom(true, true, true, false),
  here: fc.constantFrom(true, true, true, true, false),
  /** Whether the claim's duration and buffers differ from the service's. */
  otherLength: fc.constantFrom(false, false, false, true),
  duration: fc.integer({ min: 1, max: 120 }),
  before: fc.constantFrom(0, 0, 5, 20),
  after: fc.constantFrom(0, 0, 5, 20),
  capacity: fc.constantFrom(1, 2, 3, 4, 4),
  taken: fc.constantFrom(1, 1, 1, 2, 3, 4),
});
const rawSpecialist = fc.record({
  working: schedule,
  breaks: fc.oneof(fc.constant<Weekly[]>([]), weekly(4)),
  exceptions: fc.oneof(fc.constant<RawException[]>([]), exceptions),
  timeOff: fc.array(
    fc.record({ shift: fc.integer({ min: -2, max: 2 }), at: time, minutes: fc.integer({ min: 0, max: 3000 }) }),
    { maxLength: 2 },
  ),
  claims: fc.array(rawClaim, { maxLength: 12 }),
});
const rawBlock = fc.record({
  subjectId: fc.constantFrom('s0', 's0', 's1', 'loc', 'ten', 'elsewhere'),
  shift: fc.integer({ min: -9, max: 2 }),
  at: time,
  minutes: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1440 })),
  repeat: fc.option(
    fc.record({
      every_weeks: fc.constantFrom(1, 1, 2),
      weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 7 }),
      days: fc.integer({ min: 0, max: 16 }),
    }),
  ),
});
const service = fc.record({
  durationMinutes: fc.oneof(
    { arbitrary: fc.constantFrom(15, 30, 60, 90), weight: 4 },
    { arbitrary: fc.integer({ min: 1, max: 300 }), weight: 2 },
    fc.constant(2000),
  ),
  slotIntervalMinutes: fc.constantFrom(5, 10, 15, 20, 30, 45, 60, 7, 720, 1440),
  bufferBeforeMinutes: fc.constantFrom(0, 0, 5, 15, 60),
  bufferAfterMinutes: fc.constantFrom(0, 0, 5, 10, 45),
  capacity: fc.constantFrom(1, 1, 3, 4),
  minLeadMinutes: fc.constantFrom(0, 0, 60, 1441),
  maxAdvanceDays: fc.constantFrom(400, 400, 400, 400, 400, 400, 400, 400, 1, 2, 21),
});
const raw = fc.record({
  zone: fc.constantFrom(...ZONES),
  pick: fc.nat(),
  shift: fc.integer({ min: -2, max: 1 }),
  days: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 9),
  nowBefore: fc.oneof(
    { arbitrary: fc.constant(20 * 86_400_000), weight: 6 },
    fc.integer({ min: -86_400_000, max: 4 * 86_400_000 }),
    fc.integer({ min: -1440, max: 4 * 1440 }).map((minutes) => minutes * 60_000),
  ),
  service,
  opening: schedule,
  exceptions: fc.oneof(fc.constant<RawException[]>([]), exceptions),
  specialists: fc.array(rawSpecialist, { minLength: 1, maxLength: 4 }),
  blocks: fc.array(rawBlock, { maxLength: 4 }),
  excluded: fc.nat(),
});
type Raw = typeof raw extends fc.Arbitrary<infer T> ? T : never;

const plus = (date: string, days: number) => Temporal.PlainDate.from(date).add({ days }).toString();
const dated = (list: RawException[], date: string) =>
  list.map(({ shift, hours: own }) => ({ date: plus(date, shift), ...(own ? { hours: own } : {}) }));

/** Returns the claims of `list`, without those that overlap an earlier claim, because the database refuses overlaps. */
function claimsOf(list: Raw['specialists'][number]['claims'], midnight: number, { service: s }: Raw): ModelClaim[] {
  const made: ModelClaim[] = [];
  for (const one of list) {
    const startsAt = midnight + one.grid * s.slotIntervalMinutes + one.nudge;
    const from = startsAt - (one.otherLength ? one.before : s.bufferBeforeMinutes);
    const to = startsAt + (one.otherLength ? one.duration + one.after : s.durationMinutes + s.bufferAfterMinutes);
    if (made.some((other) => other.from < to && from < other.to)) continue;
    const { capacity, same: sameService, here: sameLocation } = one;
    made.push({ startsAt, from, to, capacity, taken: Math.min(one.taken, capacity), sameService, sameLocation });
  }
  return made;
}

function caseOf(input: Raw): ModelCase {
  const odd = ODD_DAYS[input.zone] ?? [];
  const date = plus(odd[input.pick % odd.length] ?? '2026-09-14', input.shift);
  const midnight = boundary(`${date}T00:00`, input.zone);
  const specialists: ModelSpecialist[] = input.specialists.map((one, index) => ({
    id: `s${index}`,
    working: one.working,
    breaks: one.breaks,
    exceptions: dated(one.exceptions, date),
    timeOff: one.timeOff.map(({ shift, at, minutes }) => {
      const from = Temporal.PlainDateTime.from(`${plus(date, shift)}T${at}`);
      return { from: from.toString().slice(0, 16), to: from.add({ minutes }).toString().slice(0, 16) };
    }),
    claims: claimsOf(one.claims, midnight, input),
  }));
  const claims = specialists.flatMap(({ id, claims: own }) =>
    own.map(({ startsAt }) => ({ specialistId: id, startsAt })),
  );
  return {
    timeZone: input.zone,
    now: midnight * 60_000 - input.nowBefore,
    date,
    dateTo: plus(date, input.days),
    service: input.service,
    opening: input.opening,
    exceptions: dated(input.exceptions, date),
    specialists,
    blocks: input.blocks.map(({ subjectId, shift, at, minutes, repeat }) => {
      const from = Temporal.PlainDateTime.from(`${plus(date, shift)}T${at}`);
      return {
        subjectId,
        from: from.toString().slice(0, 16),
        to: from.add({ minutes }).toString().slice(0, 16),
        repeat: repeat && {
          every_weeks: repeat.every_weeks,
          weekdays: repeat.weekdays,
          until: plus(date, shift + repeat.days),
        },
      };
    }),
    exclude: input.excluded % 2 === 0 ? (claims[input.excluded % Math.max(claims.length, 1)] ?? null) : null,
  };
}

/** Generates random test cases with several time zones, days near clock changes, and every rule of contract B6. */
export const anyCase: fc.Arbitrary<ModelCase> = raw.map(caseOf);

/** Converts a test case to a query for the engine. */
export function queryOf(day: ModelCase): SlotsQuery {
  const location = prepareLocation({ ...day, id: 'loc', tenantId: 'ten' });
  return {
    service: prepareService({ ...day.service, id: 'svc' }),
    location,
    specialists: day.specialists.map((specialist) => prepareSpecialist(specialist, location)),
    claims: day.specialists.flatMap(({ id, claims }) =>
      claims.map(({ sameService, sameLocation, ...claim }) => ({
        ...claim,
        isOwn: day.exclude?.specialistId === id && day.exclude.startsAt === claim.startsAt,
        specialistId: id,
        serviceId: sameService ? 'svc' : 'other',
        locationId: sameLocation ? 'loc' : 'elsewhere',
      })),
    ),
    blocks: day.blocks.flatMap((block) =>
      partsOf(block).map(({ day: on, from, to }) => ({
        subjectId: block.subjectId,
        from: on * DAY + from,
        to: on * DAY + to,
      })),
    ),
    now: day.now,
    date: day.date,
    dateTo: day.dateTo,
  };
}

/** Returns all pages of a query, following the cursor. */
export function pagesOf(query: SlotsQuery, limit: number) {
  const pages = [slotsForRange({ ...query, limit })];
  for (let last = pages.at(-1)?.at(-1); last; last = pages.at(-1)?.at(-1)) {
    const page = slotsForRange({ ...query, limit, after: last.startsAt });
    if (page.some(({ startsAt }) => startsAt <= last.startsAt))
      throw new Error('a page contains an earlier slot than the previous page');
    pages.push(page);
  }
  return pages;
}
