import { Temporal } from 'temporal-polyfill';
import { readClaims } from '@/lib/booking/availability/claims';
import {
  type DateRange,
  type ExceptionRecord,
  prepareLocation,
  prepareService,
  prepareSpecialist,
  type SpecialistRecord,
  type WeeklyHoursRecord,
} from '@/lib/booking/availability/input';
import { formatSlotTimes, slotsForRange } from '@/lib/booking/availability/slots';
import { db, readRows } from '@/lib/platform/db';
import { type Desk, makeDesk } from './bookings';
import type { makeService } from './factories';

const WEEK = [1, 2, 3, 4, 5, 6, 7];

export function daily(...hours: { opens: string; closes: string }[]): WeeklyHoursRecord[] {
  return WEEK.flatMap((weekday) => hours.map((one) => ({ weekday, ...one })));
}

export type Schedule = {
  timeZone: string;
  opening: WeeklyHoursRecord[];
  exceptions?: ExceptionRecord[];
  specialists: Omit<SpecialistRecord, 'id'>[];
  service?: Parameters<typeof makeService>[1];
};

const dated = ({ date, hours }: ExceptionRecord) => ({
  date: new Date(`${date}T00:00:00Z`),
  hours: (hours ?? []).map(({ opens, closes }) => ({ opens, closes })),
});

async function writeLocation({ location }: Desk, { opening, exceptions = [] }: Schedule): Promise<void> {
  const locationId = location.id;
  await db().locationHours.deleteMany({ where: { locationId } });
  await db().locationHours.createMany({ data: opening.map((hours) => ({ locationId, ...hours })) });
  await db().locationException.createMany({ data: exceptions.map((one) => ({ locationId, ...dated(one) })) });
}

async function writeSpecialist({ tenant, location }: Desk, specialist: SpecialistRecord): Promise<void> {
  const specialistId = specialist.id;
  const at = { tenantId: tenant.id, specialistId, locationId: location.id };
  await db().specialistHours.deleteMany({ where: { specialistId } });
  await db().specialistHours.createMany({ data: specialist.working.map((hours) => ({ ...at, ...hours })) });
  await db().specialistBreak.createMany({
    data: (specialist.breaks ?? []).map((hours) => ({ specialistId, ...hours })),
  });
  await db().specialistException.createMany({
    data: (specialist.exceptions ?? []).map((one) => ({ ...at, ...dated(one) })),
  });
  await db().specialistTimeOff.createMany({
    data: (specialist.timeOff ?? []).map(({ from, to }) => ({
      specialistId,
      startsAt: new Date(`${from}:00Z`),
      endsAt: new Date(`${to}:00Z`),
    })),
  });
}

/** `engine` computes the slots without the API. */
export async function makeScheduledDesk(schedule: Schedule) {
  const desk = await makeDesk({
    location: { timeZone: schedule.timeZone },
    service: schedule.service,
    specialists: schedule.specialists.length,
  });
  const specialists = schedule.specialists.map((record, i) => ({ ...record, id: desk.ids[i] ?? '' }));
  await writeLocation(desk, schedule);
  for (const specialist of specialists) await writeSpecialist(desk, specialist);
  const { id, timeZone } = desk.location;
  const { opening, exceptions } = schedule;
  const location = prepareLocation({ id, tenantId: desk.tenant.id, timeZone, opening, exceptions });
  const service = prepareService(desk.service);
  const prepared = specialists.map((specialist) => prepareSpecialist(specialist, location));
  const engine = async (range: DateRange) => {
    const busy = await readClaims(readRows, { specialistIds: desk.ids, location, from: 0, to: 50_000_000 });
    const query = { service, location, specialists: prepared, ...busy, now: Date.now(), ...range };
    return slotsForRange(query).map((slot) => ({
      ...formatSlotTimes(location, slot),
      service_id: service.id,
      location_id: location.id,
      available_capacity: slot.availableCapacity,
      specialist_ids: slot.specialists.map(({ specialistId }) => specialistId),
    }));
  };
  return { ...desk, engine };
}

/** `hours` is negative if the clock moves back. */
export type ClockChange = { date: string; hours: number };

/** The first two that are at least `days` days away. */
export function nextClockChanges(zone: string, days = 2): { forward: ClockChange; back: ClockChange } {
  let at = Temporal.Now.zonedDateTimeISO(zone).add({ days });
  const found: ClockChange[] = [];
  while (found.length < 2) {
    const next = at.getTimeZoneTransition('next');
    if (!next) throw new Error('the zone has no daylight-saving change');
    const hours = (next.offsetNanoseconds - next.subtract({ seconds: 1 }).offsetNanoseconds) / 3.6e12;
    found.push({ date: next.toPlainDate().toString(), hours });
    at = next;
  }
  const [first, second] = found;
  if (!first || !second) throw new Error('no daylight-saving changes');
  return first.hours > 0 ? { forward: first, back: second } : { forward: second, back: first };
}

/** RFC 3339 with the time zone's offset. */
export function localInstant(date: string, time: string, zone: string): string {
  return Temporal.PlainDateTime.from(`${date}T${time}`)
    .toZonedDateTime(zone, { disambiguation: 'earlier' })
    .toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
