import { z } from 'zod';
import { createFeed, listFeeds, replaceFeed, revokeFeed } from '@/lib/booking/calendar-feeds/feeds';
import { recordId } from '@/lib/contract/common';
import { ownerProcedure, router, sensitiveProcedure } from '../init';
import { outputTime } from '../inputs';

const subject = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('business') }),
  z.strictObject({ kind: z.enum(['specialist', 'location']), id: recordId }),
]);

const feedId = z.strictObject({ feed_id: recordId });

/** `url` is the secret URL, which no other response contains. */
const issued = z.strictObject({ id: z.string(), url: z.string() });

/** The calendar feeds of a business. Whoever has the URL of a feed reads bookings, so only owners list and change feeds. */
export const calendarFeedsRouter = router({
  list: ownerProcedure
    .output(
      z.array(
        z.strictObject({
          id: z.string(),
          subject,
          name: z.string(),
          issued_at: outputTime,
          last_read_at: outputTime.nullable(),
        }),
      ),
    )
    .query(({ ctx: { member } }) => listFeeds(member.tenantId)),

  create: sensitiveProcedure
    .input(z.strictObject({ subject }))
    .output(issued)
    .mutation(({ ctx: { by, now }, input }) => createFeed(now, by, input.subject)),

  replace: sensitiveProcedure
    .input(feedId)
    .output(issued)
    .mutation(({ ctx: { by, now }, input }) => replaceFeed(now, by, input.feed_id)),

  revoke: ownerProcedure
    .input(feedId)
    .output(feedId)
    .mutation(async ({ ctx: { by, now }, input }) => {
      await revokeFeed(now, by, input.feed_id);
      return input;
    }),
});
