import { LRUCache } from 'lru-cache';
import { notFound } from '@/lib/contract/errors/app-error';
import { BASE_PATH } from '@/lib/contract/operations';
import { CERTIFICATE_DAYS, type Readiness, SUITE_AGENT } from '@/lib/contract/readiness';
import { db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { idBound } from '@/lib/platform/ids';
import { singleton } from '@/lib/platform/singleton';
import { bind, param, statement } from '@/lib/platform/sql';
import { evidenceOf, type Judged, judge, type Seen, type SignatureCheck } from './judge';

const DAY = 86_400_000;

/** Stores the one row of a kind for an application. */
export const STORE_RECORD = statement<never>('readiness-store')`
  INSERT INTO readiness_records AS r (tenant_id, application_id, kind, at, value)
  VALUES (${param.text('tenantId')}, ${param.text('applicationId')}, ${param.text('kind')}, ${param.timestamptz('at')},
    ${param.jsonb('value')})
  ON CONFLICT (application_id, kind) DO UPDATE SET at = EXCLUDED.at, value = EXCLUDED.value`;

/** At most one row per kind. */
const READ_RECORDS = statement<{ kind: string; at: Date; value: Record<string, unknown> }>('readiness-records')`
  SELECT kind, at, value FROM readiness_records
  WHERE tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')}`;

/**
 * Returns the score of an application from its traffic in TEST (contract B21). The caller must be in the scope of the
 * tenant.
 * @throws AppError not_found if the application does not exist, or in LIVE.
 */
export async function readScore(now: Date, tenantId: string, applicationId: string): Promise<Readiness> {
  const { ENVIRONMENT, origin } = env();
  const application = await db().application.findFirst({
    where: { id: applicationId, tenantId },
    select: { name: true, tenant: { select: { name: true } } },
  });
  if (ENVIRONMENT !== 'TEST' || !application) throw notFound();
  const since = countedSince(now);
  const ids = { tenantId, applicationId };
  const judged = await judgeRequests(now, ids);
  const { rows: records } = await pool().query<Stored>(bind(READ_RECORDS, ids));
  const recent = (kind: string) => records.find((one) => one.kind === kind && one.at >= since);
  const criteria = evidenceOf(judged, checkOf(recent('signature')));
  const run = recent('conformance');
  return {
    application: { id: applicationId, name: application.name },
    business: application.tenant.name,
    environment: 'TEST',
    host: origin,
    contract: 'v1',
    criteria,
    met: criteria.filter(({ state }) => state === 'met').length,
    // Written by `reportRun`.
    conformance: run ? { at: run.at.toISOString(), ...(run.value as Run) } : null,
    issued_at: now.toISOString(),
    expires_at: new Date(now.getTime() + CERTIFICATE_DAYS * DAY).toISOString(),
  };
}

type Stored = { kind: string; at: Date; value: Record<string, unknown> };

/** What a row of the kind `conformance` contains. */
export type Run = Omit<NonNullable<Readiness['conformance']>, 'at'>;

/** What a row of the kind `signature` contains. */
export type Check = {
  request_id: string;
  genuine_id: string;
  forged_id: string;
  genuine: number | null;
  forged: number | null;
};

function checkOf(stored: Stored | undefined): SignatureCheck | null {
  if (!stored) return null;
  const { request_id: requestId, genuine, forged } = stored.value as Check;
  return { at: stored.at, requestId, genuine, forged };
}

/**
 * The newest requests of an application that are judged, those among which they are looked for, and the days for which they
 * count (contract B21). A hostile run of the suite sends more than the first of these numbers, and must not displace them.
 */
const [REQUESTS, AMONG, DAYS] = [5_000, 20_000, 30];
/** Changes of the clock that are looked at. */
const ADVANCES = 200;

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

const countedSince = (now: Date) => new Date(now.getTime() - DAYS * DAY);

/** Returns what the newest requests of an application show, at most `MAX_AGE` old. */
async function judgeRequests(now: Date, target: Target): Promise<Judged> {
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
