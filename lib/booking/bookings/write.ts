import { insertLinesSql } from '@/lib/activity/request-log/insert';
import type { RequestLine } from '@/lib/activity/request-log/line';
import { seal } from '@/lib/platform/crypto';
import type { Statement, WriteTx } from '@/lib/platform/write-transaction';
import { insertDeliverySql } from '@/lib/webhooks/insert';
import type { Identity } from '../idempotency/key';
import { responsePlace } from '../idempotency/store';
import type { BookingEvent } from './event';
import type { BookingRow } from './row';

/** What is written with every change of a booking: all of it or nothing (architecture 5). */
export type Records = {
  row: BookingRow;
  event: BookingEvent;
  requestId: string | null;
  /** Of a partner's write: the line of the request log, and the answer that a replay will get. */
  answer: { identity: Identity; line: RequestLine; status: 200 | 201; data: string } | null;
};

/** The first parameter that the operation's own SQL can use. */
export const FIRST_OWN = 16;

/**
 * Returns the one statement of a change: `ctes` end in one named `booking` that returns the changed row's reference.
 * Event, delivery, request-log line and stored answer are written only if it does; so a lost race leaves nothing behind.
 */
export function changeStatement(name: string, ctes: string): Statement {
  return {
    name,
    text: `
    WITH ${ctes},
    event AS (
      INSERT INTO events (id, tenant_id, application_id, type, booking_reference, version, actor, request_id, payload, at)
      SELECT $1::text, $2::text, $3::text, $4::text, booking.reference, $5::int, $6::text, $7::text, $8::text, $9::timestamptz
      FROM booking RETURNING id),
    delivery AS (
      ${insertDeliverySql('event', '$4::text', '$9::timestamptz')} RETURNING id),
    line AS (
      ${insertLinesSql('$10')} WHERE EXISTS (SELECT FROM booking) RETURNING request_id),
    answer AS (
      UPDATE idempotency_keys SET status = $11::smallint, response = $12::bytea, booking_reference = $13::text,
        request_id = $7::text
      WHERE application_id = $14::text AND key_hash = $15::bytea AND EXISTS (SELECT FROM booking) RETURNING 1)
    SELECT reference FROM booking`,
  };
}

/** Runs a change and tells whether it was made; false means that somebody else was first. */
export async function runChange(tx: WriteTx, statement: Statement, records: Records, own: unknown[]): Promise<boolean> {
  const { row, event, requestId, answer } = records;
  const shared = [
    event.id,
    row.tenant_id,
    row.application_id,
    event.type,
    row.version,
    event.actor,
    requestId,
    event.payload,
    row.updated_at,
    JSON.stringify(answer ? [answer.line] : []),
    answer?.status ?? null,
    answer && seal(answer.data, responsePlace(answer.identity)),
    row.reference,
    answer?.identity.applicationId ?? null,
    answer?.identity.keyHash ?? null,
  ];
  const rows = await tx.query(statement, [...shared, ...own]);
  return rows.length > 0;
}
