import type { Policy } from '@/lib/access/applications/policy';
import { pool } from '@/lib/platform/db';
import { bind, param, statement } from '@/lib/platform/sql';
import { inTenant } from '@/lib/platform/tenant-scope';
import { IN_LIMIT } from '../bookings/statements';
import { readInTurn } from '../read-turns';
import { latestEvent, ownValues, startsBetween } from './state';
import { ALLOWED, IN_DAYS } from './statements';

type Row = { date: string; count: number; hash: string; sequence: string };

// A booking and the number of its event commit together, and one statement has one snapshot. So the digest is that of
// exactly the events up to `sequence`.
const DIGEST = statement<Row>('bookings-digest')`
  SELECT to_char(d.day, 'YYYY-MM-DD') AS date, coalesce(g.count, 0)::int AS count,
    encode(sha256(convert_to(coalesce(g.lines, ''), 'UTF8')), 'hex') AS hash,
    coalesce((SELECT last FROM event_counters WHERE application_id = ${param.text('applicationId')}), 0)::text AS sequence
  FROM generate_series(${param.date('from')}::timestamp, ${param.date('to')}::timestamp, interval '1 day') AS d (day)
  LEFT JOIN (
    SELECT b.date, count(*) AS count, string_agg(b.reference || ':' || b.version || E'\\n', '' ORDER BY b.reference COLLATE "C") AS lines
    FROM bookings b WHERE ${IN_DAYS} AND ${ALLOWED} AND ${IN_LIMIT} GROUP BY b.date) AS g ON g.date = d.day::date
  ORDER BY d.day`;

export type Digest = { days: { date: string; count: number; hash: string }[]; sequence: number };

/**
 * Returns the number and the hash of the application's bookings at its locations for each local day (contract B16).
 * @throws AppError service_unavailable as `latestEvent`.
 */
export async function digestBookings(policy: Policy, { from, to }: { from: string; to: string }): Promise<Digest> {
  return readInTurn('bookings', policy, async () => {
    await latestEvent(policy, true);
    const query = bind(DIGEST, { ...ownValues(policy), from, to, ...startsBetween(from, to) });
    const { rows } = await inTenant(policy.tenantId, () => pool().query<Row>(query));
    const days = rows.map(({ date, count, hash }) => ({ date, count, hash }));
    return { days, sequence: Number(rows[0]?.sequence ?? 0) };
  });
}
