import { z } from 'zod';
import { REFUSAL_CODES } from '@/lib/activity/audit/refused-calls';
import { reversible, undoChanges } from '@/lib/booking/undo';
import { recordId } from '@/lib/contract/common';
import { auditChoices, listAudit } from '../../audit/list';
import { listRefusedCalls } from '../../audit/refused-calls';
import { listSignIns } from '../../audit/sign-ins';
import { AUDIT_FIELDS, REFUSED_FIELDS, SIGN_IN_FIELDS } from '../../filters/fields';
import { inputsOf, pageFields } from '../../filters/inputs';
import { ownerProcedure, router } from '../init';
import { count, inputTime, outputTime } from '../inputs';
import { confirmedInput, unconfirmedShape } from './catalog-shapes';

/** Maximum number of entries of one change, because one change can include all records of a kind. */
const MAX_ENTRIES = 1_000;

const state = z.record(z.string(), z.unknown()).nullable();

const line = z.strictObject({
  id: z.string(),
  at: outputTime,
  action: z.string(),
  actor_kind: z.string(),
  actor_id: z.string().nullable(),
  actor_name: z.string().nullable(),
  object_kind: z.string(),
  object_id: z.string(),
  object_name: z.string().nullable(),
  object_application_id: z.string().nullable(),
  before: state,
  after: state,
  /** Whether `undo` can undo the change at the moment. */
  reversible: z.boolean(),
});

const signIn = z.strictObject({
  id: z.string(),
  at: outputTime,
  user_id: z.string(),
  user_name: z.string(),
  outcome: z.enum(['signed_in', 'wrong_password', 'wrong_second_factor', 'wrong_identity']),
  method: z.enum(['password', 'provider', 'totp', 'passkey', 'recovery_code']),
  network: z.string().nullable(),
  attempts: z.number(),
});

const refusedCall = z.strictObject({
  id: z.string(),
  at: outputTime,
  user_id: z.string(),
  user_name: z.string(),
  procedure: z.string().nullable(),
  code: z.enum(REFUSAL_CODES),
  calls: z.number(),
});

export const auditFilterFields = {
  ...inputsOf(AUDIT_FIELDS),
  from: inputTime.nullable().default(null),
  /** The end of the period, exclusive. */
  to: inputTime.nullable().default(null),
};

/** For owners. */
export const auditRouter = router({
  list: ownerProcedure
    .input(z.strictObject({ ...auditFilterFields, ...pageFields }))
    .output(z.strictObject({ lines: z.array(line), previous: z.string().nullable(), next: z.string().nullable() }))
    .query(async ({ ctx: { member, now }, input: { cursor, back, ...filter } }) => {
      const page = await listAudit({ ...filter, tenantId: member.tenantId }, { cursor, back });
      const ids = await reversible(now, member.tenantId, page.lines);
      return { ...page, lines: page.lines.map((one) => ({ ...one, reversible: ids.has(one.id) })) };
    }),

  /** Undoes a change. All changes that can be undone are those of owners, like this one. */
  undo: ownerProcedure
    .input(
      z.strictObject({
        entry_ids: z.array(recordId).min(1).max(MAX_ENTRIES, 'must contain at most 1,000 entries'),
        confirmed: confirmedInput,
      }),
    )
    .output(z.union([z.strictObject({ changed: count }), unconfirmedShape]))
    .mutation(({ ctx: { by, now }, input: { entry_ids, confirmed } }) =>
      undoChanges(now, { ...by, confirmed }, entry_ids),
    ),

  sign_ins: ownerProcedure
    .input(z.strictObject({ ...inputsOf(SIGN_IN_FIELDS), ...pageFields }))
    .output(z.strictObject({ lines: z.array(signIn), previous: z.string().nullable(), next: z.string().nullable() }))
    .query(({ ctx: { member }, input: { cursor, back, ...filter } }) =>
      listSignIns({ tenantId: member.tenantId, ...filter }, { cursor, back }),
    ),

  refused_calls: ownerProcedure
    .input(z.strictObject({ ...inputsOf(REFUSED_FIELDS), ...pageFields }))
    .output(
      z.strictObject({ lines: z.array(refusedCall), previous: z.string().nullable(), next: z.string().nullable() }),
    )
    .query(({ ctx: { member }, input: { cursor, back, ...filter } }) =>
      listRefusedCalls({ tenantId: member.tenantId, ...filter }, { cursor, back }),
    ),

  choices: ownerProcedure
    .output(
      z.strictObject({
        people: z.array(z.strictObject({ id: z.string(), name: z.string() })),
        actions: z.array(z.string()),
        kinds: z.array(z.string()),
      }),
    )
    .query(({ ctx: { member } }) => auditChoices(member.tenantId)),
});
