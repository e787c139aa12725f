import { rememberedLocation } from '@/lib/access/owners/remembered-location';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { countOwnerChange } from '@/lib/activity/metrics/counters';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { REASONS, type ReasonOf } from '@/lib/contract/errors/reasons';
import { noteLines } from '@/lib/contract/optional-fields';
import { readRows } from '@/lib/platform/db';
import { derivedReference } from '@/lib/platform/ids';
import { bookingLock } from '@/lib/platform/locks';
import { refusedByRules, rulesProblem } from '@/lib/platform/rules-in-force';
import { isInReach } from '@/lib/platform/tenant-scope';
import { DAY, parseDay, parseTime, startInstant } from '@/lib/platform/time-zones';
import { beginBudget, type WriteTx, writeTransaction } from '@/lib/platform/write-transaction';
import { type Busy, readClaims, type StoredClaim } from '../availability/claims';
import { paddedRange, prepareLocation, prepareSpecialist } from '../availability/input';
import type { Translated } from '../catalog/records';
import { type Catalog, snapshotOf } from '../catalog/snapshot';
import { auditedBooking, type BookingRow } from './booking';
import { bookingEvent } from './change';
import { type NewBooking, takeFirstSeat } from './create';
import { type Customer, openCustomer, sealCustomer, sealOptions, storedHashes } from './customer';
import { catalogOf, type MoveSlots, slotsOf } from './owner-reschedule';
import {
  checkRequest,
  type FoundSlot,
  MAX_SLOT_READS,
  type Offer,
  readBusyDay,
  resolveReschedule,
  type SlotRequest,
} from './resolve';
import { FIND_BOOKING_OF_TENANT } from './statements';
import type { Named } from './summary';

/** The rules that the business may break, after a confirmation that names them (contract B7). `blocked` is a block. */
export const BREAKABLE_RULES = ['lead_time', 'max_advance', 'outside_schedule', 'blocked'] as const;

export type BreakableRule = (typeof BREAKABLE_RULES)[number];

/**
 * Number of days by which a booking can be entered late. Retention removes claims a week after their end, so later than
 * that, it is unknown whether the time was taken.
 */
const MAX_DAYS_AGO = 6;
/** Maximum number of days between now and a booking: the maximum of `max_advance_days` in the catalog. */
const MAX_DAYS_AHEAD = 1_825;

/** What the business notes about a booking. Lines are allowed. Null if it is empty. */
export const noteText = noteLines
  .transform((text) => text || null)
  .nullable()
  .default(null);

/** The service, the location, and the specialist of a booking to make. Without a specialist, the server assigns one. */
type Wanted = { tenantId: string; serviceId: string; locationId: string; specialistId: string | null };

type Start = Wanted & { date: string; startTime: string };

const MAX_CHOICES = 500;

/** What the business can book at a location: the published services that a published specialist offers there. */
export type NewChoices = {
  locations: Named[];
  location_id: string | null;
  services: (Named & { duration_minutes: number; price: Offer['price'] })[];
};

/**
 * Returns the locations, and the services that can be booked at one of them, both ordered by name.
 * @param selected the location's id. If it is null, the one that the member looked at last is meant, or the first.
 * @throws AppError not_found if the tenant has no such location.
 */
export async function choicesForNew(
  member: { tenantId: string; userId: string },
  selected: string | null,
): Promise<NewChoices> {
  const { tenantId } = member;
  const catalog = await snapshotOf(tenantId);
  const nameOf = (name: Translated, id: string) => name[catalog.defaultLocale] ?? id;
  const byName = (a: Named, b: Named) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);
  const reached = [...catalog.locations.values()].filter(({ id }) => isInReach(id));
  const locations = reached.map(({ id, name, city }) => ({ id, name: nameOf(name, city) }));
  locations.sort(byName);
  const remembered = await rememberedLocation(member);
  const first = locations.find(({ id }) => id === remembered) ?? locations[0];
  const locationId = selected ?? first?.id ?? null;
  if (locationId !== null && !locations.some(({ id }) => id === locationId)) throw notFound();
  const offered = new Set(
    catalog.offerings.flatMap((one) =>
      one.locationId === locationId && catalog.specialists.get(one.specialistId)?.published ? [one.serviceId] : [],
    ),
  );
  const services = [...offered].flatMap((id) => {
    const service = catalog.services.get(id);
    if (!service?.published) return [];
    const { priceAmount: amount, priceCurrency: currency } = service;
    const price = amount === null || currency === null ? null : { amount, currency };
    return [{ id, name: nameOf(service.name, id), duration_minutes: service.durationMinutes, price }];
  });
  services.sort(byName);
  return {
    locations: locations.slice(0, MAX_CHOICES),
    location_id: locationId,
    services: services.slice(0, MAX_CHOICES),
  };
}

/**
 * Returns the slots at which the business can book a service at a location, on one day.
 * @throws AppError not_found; booking_unavailable (reason `service_unpublished`); service_unavailable if other time zone
 *   rules are in force.
 */
export async function slotsForNew(now: Date, { date, ...wanted }: Wanted & { date: string }): Promise<MoveSlots> {
  const { catalog, offer } = await offerOf(wanted);
  return slotsOf(now, { catalog, offer, ownClaim: null, date, days: 1, specialistId: wanted.specialistId });
}

/**
 * Returns which rules a booking would break, and why it is impossible (null if it is possible). Reserves nothing.
 * @throws AppError not_found; invalid_request for a date that is too far away; service_unavailable as in `slotsForNew`.
 */
export async function checkNew(
  now: Date,
  start: Start,
): Promise<{ broken: BreakableRule[]; refusal: ReasonOf<'booking_unavailable'> | null }> {
  const { offer } = await offerOf(start);
  checkDate(start.date, now);
  const { service, location, specialists } = offer;
  const range = paddedRange({ service, location, date: start.date }) ?? { from: 0, to: 0 };
  const ids = specialists.map(({ id }) => id);
  const busy = await readClaims(readRows, { specialistIds: ids, location, ...range, own: null });
  const { broken, check } = breakRules(requestOf(now, offer, start), busy);
  return { broken, refusal: check.ok ? null : check.reason };
}

type Create = Start & {
  actor: Actor;
  /** A random key that the page made for its form. A create with the same key is made once. */
  key: string;
  customer: Customer & { email: string | null };
  note: string | null;
  /** The price of a seat in minor units of the service's currency. Null for no price. */
  priceAmount: number | null;
  /** The rules whose breach the member confirmed. */
  confirmed: readonly BreakableRule[];
};

/**
 * Makes a booking of the business, which no partner sees, and writes one event without deliveries. Returns its reference
 * (contract B7). If a booking was already made with the key, returns the reference of that booking.
 * @throws AppError not_found; invalid_request; booking_unavailable with a reason, and with the field that the reason is
 *   about; idempotency_key_reused if the key belongs to another booking; service_unavailable if the write takes too long,
 *   or if other time zone rules are in force.
 */
export async function createByOwner(now: Date, create: Create): Promise<{ reference: string }> {
  const { catalog, offer } = await offerOf(create);
  checkDate(create.date, now);
  const priced = { ...offer, price: chosenPrice(create.priceAmount, offer) };
  const reference = derivedReference(create.tenantId, create.key);
  const made = await writeTransaction(beginBudget(), create.tenantId, (tx) =>
    apply(tx, now, { create, offer: priced, reference, catalog }),
  );
  if (made) countOwnerChange('created');
  return { reference };
}

async function offerOf({ tenantId, serviceId, locationId, specialistId }: Wanted) {
  if (rulesProblem() !== null) throw refusedByRules();
  const catalog = await catalogOf(tenantId);
  if (!catalog.services.has(serviceId) || !isInReach(locationId)) throw notFound();
  if (specialistId !== null && !catalog.specialists.has(specialistId)) throw notFound();
  return { catalog, offer: resolveReschedule(catalog, serviceId, locationId) };
}

/** @throws AppError invalid_request for a date that is too far away. */
export function checkDate(date: string, now: Date): void {
  const days = parseDay(date) - Math.floor(now.getTime() / 86_400_000);
  if (days < -MAX_DAYS_AGO) throw invalidField('date', `must be at most ${MAX_DAYS_AGO} days ago`);
  if (days > MAX_DAYS_AHEAD) throw invalidField('date', `must be at most ${MAX_DAYS_AHEAD} days ahead`);
}

/** @throws AppError invalid_request for an amount although the service has no price. */
export function chosenPrice(amount: number | null, { price }: Pick<Offer, 'price'>): Offer['price'] {
  if (amount === null) return null;
  if (!price) throw invalidField('price_amount', 'must be empty, because the service has no price');
  return { amount, currency: price.currency };
}

export function requestOf(
  now: Date,
  offer: Offer,
  { date, startTime, specialistId }: Pick<Start, 'date' | 'startTime' | 'specialistId'>,
): SlotRequest {
  return { offer, now, body: { date, start_time: startTime, specialist_id: specialistId ?? undefined } };
}

type Change = { create: Create; offer: Offer; reference: string; catalog: Catalog };

/** Returns whether the booking was made now. */
async function apply(tx: WriteTx, now: Date, { create, offer, reference, catalog }: Change): Promise<boolean> {
  const { tenantId } = create;
  await tx.run(bookingLock(reference));
  const [known] = await tx.query(FIND_BOOKING_OF_TENANT, { reference, tenantId });
  if (known) {
    if (!isSame(known, create)) throw new AppError('idempotency_key_reused');
    return false;
  }
  const request = requestOf(now, offer, create);
  const booking = bookingOf(create, offer, reference);
  const { row, broken } = await bookFirst(tx, { request, booking, create, now });
  const service_name = catalog.services.get(create.serviceId)?.name[catalog.defaultLocale] ?? create.serviceId;
  await recordInWrite(tx, now, {
    tenantId,
    actor: create.actor,
    action: 'booking.created',
    object: { kind: 'booking', id: reference },
    after: {
      version: row.version,
      ...auditedBooking({ ...row, service_name }),
      specialist_id: row.specialist_id,
      ...(broken.length > 0 && { broken_rules: broken }),
    },
  });
  return true;
}

type BusinessBooking = Start & Pick<Create, 'customer' | 'note'> & { externalReference?: string | null };

/** Returns a booking of the business, of which partners learn nothing. The price is that of the offer. */
export function bookingOf(booking: BusinessBooking, offer: Offer, reference: string): NewBooking {
  const { tenantId, customer, note, externalReference } = booking;
  return {
    offer,
    reference,
    body: {
      date: booking.date,
      start_time: booking.startTime,
      // Short enough to be said on the phone, and found by the search of the Bookings page.
      external_reference: externalReference ?? `B-${reference.slice(4, 10).toUpperCase()}`,
      customer: { consent_source: 'business', consent_text_version: undefined },
    },
    customer: sealCustomer(reference, customer),
    ...storedHashes(tenantId, customer),
    options: sealOptions(reference, { email: customer.email, note }),
  };
}

type Booking = { request: SlotRequest; booking: NewBooking; create: Create; now: Date };

async function bookFirst(tx: WriteTx, { request, booking, create, now }: Booking) {
  const maker = { tenantId: create.tenantId, applicationId: null, now };
  for (let reads = 0; reads < MAX_SLOT_READS; reads += 1) {
    const { broken, found } = allowed(request, await readBusyDay(tx, request), create.confirmed);
    const made = await takeFirstSeat(tx, { maker, booking, found }, (row) => {
      const event = bookingEvent({ type: 'booking.created', row, previous: null, actor: 'owner' });
      return { change: { row, event } };
    });
    if (made) return { row: made.change.row, broken };
  }
  throw refused('slot_taken');
}

/** A booking that has been changed since, or whose contact was erased, is compared as far as possible. */
function isSame(row: BookingRow, { serviceId, locationId, date, startTime, customer }: Create): boolean {
  const known = openCustomer(row);
  const isCustomer = known === null || (known.name === customer.name && known.phone === customer.phone);
  const isStart = row.version > 1 || (row.date === date && row.start_time === startTime);
  return row.service_id === serviceId && row.location_id === locationId && isStart && isCustomer;
}

/** @throws AppError booking_unavailable: the first broken rule that is not confirmed, or what no confirmation can change */
function allowed(
  request: SlotRequest,
  busy: Busy<StoredClaim>,
  confirmed: readonly BreakableRule[],
): { broken: BreakableRule[]; found: FoundSlot } {
  if (!request.offer.published) throw refused('service_unpublished');
  const { broken, check } = breakRules(request, busy);
  if (!check.ok) throw refused(check.reason);
  const [unconfirmed] = broken.filter((rule) => !confirmed.includes(rule));
  if (unconfirmed) throw refused(unconfirmed === 'blocked' ? 'outside_schedule' : unconfirmed);
  return { broken, found: { slot: check.slot, claims: busy.claims } };
}

/**
 * Checks a request with the slot engine. While a breakable rule refuses it, lifts this rule and checks again. Claims are
 * never lifted.
 */
export function breakRules(request: SlotRequest, busy: Busy<StoredClaim>) {
  const broken: BreakableRule[] = [];
  const lifted = { request, busy };
  for (;;) {
    const check = checkRequest(lifted.request, lifted.busy);
    const rule = check.ok ? undefined : brokenRule(check.reason, lifted, broken);
    if (rule === undefined || broken.includes(rule)) return { broken, check };
    broken.push(rule);
    if (rule === 'blocked') lifted.busy = { ...lifted.busy, blocks: [] };
    else lifted.request = rule === 'outside_schedule' ? withoutHours(lifted.request) : atItsStart(lifted.request);
  }
}

type Lifted = { request: SlotRequest; busy: Busy<StoredClaim> };

/** Returns the rule that causes a refusal. The slot engine refuses blocked time like time outside the hours. */
function brokenRule(reason: ReasonOf<'booking_unavailable'>, { request, busy }: Lifted, broken: BreakableRule[]) {
  // The business may book at any minute, as outside the hours.
  if (reason === 'off_grid') return 'outside_schedule';
  const rule = BREAKABLE_RULES.find((one) => one === reason);
  if (rule !== 'outside_schedule' || busy.blocks.length === 0) return rule;
  const unblocked = checkRequest(request, { ...busy, blocks: [] });
  const isBlocked = broken.includes(rule) || unblocked.ok || unblocked.reason !== rule;
  return isBlocked ? 'blocked' : rule;
}

const ALWAYS = [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, opens: '00:00', closes: '24:00' }));

/** Returns the request with a location and specialists that are available at any time. Any minute is a start. */
function withoutHours({ offer, ...request }: SlotRequest): SlotRequest {
  const { id, tenantId, zone } = offer.location;
  const location = prepareLocation({ id, tenantId, timeZone: zone.name, opening: ALWAYS });
  const specialists = offer.specialists.map((one) => prepareSpecialist({ id: one.id, working: ALWAYS }, location));
  return {
    ...request,
    offer: { ...offer, service: { ...offer.service, slotIntervalMinutes: 1 }, location, specialists },
  };
}

/** Returns the request as if it were made at the start of the appointment, and without a lead time. */
function atItsStart(request: SlotRequest): SlotRequest {
  const { offer, body } = request;
  const start = startInstant(offer.location.zone, parseDay(body.date) * DAY + parseTime(body.start_time));
  if (start === null) return request;
  const service = { ...offer.service, minLeadMinutes: 0 };
  return { ...request, now: new Date(start * 60_000), offer: { ...offer, service } };
}

const FIELDS: Partial<Record<ReasonOf<'booking_unavailable'>, string>> = {
  service_unpublished: 'service_id',
  specialist_unavailable: 'specialist_id',
};

function refused(reason: ReasonOf<'booking_unavailable'>): AppError {
  const fields = [{ path: FIELDS[reason] ?? 'start_time', message: REASONS[reason].means }];
  return new AppError('booking_unavailable', { reason, fields });
}
