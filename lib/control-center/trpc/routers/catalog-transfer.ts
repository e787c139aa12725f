import { z } from 'zod';
import { FORMAT, LISTS } from '@/lib/booking/catalog/transfer/document';
import { exportCatalog } from '@/lib/booking/catalog/transfer/export';
import { applyImport, checkImport, type Plan } from '@/lib/booking/catalog/transfer/import';
import { unpack } from '@/lib/booking/catalog/transfer/json';
import { ACTIONS } from '@/lib/booking/catalog/transfer/plan';
import { everyMemberProcedure, ownerProcedure, router } from '../init';
import { count } from '../inputs';
import { locationShape, outsideShape, serviceShape, specialistShape } from './catalog-shapes';

/**
 * Maximum number of issues, and maximum number of plan lines, in a response. The counts in the response also include
 * the omitted issues and lines.
 */
const MAX_LISTED = 500;

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

/**
 * A document as text, or packed: compressed with gzip and encoded as base64. The body of a request is limited to 4 MiB,
 * so a large document must be packed. `readJson` and `unpack` enforce the limit of the document itself.
 */
const document = { text: z.string().optional(), packed: z.base64('must be base64').optional() };
const textOf = async ({ text, packed }: { text?: string | undefined; packed?: string | undefined }) =>
  packed === undefined ? (text ?? '') : await unpack(packed);

const shortened = (full: Plan): Plan => ({ ...full, lines: full.lines.slice(0, MAX_LISTED) });

/** Import and export of the whole catalog as JSON. */
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

  // The check changes nothing. It is a mutation because a catalog is too long for a URL.
  check: ownerProcedure
    .input(z.strictObject(document))
    .output(check)
    .mutation(async ({ ctx: { by, now }, input }) => {
      const { issues, plan: full } = await checkImport(now, by, await textOf(input));
      return { issues: issues.slice(0, MAX_LISTED), issue_count: issues.length, plan: full && shortened(full) };
    }),

  import: ownerProcedure
    .input(z.strictObject({ ...document, basis: z.string().max(100) }))
    .output(plan)
    .mutation(async ({ ctx: { by, now }, input }) =>
      shortened(await applyImport(now, by, await textOf(input), input.basis)),
    ),
});
