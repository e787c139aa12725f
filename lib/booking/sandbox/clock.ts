import type { z } from 'zod';
import type { Policy } from '@/lib/access/applications/policy';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { CLOCK_END, type clockBody, type clockData, MAX_CLOCK_OFFSET } from '@/lib/contract/sandbox';
import { MARK_CHANGED } from '@/lib/platform/cache';
import { env } from '@/lib/platform/env';
import { param, sql, statement } from '@/lib/platform/sql';
import { type Budget, beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { type Identity, type Outcome, storeSuccess, writeOnce } from '../idempotency/once';

/** Of deliveries whose next attempt one call moves. */
const MAX_MOVED = 10_000;

// Of two calls at the same time, the second one waits here, and adds to the first one.
const LOCK = statement<{ offset: number }>('sandbox-clock-lock')`
  SELECT clock_offset_seconds AS "offset" FROM applications
  WHERE id = ${param.text('applicationId')} AND tenant_id = ${param.text('tenantId')} FOR NO KEY UPDATE`;

const SET = statement<never>('sandbox-clock-set')`
  UPDATE applications SET clock_offset_seconds = ${param.int('offset')}
  WHERE id = ${param.text('applicationId')} AND tenant_id = ${param.text('tenantId')}`;

// Before the deliveries, in the order of every change of an endpoint.
const LOCK_ENDPOINT = statement<never>('sandbox-clock-endpoint')`
  SELECT FROM webhook_endpoints WHERE application_id = ${param.text('applicationId')}
    AND tenant_id = ${param.text('tenantId')} FOR UPDATE`;

const WAITING = sql`tenant_id = ${param.text('tenantId')} AND application_id = ${param.text('applicationId')} AND NOT test
  AND due_at > ${param.timestamptz('at')}`;

// Attempts follow real time, so the time by which the clock advances is taken from the time that they still wait. The rows are
// a range of the index: a join with the rows to move would be quadratic, because the statistics can say that there are none.
const MOVE_DELIVERIES = statement<never>('sandbox-clock-deliveries')`
  UPDATE deliveries SET next_attempt_at = GREATEST(next_attempt_at - make_interval(secs => ${param.int('seconds')}),
    ${param.timestamptz('at')})
  WHERE ${WAITING} AND (due_at, id) <= (SELECT due_at, id FROM (
    SELECT due_at, id FROM deliveries WHERE ${WAITING} ORDER BY due_at, id LIMIT ${MAX_MOVED}) AS first
    ORDER BY due_at DESC, id DESC LIMIT 1)`;

type Target = { tenantId: string; applicationId: string; actor: Actor };

/** Also moves the attempts that wait. Each change is in the audit log. */
async function setOffset(tx: WriteTx, at: Date, { actor, ...ids }: Target, before: number, offset: number) {
  if (offset === before) return;
  await tx.query(SET, { ...ids, offset });
  if (offset > before) {
    await tx.query(LOCK_ENDPOINT, ids);
    await tx.query(MOVE_DELIVERIES, { ...ids, at, seconds: offset - before });
  }
  const object = { kind: 'application', id: ids.applicationId };
  const values = { before: { clock_offset_seconds: before }, after: { clock_offset_seconds: offset } };
  await recordInWrite(tx, at, {
    ...{ tenantId: ids.tenantId, actor, action: 'application.clock_changed', object },
    ...values,
  });
  await tx.query(MARK_CHANGED, { topic: 'policy', id: ids.applicationId });
}

/** `at` is real time. */
type ClockWrite = {
  policy: Policy;
  requestId: string;
  identity: Identity;
  at: Date;
  budget: Budget;
  /** Stored in the same transaction as the change. */
  logEntry: LogEntry;
};

/**
 * Advances the clock of the calling application, or sets it back to real time (contract B20), or replays that (contract
 * B8).
 * @throws AppError invalid_request with the field.
 */
export async function setClock(write: ClockWrite, body: z.output<typeof clockBody>): Promise<Outcome> {
  const { policy, at, identity, requestId, logEntry } = write;
  const { tenantId, applicationId } = policy;
  const target: Target = { tenantId, applicationId, actor: { kind: 'application', id: applicationId } };
  return writeOnce(
    { ...write, tenantId },
    {
      read: async () => null,
      change: async (tx) => {
        const [row] = await tx.query(LOCK, { tenantId, applicationId });
        if (!row) throw notFound();
        const offset = offsetOf(body, row.offset, at);
        await setOffset(tx, at, target, row.offset, offset);
        const now = new Date(at.getTime() + offset * 1_000);
        const clock = { now: now.toISOString(), real_time: at.toISOString(), offset_seconds: offset };
        const data = JSON.stringify({ clock } satisfies z.output<typeof clockData>);
        return storeSuccess(tx, { identity, requestId, logEntry, data });
      },
    },
  );
}

/** Returns the new offset in seconds. @throws AppError invalid_request with the field. */
function offsetOf(body: z.output<typeof clockBody>, before: number, at: Date): number {
  if (body.real_time) return 0;
  const [field, offset] =
    body.to === undefined
      ? (['advance_seconds', before + (body.advance_seconds ?? 0)] as const)
      : (['to', Math.ceil((Date.parse(body.to) - at.getTime()) / 1_000)] as const);
  if (offset < before) throw invalidField(field, 'must not be before the current time of your clock');
  if (offset > MAX_CLOCK_OFFSET) throw invalidField(field, 'must keep the clock within 365 days of real time');
  if (at.getTime() + offset * 1_000 >= CLOCK_END) throw invalidField(field, 'must keep the clock before the year 2100');
  return offset;
}

/** Sets the clock of an application back to real time, for the owner. @throws AppError not_found, also in LIVE. */
export async function resetClock(now: Date, target: Target): Promise<void> {
  if (env().ENVIRONMENT !== 'TEST') throw notFound();
  const { tenantId, applicationId } = target;
  await writeTransaction(beginBudget(), tenantId, async (tx) => {
    const [row] = await tx.query(LOCK, { tenantId, applicationId });
    if (!row) throw notFound();
    await setOffset(tx, now, target, row.offset, 0);
  });
}
