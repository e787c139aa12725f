import { z } from 'zod';
import type { Member } from '@/lib/access/owners/session';
import { recordId } from '@/lib/contract/common';
import { AppError } from '@/lib/contract/errors/app-error';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { VIEW_PAGES, VIEW_QUERIES, type ViewPage } from '../../views/query';
import { createView, deleteView, listViews, renameView } from '../../views/views';
import { everyMemberProcedure, router } from '../init';

const name = displayNameSchema(60);
const id = recordId.max(100);

/** @throws AppError forbidden if the member's role cannot open the page. */
function ensureMayOpen({ role }: Member, page: ViewPage): void {
  if (page === 'requests' && role === 'FRONT_DESK') throw new AppError('forbidden');
}

// A view contains only filters, which limit nothing.
const own = everyMemberProcedure.meta({ byLocation: true });

/** The member's saved views, which no other member can read or change. */
export const viewsRouter = router({
  list: own
    .input(z.strictObject({ page: z.enum(VIEW_PAGES) }))
    .output(z.array(z.strictObject({ id: z.string(), name: z.string(), query: z.record(z.string(), z.string()) })))
    .query(({ ctx: { member }, input: { page } }) => {
      ensureMayOpen(member, page);
      return listViews(member, page);
    }),

  create: own
    .input(
      // Unknown parameters in `query` are dropped, not refused.
      z.discriminatedUnion('page', [
        z.strictObject({ page: z.literal('requests'), name, query: VIEW_QUERIES.requests }),
        z.strictObject({ page: z.literal('bookings'), name, query: VIEW_QUERIES.bookings }),
      ]),
    )
    .output(z.strictObject({ id: z.string() }))
    .mutation(async ({ ctx: { member, now }, input }) => {
      ensureMayOpen(member, input.page);
      return { id: await createView(now, member, input) };
    }),

  rename: own
    .input(z.strictObject({ id, name }))
    .mutation(({ ctx: { member }, input }) => renameView(member, input.id, input.name)),

  delete: own.input(z.strictObject({ id })).mutation(({ ctx: { member }, input }) => deleteView(member, input.id)),
});
