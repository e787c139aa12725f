import { z } from 'zod';
import { COMPLETE_AFTER, readCompleteAfter, setCompleteAfter } from '@/lib/booking/bookings/auto-complete';
import { changeVisits, MAX_CHANGED, VISIT_ACTIONS, visitsToComplete } from '@/lib/booking/bookings/visits';
import { recordId, storedDate } from '@/lib/contract/common';
import { deskProcedure, ownerProcedure, router } from '../init';
import { summary } from './bookings-shapes';

const HOURS = `must be a whole number from ${COMPLETE_AFTER.min} to ${COMPLETE_AFTER.max}`;

const automatic = z.strictObject({
  /** After the end of the visit. Null for never. */
  hours: z.int(HOURS).min(COMPLETE_AFTER.min, HOURS).max(COMPLETE_AFTER.max, HOURS).nullable(),
});

const seen = z.strictObject({ reference: recordId, expected_version: z.int().min(1).max(2_147_483_647) });

// As in `bookings.ts`.
const editing = deskProcedure.meta({ byLocation: true });

/** The confirmed bookings that have ended, and when they are completed. */
export const visitsRouter = router({
  /** Without a date, those of yesterday in the time zone of the business. */
  list: editing
    .input(z.strictObject({ date: storedDate.nullable(), location_id: recordId.nullable().default(null) }))
    .output(
      z.strictObject({
        date: z.string(),
        bookings: z.array(summary),
        truncated: z.boolean(),
      }),
    )
    .query(({ ctx: { member, now }, input: { date, location_id: locationId } }) =>
      visitsToComplete(now, member.tenantId, { date, locationId }),
    ),

  change: editing
    .input(
      z.strictObject({
        action: z.enum(VISIT_ACTIONS),
        bookings: z.array(seen).min(1).max(MAX_CHANGED, `must contain at most ${MAX_CHANGED} entries`),
      }),
    )
    .output(
      z.strictObject({
        changed: z.array(z.strictObject({ reference: z.string(), version: z.int() })),
        refused: z.array(z.string()),
      }),
    )
    .mutation(({ ctx: { by, now }, input: { action, bookings } }) => {
      const wanted = bookings.map(({ reference, expected_version: version }) => ({ reference, version }));
      return changeVisits(now, { ...by, action, bookings: wanted });
    }),

  automatic: ownerProcedure
    .output(automatic)
    .query(async ({ ctx: { member } }) => ({ hours: await readCompleteAfter(member.tenantId) })),

  set_automatic: ownerProcedure
    .input(automatic)
    .output(automatic)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await setCompleteAfter(now, by, input.hours);
      return input;
    }),
});
