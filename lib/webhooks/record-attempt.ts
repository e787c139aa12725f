import { pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import type { Lease } from './lease';
import { delayAfter, readRetryAfter } from './schedule';
import type { Outcome } from './send';

/** Hours without a success after which an endpoint is disabled, if attempts failed on so many days (contract B11). */
const QUIET_HOURS = 120;
const QUIET_DAYS = 3;

type Next = { state: 'pending' | 'succeeded' | 'failed' | null; nextAttemptAt: Date | null };

/** Returns what becomes of a delivery after an attempt; a state of null leaves it as it is (contract B11). */
function nextOf(lease: Lease, { error, retryAfter }: Outcome, now: Date, random: number): Next {
  if (error === null) return { state: 'succeeded', nextAttemptAt: null };
  // By hand: the schedule, if there still is one, goes on as it was.
  if (lease.kind === 'manual') return { state: null, nextAttemptAt: null };
  if (lease.test) return { state: 'failed', nextAttemptAt: null };
  const delay = delayAfter(lease.scheduledAttempts + 1, readRetryAfter(retryAfter, now), random);
  if (delay === null) return { state: 'failed', nextAttemptAt: null };
  return { state: 'pending', nextAttemptAt: new Date(now.getTime() + delay) };
}

// One statement, so that the attempt, its delivery, the endpoint's health and the audit are one thing. The endpoint is
// locked before its deliveries, as owners' changes lock them: the other way round they would deadlock.
const RECORD = {
  name: 'webhooks-record-attempt',
  text: `
  WITH old AS (
    SELECT *, ($1::timestamptz AT TIME ZONE 'UTC')::date AS day, url <> $16::text AS moved FROM webhook_endpoints
    WHERE application_id = $2::text FOR UPDATE),
  judged AS (
    SELECT *, failed_days + CASE WHEN last_failed_on IS DISTINCT FROM day THEN 1 ELSE 0 END AS days FROM old),
  verdict AS (
    SELECT *, moved OR $5::boolean AS unjudged,
      CASE WHEN state = 'disabled' OR moved OR $3::boolean THEN NULL WHEN $4::boolean THEN 'gone'
      WHEN NOT $5 AND days >= ${QUIET_DAYS} AND quiet_since <= $1 - interval '${QUIET_HOURS} hours' THEN 'failing'
      END AS ended FROM judged),
  endpoint AS (
    UPDATE webhook_endpoints e SET
      failing = CASE WHEN v.unjudged THEN e.failing ELSE NOT $3 END,
      quiet_since = CASE WHEN $3 AND NOT v.unjudged THEN $1 ELSE e.quiet_since END,
      last_success_at = CASE WHEN $3 AND NOT v.unjudged THEN $1 ELSE e.last_success_at END,
      failed_days = CASE WHEN v.unjudged THEN e.failed_days WHEN $3 THEN 0 ELSE v.days END,
      last_failed_on = CASE WHEN v.unjudged THEN e.last_failed_on WHEN $3 THEN NULL ELSE v.day END,
      state = CASE WHEN v.ended IS NULL THEN e.state ELSE 'disabled' END,
      state_reason = COALESCE(v.ended, e.state_reason),
      changed_at = CASE WHEN v.ended IS NULL THEN e.changed_at ELSE $1 END,
      version = e.version + CASE WHEN v.ended IS NULL THEN 0 ELSE 1 END
    FROM verdict v WHERE e.application_id = v.application_id RETURNING e.tenant_id, v.ended),
  audit AS (
    INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
    SELECT $6::text, $1, tenant_id, 'system', 'webhook.disabled', 'webhook_endpoint', $2,
      jsonb_build_object('state', 'disabled', 'reason', ended)
    FROM endpoint WHERE ended IS NOT NULL),
  attempt AS (
    UPDATE delivery_attempts SET duration_ms = $7::real, status = $8::smallint, error = $9::text, answer = $10::text
    WHERE delivery_id = $11::text AND number = $12::int AND EXISTS (SELECT FROM endpoint))
  UPDATE deliveries SET
    leased_until = CASE WHEN attempts = $12 THEN NULL ELSE leased_until END,
    manual_requested_at = CASE WHEN attempts = $12 THEN NULL ELSE manual_requested_at END,
    state = CASE WHEN state = 'succeeded' THEN state ELSE COALESCE($13::text, state) END,
    next_attempt_at = CASE WHEN state = 'succeeded' OR $13 IS NULL THEN next_attempt_at ELSE $14::timestamptz END,
    finished_at = CASE WHEN state = 'succeeded' OR $13 IS NULL THEN finished_at WHEN $13 = 'pending' THEN NULL ELSE $1 END,
    scheduled_attempts = scheduled_attempts + CASE WHEN state = 'succeeded' THEN 0 ELSE $15::int END
  WHERE id = $11 AND ($3 OR attempts = $12) AND EXISTS (SELECT FROM endpoint)`,
};

/**
 * Writes how an attempt ended: the attempt, its delivery and its endpoint's health. A late success counts even if the
 * lease was lost meanwhile; a late failure leaves the delivery to whoever has it now. A test tells nothing of the
 * health, but a 410 ends the endpoint all the same. What another address than the present one answered counts for the
 * delivery alone.
 * @param random 0 to 1, for the jitter.
 */
export async function recordAttempt(now: Date, lease: Lease, outcome: Outcome, random: number): Promise<void> {
  const { state, nextAttemptAt } = nextOf(lease, outcome, now, random);
  const values = [
    now,
    lease.applicationId,
    outcome.error === null,
    outcome.status === 410,
    lease.test,
    newId('aud'),
    now.getTime() - lease.startedAt.getTime(),
    outcome.status,
    outcome.error,
    outcome.answer,
    lease.deliveryId,
    lease.attempt,
    state,
    nextAttemptAt,
    lease.kind === 'scheduled' ? 1 : 0,
    lease.url,
  ];
  await pool().query({ ...RECORD, values });
}
