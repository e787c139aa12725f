import { LRUCache } from 'lru-cache';
import { BASE_PATH } from '@/lib/contract/operations';
import { SUITE_AGENT } from '@/lib/contract/readiness';
import { pool } from '@/lib/platform/db';
import { idBound } from '@/lib/platform/ids';
import { singleton } from '@/lib/platform/singleton';
import { bind, param, statement } from '@/lib/platform/sql';
import { type Judged, judge, type Seen } from './judge';

/**
 * The newest requests of an application that are judged, those among which they are looked for, and the days for which they
 * count (contract B21). A hostile run of the suite sends more than the first of these numbers, and must not displace them.
 */
const [REQUESTS, AMONG, DAYS] = [5_000, 20_000, 30];
/** Changes of the clock that are looked at. */
const ADVANCES = 200;

const DAY = 86_400_000;

/** Applications of this process whose judgment is kept. */
const MAX_KEPT = 500;
/** A judgment is kept this many times as long as it took, so that reads by one application take at most a twentieth of a process. */
const KEPT_TIMES = 20;
/** Milliseconds (contract B21). */
const MAX_AGE = 5_000;

// The ids contain the time, so the bound leaves out the days before. The limit bounds the work, whatever the quota is.
const NEWEST = statement<Seen>('readiness-requests')`
  SELECT id, at, method, route, status, code, reason, key, replayed, reference FROM (
    SELECT request_id AS id, at, method, route, status, code, reason, encode(idempotency_key_hash, 'hex') AS key,
      replayed_from IS NOT NULL AS replayed, external_reference AS reference, user_agent AS agent
    FROM request_log
    WHERE tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')}
      AND request_id >= ${param.text('first')} AND at >= ${param.timestamptz('since')}
    ORDER BY at DESC LIMIT ${AMONG}) AS newest
  WHERE agent IS DISTINCT FROM ${param.text('suite')} ORDER BY at DESC LIMIT ${REQUESTS}`;

const CLOCK_ADVANCES = statement<{ at: Date }>('readiness-clock')`
  SELECT at FROM audit_log
  WHERE tenant_id = ${param.text('tenantId')} AND object_id = ${param.text('applicationId')}
    AND at >= ${param.timestamptz('since')} AND action = 'application.clock_changed' AND actor_kind = 'application'
    AND (after ->> 'clock_offset_seconds')::int > (before ->> 'clock_offset_seconds')::int
  ORDER BY at DESC LIMIT ${ADVANCES}`;

type Target = { tenantId: string; applicationId: string };

const kept = () => singleton('readiness:judged', () => new LRUCache<string, Judged>({ max: MAX_KEPT }));

/** Returns the time from which on evidence counts. */
export const countedSince = (now: Date) => new Date(now.getTime() - DAYS * DAY);

/** Returns what the newest requests of an application show, at most `MAX_AGE` old. */
export async function judgeRequests(now: Date, target: Target): Promise<Judged> {
  const known = kept().get(target.applicationId);
  if (known) return known;
  const begun = performance.now();
  const since = countedSince(now);
  const newest = await pool().query<Seen>(
    bind(NEWEST, { ...target, since, first: idBound('req', since), suite: SUITE_AGENT }),
  );
  const advances = await pool().query<{ at: Date }>(bind(CLOCK_ADVANCES, { ...target, since }));
  const requests = newest.rows
    .map((one) => ({ ...one, route: one.route?.slice(BASE_PATH.length) ?? null }))
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1));
  const judged = judge(requests, new Set(advances.rows.map(({ at }) => at.getTime())));
  const ttl = Math.min(MAX_AGE, Math.ceil(KEPT_TIMES * (performance.now() - begun)));
  kept().set(target.applicationId, judged, { ttl });
  return judged;
}
