import { randomInt } from 'node:crypto';
import { INSERT_LOG_ENTRIES } from '@/lib/activity/request-log/insert';
import { seal } from '@/lib/platform/crypto';
import { param, statement } from '@/lib/platform/sql';
import type { WriteTx } from '@/lib/platform/write-transaction';
import { testEvent } from '@/lib/webhooks/test-event';
import { type Outcome, writeOnce } from '../idempotency/once';
import { responseContext, type StoredSuccess } from '../idempotency/store';
import { requireRoom, type TestEventWrite } from '../test-events/send';
import { STORE_RECORD } from './records';
import type { Check } from './score';

const SEND = statement<never>('readiness-check')`
  WITH event AS (
    INSERT INTO events (id, tenant_id, application_id, type, actor, request_id, payload, at)
    SELECT given.id, ${param.text('tenantId')}, ${param.text('applicationId')}, 'webhook.test', 'partner',
      ${param.text('requestId')}, given.payload, ${param.timestamptz('at')}
    FROM unnest(${param.texts('eventIds')}, ${param.texts('payloads')}) AS given(id, payload) RETURNING id),
  delivery AS (
    INSERT INTO deliveries (id, tenant_id, application_id, event_id, test, forged, next_attempt_at, created_at)
    SELECT 'dlv_' || substr(id, 5), ${param.text('tenantId')}, ${param.text('applicationId')}, id, true,
      id = ${param.text('forgedId')}, ${param.timestamptz('at')}, ${param.timestamptz('at')} FROM event RETURNING id),
  record AS (${STORE_RECORD} RETURNING r.kind),
  log_entry AS (
    ${INSERT_LOG_ENTRIES} RETURNING request_id)
  UPDATE idempotency_keys SET status = 202, response = ${param.bytea('response')},
    request_id = ${param.text('requestId')}
  WHERE application_id = ${param.text('applicationId')} AND key_hash = ${param.bytea('keyHash')}`;

/**
 * Sends two test events to the calling application's endpoint, one with a wrong signature (contract B21), or replays
 * that (contract B8). Only in TEST.
 * @throws AppError like `sendOwnTestEvent`.
 */
export async function checkSignature(write: TestEventWrite): Promise<Outcome> {
  return writeOnce({ ...write, at: write.now }, { read: async () => null, change: (tx) => send(tx, write) });
}

async function send(tx: WriteTx, write: TestEventWrite): Promise<StoredSuccess> {
  const { tenantId, applicationId, requestId, identity, now: at } = write;
  await requireRoom(tx, applicationId, 2);
  const events = [testEvent(at), testEvent(at)];
  const ids = events.map(({ eventId }) => eventId);
  // The receiver cannot tell the events apart but by their signatures.
  const forged = randomInt(2);
  const [genuineId = '', forgedId = ''] = forged === 1 ? ids : ids.toReversed();
  const check: Check = {
    request_id: requestId,
    ...{ genuine_id: genuineId, forged_id: forgedId },
    ...{ genuine: null, forged: null },
  };
  const data = JSON.stringify({ events: events.map(({ shown }) => shown) });
  await tx.query(SEND, {
    ...{ tenantId, applicationId, requestId, at, eventIds: ids, forgedId },
    payloads: events.map(({ payload }) => payload),
    ...{ kind: 'signature', value: JSON.stringify(check) },
    logEntries: JSON.stringify([write.logEntry]),
    response: seal(data, responseContext(identity)),
    keyHash: identity.keyHash,
  });
  return { status: 202, data, originalRequestId: requestId, bookingReference: null };
}
