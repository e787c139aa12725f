import { z } from 'zod';
import { previewDay } from '@/lib/booking/catalog/edit/day-preview';
import {
  listCategories,
  listLocations,
  listServices,
  listSpecialists,
  PAGE_SIZE,
  readChoices,
} from '@/lib/booking/catalog/edit/list';
import { LOCATIONS } from '@/lib/booking/catalog/edit/location-kind';
import { readService, updateService } from '@/lib/booking/catalog/edit/offerings';
import { readNextPrice } from '@/lib/booking/catalog/edit/scheduled-prices';
import type { LocationInput, ServiceInput, SpecialistInput } from '@/lib/booking/catalog/edit/schemas';
import { SERVICES } from '@/lib/booking/catalog/edit/service-kind';
import { SPECIALISTS } from '@/lib/booking/catalog/edit/specialist-kind';
import { listHolidays } from '@/lib/booking/catalog/holidays';
import { boundedText } from '@/lib/contract/bounded-text';
import { clockTime, recordId, storedDate } from '@/lib/contract/common';
import { zoneChoices } from '@/lib/platform/time-zones';
import { everyMemberProcedure, languageOf, ownerProcedure, router } from '../init';
import { count, inputTime } from '../inputs';
import { bulkRouter } from './catalog-bulk';
import { changedRecord, listInput, recordInput, recordProcedures, recordShape, target } from './catalog-records';
import {
  choicesShape,
  locationShape,
  locationSummary,
  nextPriceShape,
  previewShape,
  serviceShape,
  serviceSummary,
  specialistShape,
  specialistSummary,
  zonesShape,
} from './catalog-shapes';
import { transferRouter } from './catalog-transfer';

const place = z.strictObject({ code: z.string(), name: z.string() });

const pair = z.strictObject({ specialist_id: recordId, location_id: recordId });
const pairs = z.array(pair).max(2_000, 'must contain at most 2,000 entries').default([]);

const serviceInput = recordInput<ServiceInput>();

const serviceList = everyMemberProcedure
  .input(
    listInput.extend({
      /** As the list shows it. An empty text selects services without a category. */
      category: boundedText(200)
        .regex(/^\P{Cc}*$/u, 'must not contain control characters')
        .nullable()
        .default(null),
    }),
  )
  .output(z.strictObject({ records: z.array(serviceSummary), total: z.int(), page_size: z.int() }))
  .query(async ({ ctx: { member }, input }) => ({
    ...(await listServices(member.tenantId, input)),
    page_size: PAGE_SIZE,
  }));

const serviceGet = everyMemberProcedure
  .input(z.strictObject({ id: recordId }))
  .output(recordShape(serviceShape.extend({ offered_by: z.array(pair) })))
  .query(({ ctx: { member }, input: { id } }) => readService(member.tenantId, id));

const serviceUpdate = ownerProcedure
  .input(target.extend({ record: serviceInput, add: pairs, remove: pairs }))
  .output(changedRecord)
  .mutation(({ ctx: { by, now }, input: { id, expected_version: expectedVersion, confirmed, record, ...offerings } }) =>
    updateService(now, { ...by, id, expectedVersion, confirmed }, record, offerings),
  );

/** The catalog. All members read it. Only owners change it. */
export const catalogRouter = router({
  /** The time zones for pickers, with their offsets at present. */
  time_zones: everyMemberProcedure.output(zonesShape).query(({ ctx: { now } }) => zoneChoices(now)),
  choices: everyMemberProcedure.output(choicesShape).query(async ({ ctx: { member } }) => {
    const { locales, defaultLocale, ...choices } = await readChoices(member.tenantId);
    return { ...choices, locales: [...locales], default_locale: defaultLocale };
  }),
  preview: everyMemberProcedure
    .input(
      z.strictObject({
        service_id: recordId,
        location_id: recordId,
        date: storedDate,
        at: inputTime.nullable().default(null),
        start_time: clockTime.nullable().default(null),
        specialist_id: recordId.nullable().default(null),
      }),
    )
    .output(previewShape)
    .query(({ ctx: { member, now }, input }) => {
      const {
        service_id: serviceId,
        location_id: locationId,
        start_time: startTime,
        specialist_id: specialistId,
      } = input;
      const { date, at } = input;
      return previewDay(now, member.tenantId, { serviceId, locationId, date, at, startTime, specialistId });
    }),
  /** Public holidays, of which owners choose closures. */
  holidays: ownerProcedure
    .input(
      z.strictObject({
        country: boundedText(2).nullable(),
        region: boundedText(40).nullable(),
        year: z.int().min(2000).max(2199),
      }),
    )
    .output(
      z.strictObject({
        country: z.string(),
        countries: z.array(place),
        regions: z.array(place),
        holidays: z.array(z.strictObject({ date: z.string(), name: z.string(), closed: z.array(z.string()) })),
      }),
    )
    .query(({ ctx, input }) =>
      listHolidays(ctx.now, { tenantId: ctx.member.tenantId, language: languageOf(ctx), ...input }),
    ),
  transfer: transferRouter,
  services: router({
    ...recordProcedures({
      kind: SERVICES,
      input: serviceInput,
      shape: serviceShape,
      summary: serviceSummary,
      list: listServices,
    }),
    list: serviceList,
    get: serviceGet,
    update: serviceUpdate,
    /** The price that the service gets on a later date. */
    next_price: everyMemberProcedure
      .input(z.strictObject({ id: recordId }))
      .output(z.strictObject({ next_price: nextPriceShape.nullable() }))
      .query(async ({ ctx: { member }, input }) => ({ next_price: await readNextPrice(member.tenantId, input.id) })),
    categories: everyMemberProcedure
      .output(z.array(z.strictObject({ name: z.string().nullable(), services: count })))
      .query(({ ctx: { member } }) => listCategories(member.tenantId)),
  }),
  locations: router(
    recordProcedures({
      kind: LOCATIONS,
      input: recordInput<LocationInput>(),
      shape: locationShape,
      summary: locationSummary,
      list: listLocations,
    }),
  ),
  specialists: router(
    recordProcedures({
      kind: SPECIALISTS,
      input: recordInput<SpecialistInput>(),
      shape: specialistShape,
      summary: specialistSummary,
      list: listSpecialists,
    }),
  ),
  bulk: bulkRouter,
});
