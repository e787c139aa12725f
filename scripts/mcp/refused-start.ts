import {
  type ExplainAvailabilityData,
  type ExplainAvailabilityQuery,
  pages,
  type partnerClient,
} from '@/lib/contract/client';
import type { ReasonOf } from '@/lib/contract/errors/reasons';

type Client = ReturnType<typeof partnerClient>;
type Start = ExplainAvailabilityData['starts'][number];
export type UnavailableReason = ReasonOf<'booking_unavailable'>;

/** Reasons that hold for every start of a day, also one off the grid (contract B3). */
const OF_THE_DAY: readonly (string | null)[] = ['service_unpublished', 'specialist_unavailable'];

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/**
 * Returns the reason with which a create of this start would be refused now (contract B18), or null if it would not be, or
 * if it is uncertain: for a start off the grid next to a change of daylight saving or to the end of the day.
 */
export async function reasonAt(
  client: Client,
  query: ExplainAvailabilityQuery,
  start_time: string,
): Promise<UnavailableReason | null> {
  let before: Start | null = null;
  for await (const page of pages(client.explainAvailability, { ...query, limit: 96 })) {
    for (const start of page.starts) {
      if (start.start_time === start_time || OF_THE_DAY.includes(start.reason))
        return start.reason as UnavailableReason | null;
      if (start.start_time > start_time) return offGrid(page, start_time, before, start);
      before = start;
    }
  }
  return null;
}

/** Two starts of the grid between which no offset changes determine the instant of a start between them. */
function offGrid(
  { bookable_from, bookable_until }: ExplainAvailabilityData,
  start_time: string,
  before: Start | null,
  after: Start,
): UnavailableReason | null {
  if (!before?.starts_at || !after.starts_at) return null;
  const [from, to] = [Date.parse(before.starts_at), Date.parse(after.starts_at)];
  if (to - from !== (minutesOf(after.start_time) - minutesOf(before.start_time)) * 60_000) return null;
  const at = from + (minutesOf(start_time) - minutesOf(before.start_time)) * 60_000;
  if (at < Date.parse(bookable_from)) return 'lead_time';
  return at > Date.parse(bookable_until) ? 'max_advance' : 'off_grid';
}
