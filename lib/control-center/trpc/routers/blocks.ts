import { z } from 'zod';
import { createBlock, deleteBlock, updateBlock } from '@/lib/booking/blocks/change';
import { listBlocks } from '@/lib/booking/blocks/list';
import { blockSchema } from '@/lib/booking/blocks/schema';
import { recordId } from '@/lib/contract/common';
import { everyMemberProcedure, ownerProcedure, router } from '../init';
import { nothing } from '../inputs';
import { confirmedInput, unconfirmedShape } from './catalog-shapes';

/** A block as pages show it. */
export const blockShape = z.strictObject({
  id: z.string(),
  version: z.int(),
  specialist_id: z.string().nullable(),
  location_id: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  repeat: z.strictObject({ every_weeks: z.int(), weekdays: z.array(z.int()).readonly(), until: z.string() }).nullable(),
  /** Null for support. */
  reason: z.string().nullable(),
  source: z.string(),
});

/** The specialist or the location whose time is blocked. Both are null for the whole business. */
const subject = z
  .strictObject({ specialist_id: recordId.nullable(), location_id: recordId.nullable() })
  .refine(({ specialist_id, location_id }) => specialist_id === null || location_id === null, {
    message: 'must be null if a specialist is given',
    path: ['location_id'],
  });

const seen = { id: recordId, expected_version: z.int().min(1).max(2_147_483_647) };
const saved = z.union([z.strictObject({ id: z.string(), version: z.int() }), unconfirmedShape]);

/** Blocks of time. All members read them. Like hours, only owners change them. */
export const blocksRouter = router({
  list: everyMemberProcedure
    .input(subject)
    .output(z.strictObject({ blocks: z.array(blockShape), truncated: z.boolean() }))
    .query(({ ctx: { member, now }, input: { specialist_id, location_id } }) =>
      listBlocks(now, {
        tenantId: member.tenantId,
        specialistId: specialist_id,
        locationId: location_id,
        reasons: member.role !== 'SUPPORT',
      }),
    ),

  create: ownerProcedure
    .input(z.strictObject({ subject, block: blockSchema, confirmed: confirmedInput }))
    .output(saved)
    .mutation(({ ctx: { by, now }, input: { subject: of, block, confirmed } }) => {
      const ids = { specialistId: of.specialist_id, locationId: of.location_id };
      return createBlock(now, { ...by, confirmed }, ids, block);
    }),

  update: ownerProcedure
    .input(z.strictObject({ ...seen, block: blockSchema, confirmed: confirmedInput }))
    .output(saved)
    .mutation(({ ctx: { by, now }, input: { id, expected_version, block, confirmed } }) =>
      updateBlock(now, { ...by, id, expectedVersion: expected_version, confirmed }, block),
    ),

  delete: ownerProcedure
    .input(z.strictObject(seen))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input: { id, expected_version } }) =>
      deleteBlock(now, { ...by, id, expectedVersion: expected_version }),
    ),
});
