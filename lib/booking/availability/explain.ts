import { DAY, formatTime, parseDay } from '@/lib/platform/time-zones';
import { roomOf } from './claims';
import { paddedRange, type SlotQuery } from './input';
import type { BusyReader } from './shared-reads';
import {
  buildTimelines,
  claimsBySpecialist,
  closedBySpecialist,
  type NoSeatReason,
  seatsAt,
  startAt,
  type UnavailableReason,
} from './slots';

/** A null reason: it can be booked. */
export interface ExplainedSpecialist {
  readonly specialistId: string;
  readonly reason: UnavailableReason | null;
}

export interface ExplainedStart {
  /** `HH:MM` */
  readonly startTime: string;
  /** Epoch minutes. Null if the local time does not exist. */
  readonly startsAt: number | null;
  readonly reason: UnavailableReason | null;
  readonly specialists: readonly ExplainedSpecialist[];
}

export interface ExplainQuery extends SlotQuery {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly specialistId?: string | null;
  /** Minutes since local midnight, ascending. */
  readonly minutes: readonly number[];
}

/** Returns the starts of a service's grid, in minutes since local midnight. */
export function gridOf({ slotIntervalMinutes: step }: { slotIntervalMinutes: number }): number[] {
  return Array.from({ length: Math.ceil(DAY / step) }, (_, i) => i * step);
}

/**
 * Returns for each start and specialist the first reason why it cannot be booked, in the order of contract B3 and with
 * the same rules as `slotsForRange` and `checkSlot` (contract B18).
 */
export function explainStarts(query: ExplainQuery): ExplainedStart[] {
  const { date, minutes, specialistId = null } = query;
  const day = parseDay(date);
  const asked = specialistId === null ? query.specialists : query.specialists.filter(({ id }) => id === specialistId);
  const narrowed = { ...query, specialists: asked };
  const timelines = buildTimelines(narrowed, claimsBySpecialist(narrowed), closedBySpecialist(narrowed), day, day);
  return minutes.map((minute) => {
    const { start, reason } = startAt(query, day, minute);
    const at = { startTime: formatTime(minute), startsAt: start };
    if (specialistId !== null && asked.length === 0)
      return { ...at, ...forAll('specialist_unavailable', [specialistId]) };
    if (start === null || reason !== null)
      return {
        ...at,
        ...forAll(
          reason,
          asked.map(({ id }) => id),
        ),
      };
    const specialists = timelines.map((timeline) => {
      const offer = seatsAt(timeline, narrowed, start);
      return { specialistId: timeline.free.specialistId, reason: typeof offer === 'string' ? offer : null };
    });
    return { ...at, reason: together(specialists), specialists };
  });
}

function forAll(reason: UnavailableReason | null, ids: readonly string[]) {
  return { reason, specialists: ids.map((specialistId) => ({ specialistId, reason })) };
}

/** As in `slotOf`: one free specialist is enough, and one who works then makes the start taken. */
function together(specialists: readonly { reason: NoSeatReason | null }[]): NoSeatReason | null {
  if (specialists.some(({ reason }) => reason === null)) return null;
  return specialists.some(({ reason }) => reason === 'slot_taken') ? 'slot_taken' : 'outside_schedule';
}

type DayQuery = Omit<ExplainQuery, 'claims' | 'blocks' | 'now'> & { now: Date };

/** Reads the claims and blocks of a day, and returns why its starts can or cannot be booked (contract B18). */
export async function explainDay(read: BusyReader, query: DayQuery): Promise<ExplainedStart[]> {
  const now = query.now.getTime();
  const { service, location, specialists, specialistId = null } = query;
  const range = paddedRange({ service, location, date: query.date, now });
  const ids = specialists.flatMap(({ id }) => (specialistId === null || id === specialistId ? [id] : []));
  // Otherwise, no start of the day is within the lead time and the horizon, or nobody can be busy.
  const asked = range && ids.length > 0;
  const busy = asked ? await read({ specialistIds: ids, location, ranges: [range], room: roomOf(service) }) : NOT_BUSY;
  return explainStarts({ ...query, now, ...busy });
}

const NOT_BUSY = { claims: [], blocks: [] };
