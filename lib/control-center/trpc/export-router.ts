import { z } from 'zod';
import { AUDIT_COLUMNS, auditPages, type DescribeChange } from '../exports/audit';
import { BOOKING_COLUMNS, bookingPages } from '../exports/bookings';
import { exportName, timeZoneOf } from '../exports/file-name';
import { REQUEST_COLUMNS, requestPages } from '../exports/requests';
import { STATISTICS_COLUMNS, statisticsPages } from '../exports/statistics';
import { exportCsv } from '../exports/stream';
import { confirmed, createCallerFactory, memberProcedure, router, sensitiveProcedure } from './init';
import { auditFilterFields } from './routers/audit';
import { bookingFilterFields, bookingFilterOf } from './routers/bookings';
import { requestFilterFields, requestFilterOf } from './routers/requests';
import { statisticsInput, statisticsQueryOf } from './routers/statistics';

/** The name contains today's date in the tenant's time zone. */
export type ExportedFile = { name: string; csv: ReadableStream<Uint8Array> };

/** Each needs the role of the procedure that lists the same rows. Not part of `appRouter`, because tRPC cannot send CSV streams. */
const exportRouter = (textsOf: DescribeChange) =>
  router({
    requests: memberProcedure
      .use(confirmed)
      .meta({ reads: true })
      .input(z.strictObject({ ...requestFilterFields, order: z.enum(['newest', 'oldest']).default('newest') }))
      .mutation(async ({ ctx: { member, now, by }, input: { order, ...input } }): Promise<ExportedFile> => {
        const filter = requestFilterOf(member.tenantId, now, input);
        const filters = { ...givenOf(input), ...givenOf(filter.period) };
        const rows = { pages: requestPages(filter, order), columns: REQUEST_COLUMNS };
        const name = exportName('requests', now, await timeZoneOf(member.tenantId));
        return { name, csv: await exportCsv(now, { ...by, list: 'requests', filters }, rows) };
      }),

    bookings: sensitiveProcedure
      .meta({ reads: true })
      .input(z.strictObject(bookingFilterFields))
      .mutation(async ({ ctx: { member, now, by }, input }): Promise<ExportedFile> => {
        const filter = bookingFilterOf(member.tenantId, now, input);
        const dates = typeof input.period === 'string' ? {} : givenOf(input.period);
        const rows = { pages: bookingPages(filter), columns: BOOKING_COLUMNS };
        const name = exportName('bookings', now, await timeZoneOf(member.tenantId));
        return {
          name,
          csv: await exportCsv(now, { ...by, list: 'bookings', filters: { ...givenOf(input), ...dates } }, rows),
        };
      }),

    statistics: sensitiveProcedure
      .meta({ reads: true })
      .input(statisticsInput)
      .mutation(async ({ ctx: { member, now, by }, input }): Promise<ExportedFile> => {
        const { filter, grouping } = statisticsQueryOf(member.tenantId, now, input);
        const rows = { pages: statisticsPages(filter, grouping), columns: STATISTICS_COLUMNS };
        const name = exportName('statistics', now, await timeZoneOf(member.tenantId));
        return { name, csv: await exportCsv(now, { ...by, list: 'statistics', filters: givenOf(input) }, rows) };
      }),

    audit: sensitiveProcedure
      .meta({ reads: true })
      .input(z.strictObject(auditFilterFields))
      .mutation(async ({ ctx: { member, now, by }, input }): Promise<ExportedFile> => {
        const timeZone = await timeZoneOf(member.tenantId);
        const pages = auditPages({ ...input, tenantId: member.tenantId }, textsOf, timeZone);
        const given = { ...by, list: 'audit' as const, filters: givenOf(input) };
        const csv = await exportCsv(now, given, { pages, columns: AUDIT_COLUMNS });
        return { name: exportName('audit', now, timeZone), csv };
      }),
  });

/** As the audit log stores them. */
function givenOf(filters: Record<string, unknown>): Record<string, string | number> {
  const texts = Object.entries(filters).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(texts.filter(([, value]) => typeof value === 'string' || typeof value === 'number'));
}

export const exporterOf = (textsOf: DescribeChange) => createCallerFactory(exportRouter(textsOf));
