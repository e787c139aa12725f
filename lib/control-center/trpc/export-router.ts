import { z } from 'zod';
import { AUDIT_COLUMNS, auditPages } from '../exports/audit';
import { REQUEST_COLUMNS, requestPages } from '../exports/requests';
import { exportCsv } from '../exports/stream';
import { createCallerFactory, memberProcedure, ownerProcedure, router } from './init';
import { auditFilterFields, auditFilterOf } from './routers/audit';
import { requestFilterFields, requestFilterOf } from './routers/requests';

/**
 * The exports. Each export requires the same role as the procedure that lists the same rows. Exports return CSV
 * streams, which tRPC cannot send, so they are not part of `appRouter`.
 */
const exportRouter = router({
  requests: memberProcedure
    .meta({ reads: true })
    .input(z.strictObject({ ...requestFilterFields, order: z.enum(['newest', 'oldest']).default('newest') }))
    .mutation(({ ctx: { member, now, by }, input: { order, ...input } }) => {
      const filter = requestFilterOf(member.tenantId, now, input);
      const filters = { ...givenOf(input), ...givenOf(filter.period) };
      const rows = { pages: requestPages(filter, order), columns: REQUEST_COLUMNS };
      return exportCsv(now, { ...by, list: 'requests', filters }, rows);
    }),

  audit: ownerProcedure
    .meta({ reads: true })
    .input(z.strictObject(auditFilterFields))
    .mutation(({ ctx: { member, now, by }, input }) => {
      const rows = { pages: auditPages(auditFilterOf(member.tenantId, input)), columns: AUDIT_COLUMNS };
      return exportCsv(now, { ...by, list: 'audit', filters: givenOf(input) }, rows);
    }),
});

/** Returns the filters that are set, in the form in which the audit log stores them. */
function givenOf(filters: Record<string, unknown>): Record<string, string | number> {
  const texts = Object.entries(filters).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string' || typeof value === 'number'));
}

/** Creates a function that runs an export as a member. */
export const createExporter = createCallerFactory(exportRouter);
