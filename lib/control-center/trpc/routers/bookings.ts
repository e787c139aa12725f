import { z } from 'zod';
import { rememberLocation } from '@/lib/access/owners/remembered-location';
import type { Member } from '@/lib/access/owners/session';
import { setConsentWithdrawn } from '@/lib/booking/bookings/consent';
import { findByName, NAME_VIEWS, readNamesShown, viewNames } from '@/lib/booking/bookings/customer-names';
import { MAX_OF_DAYS, readDay } from '@/lib/booking/bookings/day';
import { findByPhone, findCustomer } from '@/lib/booking/bookings/find-by-phone';
import { listBookings, SORTS } from '@/lib/booking/bookings/list';
import { bookingChoices } from '@/lib/booking/bookings/list-choices';
import { type BookingFilter, PERIODS, STATUS_FILTERS } from '@/lib/booking/bookings/list-filter';
import { changeByOwner, OWNER_ACTIONS } from '@/lib/booking/bookings/owner-change';
import {
  BREAKABLE_RULES,
  checkNew,
  choicesForNew,
  createByOwner,
  noteText,
  slotsForNew,
} from '@/lib/booking/bookings/owner-create';
import { readForOwner, revealContact } from '@/lib/booking/bookings/owner-read';
import { refusalOfMove, rescheduleByOwner, slotsForMove } from '@/lib/booking/bookings/owner-reschedule';
import { readWeek } from '@/lib/booking/bookings/week';
import { OUTSIDE_REASONS } from '@/lib/booking/catalog/edit/outside';
import { slot } from '@/lib/contract/availability';
import { customerName, phoneNumber } from '@/lib/contract/bookings';
import { boundedText } from '@/lib/contract/bounded-text';
import { CANCEL_REASONS } from '@/lib/contract/cancel-reasons';
import { price } from '@/lib/contract/catalog';
import { clockTime, recordId, storedDate } from '@/lib/contract/common';
import { customerEmail } from '@/lib/contract/optional-fields';
import { BOOKING_FIELDS, RECORD_FIELDS } from '../../filters/fields';
import { inputsOf, pageFields } from '../../filters/inputs';
import { deskProcedure, everyMemberProcedure, router } from '../init';
import { nothing, outputTime, searchedPhone } from '../inputs';
import { day, named, overlappingBooking, summary, summaryFields, week } from './bookings-shapes';
import { bookingsTransferRouter } from './bookings-transfer';
import { visitsRouter } from './bookings-visits';

export const bookingFilterFields = {
  /** A period relative to now, or the first and last date of a range. Dates are in the time zone of each booking. */
  period: z
    .union([
      z.enum(PERIODS),
      z.strictObject({ from: storedDate.nullable().default(null), to: storedDate.nullable().default(null) }),
    ])
    .default('upcoming'),
  /** `active` selects every booking that is not canceled. */
  status: z.enum(STATUS_FILTERS).nullable().default(null),
  ...inputsOf(RECORD_FIELDS),
  ...inputsOf({ reference: BOOKING_FIELDS.reference }),
};

const listInput = z.strictObject({
  ...bookingFilterFields,
  sort: z.enum(SORTS).default('starts_at'),
  direction: z.enum(['asc', 'desc']).default('asc'),
  ...pageFields,
});

const page = z.strictObject({
  bookings: z.array(summary),
  previous: z.string().nullable(),
  next: z.string().nullable(),
});

const when = { date: z.string(), start_time: z.string(), specialist_name: z.string() };

const detail = z.strictObject({
  ...summaryFields,
  updated_at: outputTime,
  consent_at: outputTime,
  consent_source: z.string().nullable(),
  consent_text_version: z.string().nullable(),
  consent_withdrawn_at: outputTime.nullable(),
  /** Timestamps in the time zone of the booking, with its offset. */
  local: z.strictObject({
    created_at: z.string(),
    consent_at: z.string(),
    consent_withdrawn_at: z.string().nullable(),
    change_deadline: z.string().nullable(),
  }),
  cancelled_at: outputTime.nullable(),
  cancelled_by: z.enum(['partner', 'owner']).nullable(),
  cancel_reason: z.string().nullable(),
  change_deadline: outputTime.nullable(),
  price: price.nullable(),
  /** Null after anonymization. */
  customer: z
    .strictObject({
      name_masked: z.string(),
      phone_masked: z.string(),
      email_masked: z.string().nullable(),
      locale: z.string().nullable(),
      has_note: z.boolean(),
      has_metadata: z.boolean(),
    })
    .nullable(),
  maybe_real_phone: z.boolean(),
  actions: z.array(z.enum(OWNER_ACTIONS)),
  movable: z.boolean(),
  outside: z.enum(OUTSIDE_REASONS).nullable(),
  overlaps: z.array(overlappingBooking),
  timeline: z.array(
    z.strictObject({
      version: z.int(),
      type: z.string(),
      actor: z.enum(['partner', 'owner', 'system']),
      by: z.string().nullable(),
      request_id: z.string().nullable(),
      event_id: z.string(),
      at: outputTime,
      local_at: z.string(),
      when: z.strictObject({ ...when, end_time: z.string(), time_zone: z.string() }),
      previous: z.strictObject(when).nullable(),
    }),
  ),
});

const choices = z.strictObject({
  locations: z.array(named),
  services: z.array(named),
  specialists: z.array(named),
  applications: z.array(named),
});

const one = { reference: recordId };
const seen = { ...one, expected_version: z.int().min(1).max(2_147_483_647) };
const changed = z.strictObject({ version: z.int() });
const names = z.array(z.strictObject({ reference: z.string(), name: z.string() }));
const contact = z.strictObject({
  name: z.string(),
  phone: z.string(),
  email: z.string().nullable(),
  locale: z.string().nullable(),
  note: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
});

/** The service, the location, and the specialist of a booking to make. Null lets the server assign a specialist. */
const wanted = { service_id: recordId, location_id: recordId, specialist_id: recordId.nullable().default(null) };
const wantedStart = { ...wanted, date: storedDate, start_time: clockTime };
const rules = z.array(z.enum(BREAKABLE_RULES)).max(BREAKABLE_RULES.length);
const slots = z.strictObject({ slots: z.array(slot), specialists: z.array(named), next_date: z.string().nullable() });

type Wanted = { service_id: string; location_id: string; specialist_id: string | null };

const wantedOf = ({ service_id, location_id, specialist_id }: Wanted) => ({
  serviceId: service_id,
  locationId: location_id,
  specialistId: specialist_id,
});

type Filter = Omit<z.output<typeof listInput>, 'sort' | 'direction' | 'cursor' | 'back'>;

export function bookingFilterOf(tenantId: string, now: Date, input: Filter): BookingFilter {
  return { ...input, tenantId, now };
}

/** Support sees which time is blocked, but not why. */
const readerOf = ({ tenantId, userId, role }: Member) => ({ tenantId, userId, reasons: role !== 'SUPPORT' });

// A member who is limited to locations reaches only bookings there (`IN_REACH`, `isInReach`).
const reading = everyMemberProcedure.meta({ byLocation: true });
const editing = deskProcedure.meta({ byLocation: true });

/** Bookings. All members read them with masked contacts. Only owners and the front desk change them and reveal contacts. */
export const bookingsRouter = router({
  transfer: bookingsTransferRouter,
  visits: visitsRouter,

  list: reading
    .input(listInput)
    .output(page)
    .query(({ ctx: { member, now }, input: { sort, direction, cursor, back, ...filter } }) => {
      const wanted = bookingFilterOf(member.tenantId, now, filter);
      return listBookings(wanted, { sort, direction, cursor, back });
    }),

  day: reading
    .input(z.strictObject({ location_id: recordId.nullable(), date: storedDate }))
    .output(day)
    .query(({ ctx: { member, now }, input: { location_id, date } }) =>
      readDay(now, readerOf(member), location_id, date),
    ),

  week: reading
    .input(z.strictObject({ location_id: recordId.nullable(), date: storedDate }))
    .output(week)
    .query(({ ctx: { member, now }, input: { location_id, date } }) =>
      readWeek(now, readerOf(member), location_id, date),
    ),

  get: reading
    .input(z.strictObject(one))
    .output(detail)
    .query(({ ctx: { member, now }, input }) => readForOwner(now, member.tenantId, input.reference)),

  choices: reading.output(choices).query(({ ctx: { member } }) => bookingChoices(member.tenantId)),

  // The schedules and the form of a new booking begin with this location, in every browser of the member.
  remember_location: reading
    .input(z.strictObject({ location_id: recordId }))
    .output(nothing)
    .mutation(({ ctx: { member }, input: { location_id } }) => rememberLocation(member, location_id)),

  // This procedure is a mutation, because it writes to the audit log. A query would also put the phone number in a URL.
  find_by_phone: editing
    .meta({ reads: true })
    .input(searchedPhone)
    .output(
      z.strictObject({
        bookings: page.shape.bookings,
        truncated: z.boolean(),
        understood: z.array(z.string()),
        countries: z.array(z.string()),
      }),
    )
    .mutation(({ ctx: { by, now }, input }) => findByPhone(now, { ...by, ...input })),

  /** Returns whether the names of customers are shown, and bookings are found by name. */
  names_shown: editing
    .output(z.strictObject({ shown: z.boolean() }))
    .query(async ({ ctx: { member } }) => ({ shown: await readNamesShown(member.tenantId) })),

  // This procedure is a mutation for the reasons of `contact`. One call is one view.
  names: editing
    .meta({ reads: true })
    .input(z.strictObject({ view: z.enum(NAME_VIEWS), references: z.array(recordId).min(1).max(MAX_OF_DAYS) }))
    .output(z.strictObject({ names }))
    .mutation(async ({ ctx: { by, now }, input }) => ({ names: await viewNames(now, { ...by, ...input }) })),

  // This procedure is a mutation for the reasons of `find_by_phone`.
  find_by_name: editing
    .meta({ reads: true })
    .input(z.strictObject({ name: boundedText(200).trim().min(1, 'must not be empty') }))
    .output(z.strictObject({ bookings: page.shape.bookings, names, truncated: z.boolean() }))
    .mutation(({ ctx: { by, now }, input }) => findByName(now, { ...by, ...input })),

  set_consent_withdrawn: editing
    .input(z.strictObject({ ...one, withdrawn: z.boolean() }))
    .output(nothing)
    .mutation(({ ctx: { by, now }, input }) => setConsentWithdrawn(now, { ...by, ...input })),

  // This procedure is a mutation, because each access writes to the audit log.
  contact: editing
    .meta({ reads: true })
    .input(z.strictObject(one))
    .output(z.strictObject({ customer: contact.nullable() }))
    .mutation(async ({ ctx: { by, now }, input }) => ({
      customer: await revealContact(now, { ...by, reference: input.reference }),
    })),

  slots: editing
    .input(
      z.strictObject({
        ...one,
        date: storedDate,
        /** The number of days, starting with `date`. */
        days: z.int().min(1).max(7).default(1),
        specialist_id: recordId.nullable().default(null),
      }),
    )
    .output(slots)
    .query(({ ctx: { member, now }, input: { reference, date, days, specialist_id } }) =>
      slotsForMove(now, { tenantId: member.tenantId, reference, date, days, specialistId: specialist_id }),
    ),

  check_move: editing
    .input(z.strictObject({ ...one, date: storedDate, start_time: clockTime, specialist_id: recordId.nullable() }))
    .output(z.strictObject({ reason: z.string().nullable() }))
    .query(async ({ ctx: { member, now }, input: { reference, date, start_time, specialist_id } }) => {
      const start = { date, startTime: start_time, specialistId: specialist_id };
      return { reason: await refusalOfMove(now, { tenantId: member.tenantId, reference, ...start }) };
    }),

  reschedule: editing
    .input(
      z.strictObject({
        ...seen,
        date: storedDate,
        start_time: clockTime,
        /** Null keeps the booking's specialist or, if that specialist is busy, assigns a different specialist. */
        specialist_id: recordId.nullable().default(null),
      }),
    )
    .output(changed)
    .mutation(({ ctx: { by, now }, input: { reference, expected_version, date, start_time, specialist_id } }) =>
      rescheduleByOwner(now, {
        ...by,
        reference,
        expectedVersion: expected_version,
        date,
        startTime: start_time,
        specialistId: specialist_id,
      }),
    ),

  new_choices: editing
    .input(z.strictObject({ location_id: recordId.nullable().default(null) }))
    .output(
      z.strictObject({
        locations: z.array(named),
        location_id: z.string().nullable(),
        services: z.array(
          z.strictObject({ id: z.string(), name: z.string(), duration_minutes: z.int(), price: price.nullable() }),
        ),
      }),
    )
    .query(({ ctx: { member }, input }) => choicesForNew(member, input.location_id)),

  // This procedure is a mutation for the reasons of `find_by_phone`.
  find_customer: editing
    .meta({ reads: true })
    .input(searchedPhone)
    .output(z.strictObject({ name: z.string().nullable(), phone: z.string().nullable() }))
    .mutation(({ ctx: { by, now }, input }) => findCustomer(now, { ...by, ...input })),

  new_slots: editing
    .input(z.strictObject({ ...wanted, date: storedDate }))
    .output(slots)
    .query(({ ctx: { member, now }, input }) =>
      slotsForNew(now, { tenantId: member.tenantId, ...wantedOf(input), date: input.date }),
    ),

  /** Returns which rules a new booking would break, and why it is impossible, or null if it is possible. */
  check_new: editing
    .input(z.strictObject(wantedStart))
    .output(z.strictObject({ broken: rules, refusal: z.string().nullable() }))
    .query(({ ctx: { member, now }, input }) => {
      const start = { ...wantedOf(input), date: input.date, startTime: input.start_time };
      return checkNew(now, { tenantId: member.tenantId, ...start });
    }),

  create: editing
    .input(
      z.strictObject({
        /** A random key of the form, so that a repeated call makes one booking. */
        key: boundedText(32).regex(/^[0-9a-f]{32}$/, 'must have 32 hexadecimal digits'),
        ...wantedStart,
        customer: z.strictObject({
          name: customerName,
          phone: phoneNumber,
          email: customerEmail.nullable().default(null),
          consent_to_contact: z.literal(true, { error: 'must be true' }),
        }),
        note: noteText,
        /** The price of a seat in minor units of the service's currency. Null for no price. */
        price_amount: price.shape.amount.nullable(),
        /** The rules whose breach the member confirmed. */
        confirmed: rules.default([]),
      }),
    )
    .output(z.strictObject({ reference: z.string() }))
    .mutation(({ ctx: { by, now }, input }) => {
      const { key, date, start_time, customer, price_amount, confirmed } = input;
      const start = { ...wantedOf(input), date, startTime: start_time };
      const { name, phone, email } = customer;
      const rest = { customer: { name, phone, email }, note: input.note, priceAmount: price_amount, confirmed };
      return createByOwner(now, { ...by, key, ...start, ...rest });
    }),

  change: editing
    .input(
      z.strictObject({
        ...seen,
        action: z.enum(OWNER_ACTIONS),
        /** The reason for a cancellation. It has no effect for other actions. */
        cancel_reason: z.enum(CANCEL_REASONS).nullable().default(null),
      }),
    )
    .output(changed)
    .mutation(({ ctx: { by, now }, input: { reference, expected_version, action, cancel_reason } }) =>
      changeByOwner(now, {
        ...by,
        reference,
        action,
        expectedVersion: expected_version,
        cancelReason: action === 'cancel' ? cancel_reason : null,
      }),
    ),
});
