import { z } from 'zod';
import { checkBookings, importBookings } from '@/lib/booking/bookings/import/import';
import { BREAKABLE_RULES } from '@/lib/booking/bookings/owner-create';
import { boundedText } from '@/lib/contract/bounded-text';
import { ownerProcedure, router, translateIssues } from '../init';
import { count } from '../inputs';
import { document, textOf } from './document-input';

const check = z.strictObject({
  basis: z.string(),
  issues: z.array(z.strictObject({ row: z.int().nullable(), field: z.string().nullable(), message: z.string() })),
  issue_count: count,
  warnings: z.array(z.strictObject({ row: z.int(), rules: z.array(z.enum(BREAKABLE_RULES)) })),
  warning_count: count,
  created: count,
  known: count,
});

/** The import of the bookings that a business brings along. */
export const bookingsTransferRouter = router({
  // This procedure changes nothing. It is a mutation, because a document is too long for a URL and contains contacts.
  check: ownerProcedure
    .input(z.strictObject(document))
    .output(check)
    .mutation(async ({ ctx, input }) => {
      const checked = await checkBookings(ctx.now, ctx.by, await textOf(input));
      return { ...checked, issues: translateIssues(ctx, checked.issues) };
    }),

  import: ownerProcedure
    .input(z.strictObject({ ...document, basis: boundedText(100) }))
    .output(z.strictObject({ created: count }))
    .mutation(async ({ ctx: { by, now }, input }) => importBookings(now, by, await textOf(input), input.basis)),
});
