import type { Policy } from '@/lib/access/applications/policy';
import { invalidBecause } from '@/lib/contract/errors/app-error';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { withSequence } from '@/lib/webhooks/payload';
import { readInTurn } from '../read-turns';

type Row = { latest: string | null; oldest: string | null; sequence: string | null; payload: string | null };

// One statement has one snapshot, and sequences become visible in their order, so a page has no gap.
const EVENTS = statement<Row>('events-after')`
  SELECT kept.latest::text, kept.oldest::text, page.sequence::text, page.payload
  FROM (SELECT (SELECT last FROM event_counters WHERE application_id = ${param.text('applicationId')}) AS latest,
      (SELECT min(sequence) FROM event_sequences WHERE application_id = ${param.text('applicationId')}) AS oldest) AS kept
  LEFT JOIN (
    SELECT s.sequence, v.payload FROM event_sequences s JOIN events v ON v.id = s.event_id
    WHERE s.application_id = ${param.text('applicationId')} AND s.sequence > ${param.bigint('after')}
    ORDER BY s.sequence LIMIT ${param.int('limit')}) AS page ON true
  ORDER BY page.sequence`;

/**
 * Returns the application's events after a sequence, as JSON, and the latest sequence (contract B16). Without `after`,
 * begins with the oldest event that is kept.
 * @throws AppError invalid_request, with the reason `events_expired` if events after `after` are no longer kept, or
 * `sequence_unknown` if it is later than the latest event.
 */
export async function listEvents(
  policy: Policy,
  { after, limit }: { after: number | null; limit: number },
): Promise<{ events: string[]; latest: number }> {
  const { tenantId, applicationId } = policy;
  const query = bind(EVENTS, { applicationId, after: after ?? 0, limit });
  const { rows } = await readInTurn('bookings', policy, () => inTenant(tenantId, () => pool().query<Row>(query)));
  const latest = Number(rows[0]?.latest ?? 0);
  const oldest = Number(rows[0]?.oldest ?? latest + 1);
  if (after !== null && after > latest) throw invalidBecause('sequence_unknown');
  if (after !== null && after + 1 < oldest) throw invalidBecause('events_expired');
  const events = rows.flatMap(({ payload, sequence }) => (payload === null ? [] : [withSequence(payload, sequence)]));
  return { events, latest };
}
