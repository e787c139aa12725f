import type { z } from 'zod';
import type { explainData } from '@/lib/contract/explain';
import { formatInstant } from '@/lib/platform/time-zones';
import { type ExplainedStart, explainDay, gridOf } from '../availability/explain';
import { bookableStarts } from '../availability/input';
import { readSharedBusy } from '../availability/shared-reads';
import { type ReadingApplication, readSlotsInTurn } from '../read-turns';
import type { Offer } from './resolve';

type Asked = {
  offer: Offer;
  date: string;
  specialistId: string | undefined;
  /** Minutes since local midnight, of the last start of the previous page. */
  after: number | null;
  limit: number;
  now: Date;
};

type Explanation = Omit<z.output<typeof explainData>, 'next_cursor'> & {
  /** Minutes since local midnight, of the page's last start. Null if no page follows. */
  last: number | null;
};

/** Of a page: starts times specialists. Each takes about 80 bytes. */
const MAX_ENTRIES = 10_000;

/**
 * Returns for each start of the service's grid on a day the reason with which a create would be refused now, and the same
 * for each specialist alone (contract B18).
 */
export async function explanationOf(reader: ReadingApplication, asked: Asked): Promise<Explanation> {
  const { offer, date, specialistId, after, now } = asked;
  const { service, location, specialists } = offer;
  const rest = gridOf(service).filter((minute) => minute > (after ?? -1));
  const most = Math.max(1, Math.floor(MAX_ENTRIES / Math.max(1, specialists.length)));
  const minutes = rest.slice(0, Math.min(asked.limit, most));
  const query = { service, location, specialists, date, specialistId, minutes, now };
  const days = specialistId === undefined ? specialists.length : 1;
  const starts = await readSlotsInTurn(reader, days, () => explainDay(readSharedBusy, query));
  const { earliest, latest } = bookableStarts(service, now.getTime());
  return {
    starts: starts.map((start) => recordOf(offer, start)),
    service_id: service.id,
    location_id: location.id,
    date,
    time_zone: location.zone.name,
    bookable_from: new Date(earliest * 60_000).toISOString(),
    bookable_until: new Date(latest * 60_000).toISOString(),
    last: minutes.length < rest.length ? (minutes.at(-1) ?? null) : null,
  };
}

/** An unpublished service refuses every start, before any other reason. */
function recordOf({ published, location }: Offer, { startTime, startsAt, reason, specialists }: ExplainedStart) {
  const shown = <Reason>(own: Reason) => (published ? own : ('service_unpublished' as const));
  return {
    start_time: startTime,
    starts_at: startsAt === null ? null : formatInstant(location.zone, startsAt).rfc3339,
    reason: shown(reason),
    specialists: specialists.map((one) => ({ specialist_id: one.specialistId, reason: shown(one.reason) })),
  };
}
