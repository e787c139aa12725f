import { describe, expect, it } from 'vitest';
import {
  type Claim,
  type ExceptionRecord,
  paddedRange,
  prepareLocation,
  prepareService,
  prepareSpecialist,
  type TimeOffRecord,
  type WeeklyHoursRecord,
} from '@/lib/booking/availability/input';
import { checkSlot, formatSlotTimes, slotsForRange } from '@/lib/booking/availability/slots';
import workedDays from './worked-days.json';

interface WorkedClaim {
  starts_at: string;
  duration_minutes: number;
  buffer_before_minutes?: number;
  buffer_after_minutes?: number;
  capacity: number;
  taken: number;
  same_service?: boolean;
  same_location?: boolean;
}

interface WorkedSpecialist {
  id: string;
  working: string[];
  breaks?: string[];
  exceptions?: ExceptionRecord[];
  time_off?: TimeOffRecord[];
  claims?: WorkedClaim[];
}

interface WorkedService {
  duration_minutes: number;
  slot_interval_minutes: number;
  max_advance_days: number;
  buffer_before_minutes?: number;
  buffer_after_minutes?: number;
  capacity?: number;
  min_lead_minutes?: number;
}

interface WorkedDay {
  name: string;
  time_zone: string;
  now: string;
  date: string;
  date_to?: string;
  service: WorkedService;
  location: { opening: string[]; exceptions: ExceptionRecord[] };
  specialists: WorkedSpecialist[];
  expected: string[];
}

/** Reads weekly hours such as `1-5 09:00-17:00`. Monday is 1. */
function hoursOf(lines: string[]): WeeklyHoursRecord[] {
  return lines.flatMap((line) => {
    const [, first, last = first, opens = '', closes = ''] = /^(\d)(?:-(\d))? (\S{5})-(\S{5})$/.exec(line) ?? [];
    const days = Number(last) - Number(first) + 1;
    return Array.from({ length: days }, (_, index) => ({ weekday: Number(first) + index, opens, closes }));
  });
}

/**
 * Reads slots such as `2026-09-14 +02:00 x1 a,b: 09:00 09:30`: date, offset, capacity, specialists, and starts. If the
 * end of the slots has another offset than the start, both are stated, as in `+01:00>+02:00`.
 */
function slotsOf(day: WorkedDay) {
  return day.expected.flatMap((line) => {
    const [, date, offset, endOffset = offset, capacity, ids = '', starts = ''] =
      /^(\S{10}) ([^\s>]+)(?:>(\S+))? x(\d+) (\S+): (.+)$/.exec(line) ?? [];
    return starts.split(' ').map((start_time) => {
      const starts_at = `${date}T${start_time}:00${offset}`;
      const end = Date.parse(starts_at) + day.service.duration_minutes * 60_000;
      const local = new Date(end + Date.parse('1970-01-01T00:00Z') - Date.parse(`1970-01-01T00:00${endOffset}`));
      const ends_at = `${local.toISOString().slice(0, 19)}${endOffset}`;
      return {
        date: date ?? '',
        start_time,
        end_time: ends_at.slice(11, 16),
        starts_at,
        ends_at,
        available_capacity: Number(capacity),
        specialist_ids: ids.split(','),
      };
    });
  });
}

function claimOf(specialistId: string, claim: WorkedClaim): Claim {
  const startsAt = Date.parse(claim.starts_at) / 60_000;
  return {
    specialistId,
    serviceId: claim.same_service === true ? 'svc' : 'other',
    locationId: claim.same_location === false ? 'other' : 'loc',
    startsAt,
    from: startsAt - (claim.buffer_before_minutes ?? 0),
    to: startsAt + claim.duration_minutes + (claim.buffer_after_minutes ?? 0),
    capacity: claim.capacity,
    taken: claim.taken,
  };
}

function queryOf(day: WorkedDay) {
  const { service } = day;
  const location = prepareLocation({
    id: 'loc',
    tenantId: 'ten',
    timeZone: day.time_zone,
    ...day.location,
    opening: hoursOf(day.location.opening),
  });
  return {
    service: prepareService({
      id: 'svc',
      durationMinutes: service.duration_minutes,
      slotIntervalMinutes: service.slot_interval_minutes,
      bufferBeforeMinutes: service.buffer_before_minutes ?? 0,
      bufferAfterMinutes: service.buffer_after_minutes ?? 0,
      capacity: service.capacity ?? 1,
      minLeadMinutes: service.min_lead_minutes ?? 0,
      maxAdvanceDays: service.max_advance_days,
    }),
    location,
    specialists: day.specialists.map((s) =>
      prepareSpecialist(
        { ...s, working: hoursOf(s.working), breaks: hoursOf(s.breaks ?? []), timeOff: s.time_off ?? null },
        location,
      ),
    ),
    claims: day.specialists.flatMap((s) => (s.claims ?? []).map((claim) => claimOf(s.id, claim))),
    now: Date.parse(day.now),
    date: day.date,
    dateTo: day.date_to ?? null,
    blocks: [],
  };
}

describe('the worked days of the contract', () => {
  const days = workedDays as unknown as WorkedDay[];

  it('are complete', () => {
    expect(days).toHaveLength(22);
  });

  it.each(days.map((day) => [day.name, day] as const))('%s', (_name, day) => {
    const query = queryOf(day);
    const slots = slotsForRange(query).map((slot) => {
      const { time_zone, ...times } = formatSlotTimes(query.location, slot);
      expect(time_zone).toBe(day.time_zone);
      return {
        ...times,
        available_capacity: slot.availableCapacity,
        specialist_ids: slot.specialists.map(({ specialistId }) => specialistId),
      };
    });
    expect(slots).toEqual(slotsOf(day));
  });

  it.each(days.map((day) => [day.name, day] as const))('%s: every offered start can be booked', (_name, day) => {
    const query = queryOf(day);
    const covered = paddedRange(query);
    for (const { date, start_time, specialist_ids } of slotsOf(day)) {
      const check = checkSlot({ ...query, date, startTime: start_time });
      expect(check.ok && check.slot.specialists.map(({ specialistId }) => specialistId)).toEqual(specialist_ids);
      if (check.ok) {
        expect(check.slot.from).toBeGreaterThanOrEqual(covered?.from ?? Infinity);
        expect(check.slot.to).toBeLessThanOrEqual(covered?.to ?? -Infinity);
      }
    }
  });
});
