import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { AppError } from '@/lib/contract/errors/app-error';
import type { ReasonOf } from '@/lib/contract/errors/reasons';
import { param, statement } from '@/lib/platform/sql';
import type { Budget, WriteTx } from '@/lib/platform/write-transaction';
import { testEvent } from '@/lib/webhooks/test-event';
import { type Identity, type Outcome, type StoredSuccess, storeSuccess, writeOnce } from '../idempotency/once';

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

const SEND = statement<never>('test-events-send')`
  WITH event AS (
    INSERT INTO events (id, tenant_id, application_id, type, actor, request_id, payload, at)
    SELECT given.id, ${param.text('tenantId')}, ${param.text('applicationId')}, 'webhook.test', 'partner',
      ${param.text('requestId')}, given.payload, ${param.timestamptz('now')}
    FROM unnest(${param.texts('eventIds')}, ${param.texts('payloads')}) AS given(id, payload) RETURNING id)
  INSERT INTO deliveries (id, tenant_id, application_id, event_id, test, forged, next_attempt_at, created_at)
  SELECT 'dlv_' || substr(id, 5), ${param.text('tenantId')}, ${param.text('applicationId')}, id, true,
    id = ${param.text('forgedId')}, ${param.timestamptz('now')}, ${param.timestamptz('now')} FROM event`;

/**
 * Sends a test event to the calling application's endpoint (contract B14), or replays that (contract B8).
 * @throws AppError endpoint_unavailable with its reason; rate_limited if too many test events wait.
 */
export async function sendOwnTestEvent(write: TestEventWrite): Promise<Outcome> {
  const event = testEvent(write.now);
  const sent = { events: [event], answer: { event: event.shown } };
  const change = (tx: WriteTx) => sendTestEvents(tx, write, sent);
  return writeOnce({ ...write, at: write.now }, { read: async () => null, change });
}

type Sent = {
  events: readonly ReturnType<typeof testEvent>[];
  /** The id of the event that gets a wrong signature (contract B21). */
  forgedId?: string;
  answer: object;
};

/** Writes test events, and stores the response. @throws AppError like `sendOwnTestEvent`. */
export async function sendTestEvents(
  tx: WriteTx,
  write: TestEventWrite,
  { events, forgedId = '', answer }: Sent,
): Promise<StoredSuccess> {
  const { tenantId, applicationId, requestId, identity, now, logEntry } = write;
  await requireRoom(tx, applicationId, events.length);
  await tx.query(SEND, {
    ...{ tenantId, applicationId, requestId, now, forgedId },
    eventIds: events.map(({ eventId }) => eventId),
    payloads: events.map(({ payload }) => payload),
  });
  return storeSuccess(tx, { status: 202, identity, requestId, logEntry, data: JSON.stringify(answer) });
}

/** @throws AppError like `sendOwnTestEvent` */
async function requireRoom(tx: WriteTx, applicationId: string, more: number): Promise<void> {
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
