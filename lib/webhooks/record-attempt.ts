import type pg from 'pg';
import { inClient, isMailOn, queueNotice } from '@/lib/activity/mail/queue';
import { inTransaction } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { bind, nullable, param, sql, statement } from '@/lib/platform/sql';
import {
  type AttemptState,
  afterAttempt,
  type DeliveryState,
  type EndpointState,
  MAILED_FIRSTS,
} from './after-attempt';
import type { Lease } from './lease';
import type { Outcome } from './send';

/** The columns of a deleted delivery are null. */
type LockedRow = Omit<EndpointState & DeliveryState, 'state'> & { endpointState: string; deliveryState: string | null };

// The endpoint before its delivery. Changes by owners use the same order, so that transactions cannot deadlock.
const LOCK = statement<LockedRow>('webhooks-lock-attempt')`
  WITH endpoint AS MATERIALIZED (
    SELECT * FROM webhook_endpoints WHERE application_id = ${param.text('applicationId')} FOR UPDATE),
  delivery AS MATERIALIZED (
    SELECT d.* FROM endpoint e JOIN deliveries d ON d.application_id = e.application_id
    WHERE d.id = ${param.text('deliveryId')} FOR UPDATE OF d)
  SELECT e.url, e.state AS "endpointState", e.state_reason AS "stateReason", e.changed_at AS "changedAt", e.failing,
    e.quiet_since AS "quietSince", e.failed_days AS "failedDays", e.last_failed_on::text AS "lastFailedOn",
    e.failed_firsts AS "failedFirsts",
    e.last_success_at AS "lastSuccessAt", e.version, d.state AS "deliveryState", d.attempts,
    d.scheduled_attempts AS "scheduledAttempts", d.next_attempt_at AS "nextAttemptAt",
    d.manual_requested_at AS "manualRequestedAt", d.leased_until AS "leasedUntil", d.finished_at AS "finishedAt"
  FROM endpoint e LEFT JOIN delivery d ON true`;

const ENDPOINT = sql`
  UPDATE webhook_endpoints SET state = ${param.text('endpointState')},
    state_reason = ${nullable(param.text('stateReason'))}, changed_at = ${param.timestamptz('changedAt')},
    failing = (${param.text('failing')})::boolean, quiet_since = ${param.timestamptz('quietSince')},
    failed_days = ${param.int('failedDays')}, last_failed_on = ${nullable(param.date('lastFailedOn'))},
    failed_firsts = ${param.smallint('failedFirsts')},
    last_success_at = ${nullable(param.timestamptz('lastSuccessAt'))}, version = ${param.int('version')},
    last_attempt_at = GREATEST(last_attempt_at, ${param.timestamptz('startedAt')})
  WHERE application_id = ${param.text('applicationId')}`;

const WRITE_ENDPOINT = statement<never>('webhooks-write-endpoint')`${ENDPOINT}`;

const WRITE = statement<never>('webhooks-write-attempt')`
  WITH endpoint AS (${ENDPOINT}),
  attempt AS (
    UPDATE delivery_attempts SET duration_ms = ${param.int('durationMs')}, status = ${nullable(param.smallint('status'))},
      error = ${nullable(param.text('error'))}, answer = ${nullable(param.text('responseBody'))}
    WHERE delivery_id = ${param.text('deliveryId')} AND number = ${param.int('number')})
  UPDATE deliveries SET state = ${param.text('deliveryState')},
    scheduled_attempts = ${param.int('scheduledAttempts')},
    next_attempt_at = ${nullable(param.timestamptz('nextAttemptAt'))},
    manual_requested_at = ${nullable(param.timestamptz('manualRequestedAt'))},
    leased_until = ${nullable(param.timestamptz('leasedUntil'))},
    finished_at = ${nullable(param.timestamptz('finishedAt'))}
  WHERE id = ${param.text('deliveryId')}`;

const AUDIT = statement<never>('webhooks-audit-disabled')`
  INSERT INTO audit_log (id, at, tenant_id, actor_kind, action, object_kind, object_id, after)
  VALUES (${param.text('id')}, ${param.timestamptz('now')}, ${param.text('tenantId')}, 'system', 'webhook.disabled',
    'webhook_endpoint', ${param.text('applicationId')},
    jsonb_build_object('state', 'disabled', 'reason', ${nullable(param.text('reason'))}))`;

// For a signature check in TEST (contract B21). 0: no response. It does nothing after a newer check.
const RECORD_ANSWER = statement<never>('webhooks-signature-answer')`
  UPDATE readiness_records SET value = value || jsonb_build_object(
    CASE WHEN value ->> 'forged_id' = ${param.text('eventId')} THEN 'forged' ELSE 'genuine' END,
    coalesce(${nullable(param.smallint('status'))}, 0))
  WHERE application_id = ${param.text('applicationId')} AND kind = 'signature'
    AND ${param.text('eventId')} IN (value ->> 'forged_id', value ->> 'genuine_id')`;

/** Records the end of an attempt in its row, its delivery, and its endpoint. `random` (0 to 1) is for the jitter. */
export async function recordAttempt(now: Date, lease: Lease, outcome: Outcome, random: number): Promise<void> {
  const { applicationId, deliveryId, attempt: number, kind, test, forged, url } = lease;
  await inTransaction([], async (client) => {
    const before = await lockState(client, applicationId, deliveryId);
    if (!before) return;
    const { endpoint, delivery } = afterAttempt(before, { number, kind, test, forged, url, outcome, random }, now);
    const health = {
      ...endpoint,
      failing: String(endpoint.failing),
      endpointState: endpoint.state,
      applicationId,
      startedAt: lease.startedAt,
    };
    const ended = {
      deliveryId,
      number,
      durationMs: now.getTime() - lease.startedAt.getTime(),
      status: outcome.status,
      error: outcome.error,
      responseBody: outcome.answer,
    };
    await client.query(
      delivery
        ? bind(WRITE, { ...health, ...delivery, deliveryState: delivery.state, ...ended })
        : bind(WRITE_ENDPOINT, health),
    );
    if (test)
      await client.query(bind(RECORD_ANSWER, { applicationId, eventId: lease.eventId, status: outcome.status }));
    if (isMailOn()) await mailHealth(client, now, lease, before.endpoint, endpoint);
    if (endpoint.version === before.endpoint.version) return;
    const { tenantId } = lease;
    await client.query(bind(AUDIT, { id: newId('aud'), now, tenantId, applicationId, reason: endpoint.stateReason }));
  });
}

const NAMES = statement<{ application: string; business: string }>('webhooks-names')`
  SELECT a.name AS application, t.name AS business FROM applications a JOIN tenants t ON t.id = a.tenant_id
  WHERE a.id = ${param.text('applicationId')}`;

/** Mails the members if the endpoint was disabled, or if the first attempts of `MAILED_FIRSTS` deliveries have failed. */
async function mailHealth(
  client: pg.PoolClient,
  now: Date,
  { tenantId, applicationId }: Lease,
  before: EndpointState,
  after: EndpointState,
): Promise<void> {
  const isDisabled = after.version !== before.version;
  const isFailing = before.failedFirsts < MAILED_FIRSTS && after.failedFirsts === MAILED_FIRSTS;
  if (!isDisabled && !isFailing) return;
  const { rows } = await client.query<{ application: string; business: string }>(bind(NAMES, { applicationId }));
  if (!rows[0]) return;
  const facts = { ...rows[0], url: `${env().origin}/t/${tenantId}/applications/${applicationId}/webhook` };
  const run = inClient(client);
  if (isDisabled) {
    const reason = after.stateReason === 'gone' ? ('gone' as const) : ('failing' as const);
    const cause = `${applicationId} ${after.version}`;
    await queueNotice(run, now, { tenantId, kind: 'endpoint_disabled', cause, facts: { ...facts, reason } });
  } else {
    const cause = `${applicationId} ${after.quietSince.getTime()}`;
    await queueNotice(run, now, { tenantId, kind: 'endpoint_failing', cause, facts });
  }
}

async function lockState(
  client: pg.PoolClient,
  applicationId: string,
  deliveryId: string,
): Promise<AttemptState | null> {
  const { rows } = await client.query<LockedRow>(bind(LOCK, { applicationId, deliveryId }));
  const [row] = rows;
  if (!row) return null;
  const { endpointState, deliveryState, attempts, scheduledAttempts, nextAttemptAt, ...columns } = row;
  const { manualRequestedAt, leasedUntil, finishedAt, ...endpoint } = columns;
  const schedule = { attempts, scheduledAttempts, nextAttemptAt, manualRequestedAt, leasedUntil, finishedAt };
  return {
    endpoint: { ...endpoint, state: endpointState },
    delivery: deliveryState === null ? null : { ...schedule, state: deliveryState },
  };
}
