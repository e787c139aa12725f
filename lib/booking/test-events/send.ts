import { INSERT_LOG_ENTRIES } from '@/lib/activity/request-log/insert';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { seal } from '@/lib/platform/crypto';
import { param, statement } from '@/lib/platform/sql';
import type { Budget, WriteTx } from '@/lib/platform/write-transaction';
import { testEvent } from '@/lib/webhooks/test-event';
import type { Identity } from '../idempotency/key';
import { type Outcome, writeOnce } from '../idempotency/once';
import { responseContext, type StoredSuccess } from '../idempotency/store';

/** To an endpoint (contract B14). */
const MAX_WAITING = 10;
/** Seconds of an attempt (contract B11), and the Retry-After if too many test events wait. */
const ATTEMPT = 15;
const TOO_MANY = `Your endpoint already has ${MAX_WAITING} test events that are waiting to be sent. Wait the number of seconds in Retry-After, then send the request again.`;

export type TestEventWrite = {
  tenantId: string;
  applicationId: string;
  requestId: string;
  identity: Identity;
  now: Date;
  budget: Budget;
  /** Stored in the same transaction as the event. */
  logEntry: LogEntry;
};

const LOCK_ENDPOINT = statement<{ state: string }>('test-event-lock')`
  SELECT state FROM webhook_endpoints WHERE application_id = ${param.text('applicationId')} FOR UPDATE`;

const COUNT_WAITING = statement<{ waiting: number }>('test-event-waiting')`
  SELECT count(*)::int AS waiting FROM deliveries
  WHERE application_id = ${param.text('applicationId')} AND test AND due_at IS NOT NULL`;

const SEND = statement<never>('test-event-send')`
  WITH event AS (
    INSERT INTO events (id, tenant_id, application_id, type, actor, request_id, payload, at)
    VALUES (${param.text('eventId')}, ${param.text('tenantId')}, ${param.text('applicationId')}, 'webhook.test',
      'partner', ${param.text('requestId')}, ${param.text('payload')}, ${param.timestamptz('now')}) RETURNING id),
  delivery AS (
    INSERT INTO deliveries (id, tenant_id, application_id, event_id, test, next_attempt_at, created_at)
    SELECT ${param.text('deliveryId')}, ${param.text('tenantId')}, ${param.text('applicationId')}, event.id, true,
      ${param.timestamptz('now')}, ${param.timestamptz('now')} FROM event RETURNING id),
  log_entry AS (
    ${INSERT_LOG_ENTRIES} RETURNING request_id)
  UPDATE idempotency_keys SET status = 202, response = ${param.bytea('response')},
    request_id = ${param.text('requestId')}
  WHERE application_id = ${param.text('applicationId')} AND key_hash = ${param.bytea('keyHash')}`;

/**
 * Sends a test event to the calling application's endpoint (contract B14), or replays that (contract B8).
 * @throws AppError endpoint_unavailable with its reason; rate_limited if too many test events wait.
 */
export async function sendOwnTestEvent(write: TestEventWrite): Promise<Outcome> {
  return writeOnce({ ...write, at: write.now }, { read: async () => null, change: (tx) => send(tx, write) });
}

async function send(tx: WriteTx, write: TestEventWrite): Promise<StoredSuccess> {
  const { tenantId, applicationId, requestId, identity, now } = write;
  await requireRoom(tx, applicationId, 1);
  const { eventId, deliveryId, payload, shown } = testEvent(now);
  const data = JSON.stringify({ event: shown });
  await tx.query(SEND, {
    ...{ eventId, deliveryId, payload, tenantId, applicationId, requestId, now },
    logEntries: JSON.stringify([write.logEntry]),
    response: seal(data, responseContext(identity)),
    keyHash: identity.keyHash,
  });
  return { status: 202, data, originalRequestId: requestId, bookingReference: null };
}

/**
 * Locks the application's endpoint for `more` test events.
 * @throws AppError like `sendOwnTestEvent`.
 */
export async function requireRoom(tx: WriteTx, applicationId: string, more: number): Promise<void> {
  const [endpoint] = await tx.query(LOCK_ENDPOINT, { applicationId });
  if (endpoint?.state !== 'active') throw new AppError('endpoint_unavailable', { reason: reasonOf(endpoint?.state) });
  const [counted] = await tx.query(COUNT_WAITING, { applicationId });
  if ((counted?.waiting ?? 0) + more > MAX_WAITING)
    throw new AppError('rate_limited', { message: TOO_MANY, retryAfter: ATTEMPT });
}

function reasonOf(state: string | undefined): ReasonOf<'endpoint_unavailable'> {
  if (state === undefined) return 'no_endpoint';
  return state === 'disabled' ? 'endpoint_disabled' : 'endpoint_paused';
}
