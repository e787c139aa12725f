import { z } from 'zod';
import { COUNTED, FOUND_BY, listErasures, MAX_BOOKINGS, requestErasure } from '@/lib/booking/customers/erasure';
import { exportCustomer } from '@/lib/booking/customers/export';
import { findCustomerData, OPTIONAL_FIELDS } from '@/lib/booking/customers/find';
import { phoneNumber } from '@/lib/contract/bookings';
import { boundedText } from '@/lib/contract/bounded-text';
import { price } from '@/lib/contract/catalog';
import { recordId } from '@/lib/contract/common';
import { ownerProcedure, router, sensitiveProcedure } from '../init';
import { count, nationalNumber, outputTime } from '../inputs';
import { status, summary } from './bookings-shapes';

const search = z
  .strictObject({
    phone: phoneNumber.optional(),
    national: nationalNumber.optional(),
    name: boundedText(200).trim().min(1, 'must not be empty').optional(),
  })
  .refine(({ phone, national, name }) => [phone, national, name].filter((one) => one !== undefined).length === 1, {
    error: 'is required, or a name',
    path: ['phone'],
  });

const found = z.strictObject({
  bookings: z.array(
    z.strictObject({
      ...summary.shape,
      /** Empty if the contact cannot be decrypted. */
      name: z.string(),
      phone_masked: z.string(),
      optional: z.array(z.enum(OPTIONAL_FIELDS)),
      consent_withdrawn: z.boolean(),
      upcoming: z.boolean(),
    }),
  ),
  truncated: z.boolean(),
  understood: z.array(z.string()),
  countries: z.array(z.string()),
});

const chosen = {
  found_by: z.enum(FOUND_BY),
  references: z.array(recordId).min(1).max(MAX_BOOKINGS),
};

const exported = z.strictObject({
  format: z.string(),
  exported_at: z.string(),
  environment: z.string(),
  business: z.string(),
  contact_kept_days: z.int().nullable(),
  complete: z.boolean(),
  bookings: z.array(
    z.strictObject({
      reference: z.string(),
      status,
      version: z.int(),
      date: z.string(),
      start_time: z.string(),
      end_time: z.string(),
      time_zone: z.string(),
      service: z.string(),
      specialist: z.string(),
      location: z.string(),
      partner: z.string().nullable(),
      partner_reference: z.string(),
      price: price.nullable(),
      customer: z.strictObject({ name: z.string(), phone: z.string() }).nullable(),
      email: z.string().nullable(),
      locale: z.string().nullable(),
      note: z.string().nullable(),
      metadata: z.record(z.string(), z.string()).nullable(),
      consent: z.strictObject({
        given_at: z.string(),
        source: z.string().nullable(),
        text_version: z.string().nullable(),
        withdrawn_at: z.string().nullable(),
      }),
      cancelled_at: z.string().nullable(),
      cancelled_by: z.enum(['partner', 'owner']).nullable(),
      cancel_reason: z.string().nullable(),
      created_at: z.string(),
      updated_at: z.string(),
      history: z.array(
        z.strictObject({
          at: z.string(),
          type: z.string(),
          version: z.int().nullable(),
          actor: z.string(),
          webhook: z.string().nullable(),
        }),
      ),
      requests: z.array(
        z.strictObject({
          at: z.string(),
          request_id: z.string(),
          method: z.string(),
          route: z.string().nullable(),
          status: z.int(),
        }),
      ),
      stored_responses: z.array(z.strictObject({ created_at: z.string(), expires_at: z.string() })),
      changes: z.array(z.strictObject({ at: z.string(), action: z.string(), actor: z.string() })),
    }),
  ),
});

const erasure = z.strictObject({
  id: z.string(),
  found_by: z.enum(FOUND_BY),
  by: z.string(),
  state: z.enum(['running', 'done']),
  bookings: count,
  erased: count,
  counts: z.record(z.enum(COUNTED), count),
  created_at: outputTime,
  finished_at: outputTime.nullable(),
  told: z.array(z.strictObject({ application: z.string(), bookings: count, webhooks: count, delivered: count })),
});

/** The data of one customer. All procedures are for owners, and all but the list of erasures are sensitive. */
export const customerRouter = router({
  // This procedure is a mutation, because it writes to the audit log. A query would also put the phone number in a URL.
  find: sensitiveProcedure
    .meta({ reads: true })
    .input(search)
    .output(found)
    .mutation(({ ctx: { by, now }, input }) => findCustomerData(now, { ...by, ...input })),

  export: sensitiveProcedure
    .meta({ reads: true })
    .input(z.strictObject(chosen))
    .output(exported)
    .mutation(({ ctx: { by, now }, input: { found_by, references } }) =>
      exportCustomer(now, { ...by, foundBy: found_by, references }),
    ),

  erase: sensitiveProcedure
    .input(z.strictObject({ ...chosen, confirmation: z.literal('ERASE', { error: 'must be ERASE' }) }))
    .output(z.strictObject({ id: z.string() }))
    .mutation(async ({ ctx: { by, now }, input: { found_by, references } }) => ({
      id: await requestErasure(now, { ...by, foundBy: found_by, references }),
    })),

  erasures: ownerProcedure
    .output(z.strictObject({ erasures: z.array(erasure) }))
    .query(async ({ ctx: { member } }) => ({ erasures: await listErasures(member.tenantId) })),
});
