import type { Prisma } from '@/lib/platform/generated/prisma/client';
import { TENANT } from './business';
import { sandboxId } from './ids';
import { LOCATIONS, locationId } from './locations';
import { dateOf, localTimeOf } from './relative-days';
import { SERVICE_GROUPS, serviceId } from './services/all';
import { SPECIALISTS } from './specialists/all';
import type { SpecialistSeed } from './specialists/specialist';
import type { ExceptionSeed, LocationSeed, ServiceGroup, ServiceSeed, Text } from './types';

const HOUR = 60;

const tenantId = TENANT.id;

function exceptionRow({ hours, note, ...day }: ExceptionSeed, now: Date) {
  return { date: dateOf(day, now), hours: hours.map(({ opens, closes }) => ({ opens, closes })), note };
}

function locationRows(now: Date) {
  const seeds: readonly LocationSeed[] = LOCATIONS;
  const withId = seeds.map((seed) => ({ seed, locationId: sandboxId('loc', seed.number) }));
  return {
    locations: withId.map(
      ({ seed, locationId: id }): Prisma.LocationCreateManyInput => ({
        id,
        tenantId,
        name: seed.name,
        line1: seed.line1,
        city: seed.city,
        postalCode: seed.postalCode,
        country: seed.country,
        timeZone: seed.timeZone,
        phone: seed.phone,
        published: seed.published,
      }),
    ),
    locationHours: withId.flatMap(({ seed, locationId }): Prisma.LocationHoursCreateManyInput[] =>
      seed.hours.map((hours) => ({ locationId, ...hours })),
    ),
    locationExceptions: withId.flatMap(({ seed, locationId }): Prisma.LocationExceptionCreateManyInput[] =>
      seed.exceptions.map((exception) => ({ locationId, ...exceptionRow(exception, now) })),
    ),
  };
}

function serviceRow(seed: ServiceSeed, category: Text | null) {
  const [bufferBeforeMinutes, bufferAfterMinutes] = seed.buffers ?? [0, 0];
  return {
    id: sandboxId('svc', seed.number),
    tenantId,
    name: seed.name,
    // Prisma stores `undefined` as NULL. It rejects `null` for a JSON column, because `null` could also mean the JSON
    // value null.
    description: seed.description ?? undefined,
    category: category ?? undefined,
    durationMinutes: seed.minutes,
    slotIntervalMinutes: seed.interval,
    bufferBeforeMinutes,
    bufferAfterMinutes,
    priceAmount: seed.price,
    priceCurrency: seed.price === null ? null : (seed.currency ?? 'EUR'),
    capacity: seed.capacity ?? 1,
    minLeadMinutes: seed.leadHours * HOUR,
    maxAdvanceDays: seed.horizonDays,
    cancellationCutoffMinutes: seed.cutoffHours * HOUR,
    published: seed.published ?? true,
  } satisfies Prisma.ServiceCreateManyInput;
}

function serviceRows() {
  const groups: readonly ServiceGroup[] = SERVICE_GROUPS;
  return groups.flatMap(({ category, services }) => services.map((service) => serviceRow(service, category)));
}

function workRows(seed: SpecialistSeed, specialistId: string, now: Date) {
  const places = seed.workplaces.map((place) => ({
    place,
    ids: { tenantId, specialistId, locationId: locationId(place.location) },
  }));
  return {
    offerings: places.flatMap(({ place, ids }): Prisma.OfferingCreateManyInput[] =>
      place.services.map((service) => ({ ...ids, serviceId: serviceId(service) })),
    ),
    hours: places.flatMap(({ place, ids }): Prisma.SpecialistHoursCreateManyInput[] =>
      place.hours.map((hours) => ({ ...ids, ...hours })),
    ),
    exceptions: places.flatMap(({ place, ids }): Prisma.SpecialistExceptionCreateManyInput[] =>
      (place.exceptions ?? []).map((exception) => ({ ...ids, ...exceptionRow(exception, now) })),
    ),
  };
}

function specialistRows(now: Date) {
  const people = SPECIALISTS.map((seed) => {
    const specialistId = sandboxId('spc', seed.number);
    const row: Prisma.SpecialistCreateManyInput = {
      id: specialistId,
      tenantId,
      displayName: seed.displayName,
      title: seed.title ?? undefined,
      description: seed.description ?? undefined,
      imageUrl: seed.imageUrl,
      published: seed.published ?? true,
    };
    const breaks: Prisma.SpecialistBreakCreateManyInput[] = seed.breaks.map((hours) => ({ specialistId, ...hours }));
    const timeOff: Prisma.SpecialistTimeOffCreateManyInput[] = seed.timeOff.map(({ from, to }) => ({
      specialistId,
      startsAt: localTimeOf(from, now),
      endsAt: localTimeOf(to, now),
    }));
    return { row, breaks, timeOff, ...workRows(seed, specialistId, now) };
  });
  return {
    specialists: people.map(({ row }) => row),
    offerings: people.flatMap(({ offerings }) => offerings),
    specialistHours: people.flatMap(({ hours }) => hours),
    specialistBreaks: people.flatMap(({ breaks }) => breaks),
    specialistExceptions: people.flatMap(({ exceptions }) => exceptions),
    specialistTimeOff: people.flatMap(({ timeOff }) => timeOff),
  };
}

/**
 * Returns all rows of the synthetic catalog. Dates are in the weeks after `now`. Everything else is always the same.
 */
export function catalogRows(now: Date) {
  return { ...locationRows(now), services: serviceRows(), ...specialistRows(now) };
}
