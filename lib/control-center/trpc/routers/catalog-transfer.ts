import { z } from 'zod';
import { FORMAT, LISTS } from '@/lib/booking/catalog/transfer/document';
import { exportCatalog } from '@/lib/booking/catalog/transfer/export';
import { ACTIONS } from '@/lib/booking/catalog/transfer/plan';
import { importDocument } from '@/lib/booking/catalog/transfer/thread';
import { boundedText } from '@/lib/contract/bounded-text';
import { AppError } from '@/lib/contract/errors/app-error';
import { everyMemberProcedure, ownerProcedure, router, translateIssues } from '../init';
import { count } from '../inputs';
import { locationShape, outsideShape, serviceShape, specialistShape } from './catalog-shapes';
import { document, textOf } from './document-input';

const id = z.string();
const counts = z.strictObject({ created: count, updated: count, unpublished: count, unchanged: count });

const plan = z.strictObject({
  basis: z.string(),
  counts: z.strictObject({ locations: counts, services: counts, specialists: counts }),
  lines: z.array(
    z.strictObject({
      list: z.enum(LISTS.map(([list]) => list)),
      action: z.enum(ACTIONS),
      id: z.string(),
      name: z.string(),
      fields: z.array(z.string()),
      absent: z.boolean(),
    }),
  ),
  outside: outsideShape,
});

const check = z.strictObject({
  issues: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  issue_count: count,
  plan: plan.nullable(),
});

export const transferRouter = router({
  export: everyMemberProcedure
    .output(
      z.strictObject({
        format: z.literal(FORMAT),
        locations: z.array(z.strictObject({ id, ...locationShape.shape })),
        services: z.array(z.strictObject({ id, ...serviceShape.shape })),
        specialists: z.array(z.strictObject({ id, ...specialistShape.shape })),
      }),
    )
    .query(({ ctx: { member } }) => exportCatalog(member.tenantId)),

  // This procedure changes nothing. It is a mutation, because a catalog is too long for a URL.
  check: ownerProcedure
    .input(z.strictObject(document))
    .output(check)
    .mutation(async ({ ctx, input }) => {
      const { by, now, requestId } = ctx;
      const checked = await importDocument({ now, by, requestId, text: await textOf(input), basis: null });
      return { ...checked, issues: translateIssues(ctx, checked.issues) };
    }),

  import: ownerProcedure
    .input(z.strictObject({ ...document, basis: boundedText(100) }))
    .output(plan)
    .mutation(async ({ ctx: { by, now, requestId }, input }) => {
      const text = await textOf(input);
      const { plan: applied } = await importDocument({ now, by, requestId, text, basis: input.basis });
      // `applied` is never null here. Only a check can return null, and an import of an invalid document has already
      // thrown an error.
      if (!applied) throw new AppError('service_unavailable');
      return applied;
    }),
});
