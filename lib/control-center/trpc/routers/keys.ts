import { z } from 'zod';
import { KEY_STATUSES, listKeys } from '@/lib/access/applications/key-list';
import { type IssuedKey, issueKey, OVERLAPS, type Overlap, revokeKey, rotateKey } from '@/lib/access/applications/keys';
import { recordId } from '@/lib/contract/common';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { memberProcedure, ownerProcedure, router, sensitiveProcedure } from '../init';
import { inputTime, nothing, outputTime } from '../inputs';

const key = z.strictObject({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  last_four: z.string(),
  status: z.enum(KEY_STATUSES),
  ends_at: outputTime.nullable(),
  expires_at: outputTime.nullable(),
  revoked_at: outputTime.nullable(),
  rotated_to_id: z.string().nullable(),
  created_at: outputTime,
  created_by: z.string().nullable(),
  last_used_at: outputTime.nullable(),
  requests_24h: z.int().min(0),
});

const issued = z.strictObject({
  key_id: z.string(),
  name: z.string(),
  /** The key in plaintext, which no other response contains. */
  key: z.string(),
  expires_at: outputTime.nullable(),
});

const [first, ...others] = Object.keys(OVERLAPS) as [Overlap, ...Overlap[]];
const keyId = z.strictObject({ key_id: recordId });

const shown = ({ key: text, record }: IssuedKey) => ({
  key_id: record.id,
  name: record.name,
  key: text,
  expires_at: record.expiresAt,
});

/** The keys of an application. Owners and support list them. Only owners change them. */
export const keysRouter = router({
  list: memberProcedure
    .input(z.strictObject({ application_id: recordId }))
    .output(z.strictObject({ keys: z.array(key), more: z.int().min(0), now: outputTime }))
    .query(async ({ ctx: { member, now }, input }) => ({
      ...(await listKeys(now, member.tenantId, input.application_id)),
      now,
    })),

  issue: sensitiveProcedure
    .input(z.strictObject({ application_id: recordId, name: displayNameSchema(100), expires_at: inputTime.nullable() }))
    .output(issued)
    .mutation(async ({ ctx: { by, now }, input: { application_id: applicationId, expires_at: expiresAt, ...rest } }) =>
      shown(await issueKey(now, { ...by, applicationId, expiresAt, ...rest })),
    ),

  rotate: sensitiveProcedure
    .input(z.strictObject({ key_id: recordId, overlap: z.enum([first, ...others]) }))
    .output(issued)
    .mutation(async ({ ctx: { by, now }, input: { key_id: id, overlap } }) =>
      shown(await rotateKey(now, { ...by, keyId: id, overlap })),
    ),

  revoke: ownerProcedure
    .input(keyId)
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { key_id: id } }) => revokeKey(now, { ...by, keyId: id })),
});
