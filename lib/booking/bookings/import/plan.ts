import { createHmac } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@/lib/contract/errors/app-error';
import { derivedReference } from '@/lib/platform/ids';
import { hashKeyFor } from '@/lib/platform/secrets';
import { parseDay } from '@/lib/platform/time-zones';
import { type RowReader, readClaims, type StoredClaim } from '../../availability/claims';
import { type BlockedTime, paddedRange } from '../../availability/input';
import type { BookableSlot } from '../../availability/slots';
import type { Catalog } from '../../catalog/snapshot';
import type { BookingRow } from '../booking';
import { type NewBooking, newRow } from '../create';
import { type BreakableRule, bookingOf, breakRules, checkDate, chosenPrice, requestOf } from '../owner-create';
import { type Offer, resolveReschedule } from '../resolve';
import { checkReference } from '../sensitive';
import { type ImportRow, MAX_ISSUES, type RowIssue } from './document';

/** A claim whose number of taken seats grows with the rows that are planned. */
type SeatClaim = { -readonly [Key in keyof StoredClaim]: StoredClaim[Key] };

/** A seat to book: in a claim that exists (`isStored`), or in one to insert. Rows of a group share it. */
export type PlannedClaim = { claim: SeatClaim; isStored: boolean; seats: number; first: PlannedBooking };

export type PlannedBooking = { row: BookingRow; booking: NewBooking; slot: BookableSlot; claim: SeatClaim };

/** The rules that a row breaks. The import is possible after they are confirmed. */
export type Warning = { row: number; rules: BreakableRule[] };

export type Plan = { issues: RowIssue[]; warnings: Warning[]; bookings: PlannedBooking[]; claims: PlannedClaim[] };

type Context = { tenantId: string; now: Date; catalog: Catalog; known: ReadonlySet<string>; read: RowReader };

const MINUTES = 1_440;
/** Rows that are checked before the process handles other requests. */
const ROWS_OF_TURN = 50;

type ByDay<T> = Map<number, T[]>;

function addTo<T>(days: ByDay<T>, { from, to }: { from: number; to: number }, value: T): void {
  for (let day = Math.floor(from / MINUTES); day <= Math.floor((to - 1) / MINUTES); day += 1)
    days.set(day, [...(days.get(day) ?? []), value]);
}

/** Returns the values of the days around a local day, whose UTC day differs from it by at most one. */
function around<T>(days: ByDay<T> | undefined, day: number): T[] {
  return [...new Set([-2, -1, 0, 1, 2, 3].flatMap((offset) => days?.get(day + offset) ?? []))];
}

type Resolved = {
  doc: ImportRow;
  reference: string;
  offer: Offer;
  locationId: string;
  serviceId: string;
  specialistId: string;
};

/**
 * Checks each row as if the earlier rows were booked. Returns what prevents the import, and what it would book.
 * @param known the references of the rows that were imported before. They are left out.
 */
export async function planOf(context: Context, rows: readonly ImportRow[]): Promise<Plan> {
  const plan: Plan = { issues: [], warnings: [], bookings: [], claims: [] };
  const records = knownOf(context.catalog);
  const resolved: Resolved[] = [];
  for (const [index, doc] of rows.entries()) {
    if (index % ROWS_OF_TURN === 0) await nextTurn();
    if (plan.issues.length >= MAX_ISSUES) break;
    resolved.push(...resolveRow(context, records, doc, plan.issues));
  }
  const busy = await readBusy(context, resolved);
  const claimed = new Map<SeatClaim, PlannedClaim>();
  const references = new Set<string>();
  for (const [index, one] of resolved.entries()) {
    if (index % ROWS_OF_TURN === 0) await nextTurn();
    if (plan.issues.length >= MAX_ISSUES) break;
    planRow(context, one, { busy, claimed, references }, plan);
    references.add(one.reference);
  }
  plan.claims = [...claimed.values()];
  return plan;
}

/**
 * Returns the reference of the booking of a row. The same row gets the same reference in every import. The key keeps anyone
 * from guessing the contact by its hash, and a rotation does not change it.
 */
export function referenceOf(
  tenantId: string,
  { row: _, note: __, customer_email: ___, ...identity }: ImportRow,
): string {
  const key = createHmac('sha256', hashKeyFor('idempotency'))
    .update(`import ${JSON.stringify(identity)}`)
    .digest('hex');
  return derivedReference(tenantId, key);
}

/** Ids by id and by name in lower case. */
type Records = Map<string, string[]>;

/** The records that rows name, and the locations of each offering of a service by a specialist. */
type Known = { service: Records; specialist: Records; location: Records; places: Records };

function knownOf({ services, specialists, locations, offerings, defaultLocale }: Catalog): Known {
  const known: Known = { service: new Map(), specialist: new Map(), location: new Map(), places: new Map() };
  const add = (records: Records, key: string, id: string) => records.set(key, [...(records.get(key) ?? []), id]);
  const named = (records: Records, id: string, name: string | undefined) => {
    records.set(id, [id]);
    if (name !== undefined) add(records, name.toLowerCase(), id);
  };
  for (const [id, { name }] of services) named(known.service, id, name[defaultLocale]);
  for (const [id, { displayName }] of specialists) named(known.specialist, id, displayName);
  for (const [id, { name, city }] of locations) named(known.location, id, name?.[defaultLocale] ?? city);
  for (const { serviceId, specialistId, locationId } of offerings)
    add(known.places, `${serviceId} ${specialistId}`, locationId);
  return known;
}

function resolveRow(
  { tenantId, now, catalog, known }: Context,
  records: Known,
  doc: ImportRow,
  issues: RowIssue[],
): Resolved[] {
  const reference = referenceOf(tenantId, doc);
  if (known.has(reference)) return [];
  const before = issues.length;
  const issue = (field: string, message: string) => issues.push({ row: doc.row, field, message });
  const attempt = (field: string, check: () => unknown) => {
    try {
      check();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      issue(field, error.fields[0]?.message ?? error.message);
    }
  };
  const only = (field: string, ids: readonly string[] = []) => {
    const [id, ...others] = ids;
    if (id !== undefined && others.length === 0) return id;
    issue(field, id === undefined ? 'is not in the catalog' : 'is ambiguous: use the ID');
    return null;
  };
  const find = (field: 'service' | 'specialist' | 'location', text: string) =>
    only(field, records[field].get(text) ?? records[field].get(text.toLowerCase()));
  const serviceId = find('service', doc.service);
  const specialistId = find('specialist', doc.specialist);
  const locationId =
    doc.location !== null
      ? find('location', doc.location)
      : serviceId === null || specialistId === null
        ? null
        : only('location', records.places.get(`${serviceId} ${specialistId}`));
  attempt('date', () => checkDate(doc.date, now));
  const { external_reference: external } = doc;
  if (external !== null) {
    const customer = { name: doc.customer_name, phone: doc.customer_phone };
    attempt('external_reference', () => checkReference(external, customer));
  }
  if (serviceId === null || specialistId === null || locationId === null || issues.length > before) return [];
  const offer = resolveReschedule(catalog, serviceId, locationId);
  attempt('price_amount', () => chosenPrice(doc.price_amount, offer));
  if (issues.length > before) return [];
  const specialists = offer.specialists.filter(({ id }) => id === specialistId);
  const priced = { ...offer, specialists, price: chosenPrice(doc.price_amount, offer) };
  return [{ doc, reference, offer: priced, serviceId, locationId, specialistId }];
}

type Busy = { claims: Map<string, ByDay<SeatClaim>>; blocks: Map<string, ByDay<BlockedTime>> };

async function readBusy({ read }: Context, resolved: readonly Resolved[]): Promise<Busy> {
  const busy: Busy = { claims: new Map(), blocks: new Map() };
  const ids = [...new Set(resolved.map(({ specialistId }) => specialistId))];
  for (const id of ids) busy.claims.set(id, new Map());
  const ranges = resolved.flatMap(
    ({ offer: { service, location }, doc }) => paddedRange({ service, location, date: doc.date }) ?? [],
  );
  const from = ranges.reduce((first, range) => Math.min(first, range.from), Number.MAX_SAFE_INTEGER);
  const to = ranges.reduce((last, range) => Math.max(last, range.to), 0);
  const locations = new Map(resolved.map(({ offer: { location } }) => [location.id, location]));
  for (const [index, location] of [...locations.values()].entries()) {
    if (ranges.length === 0) break;
    const found = await readClaims(read, { specialistIds: ids, location, from, to, own: null });
    const blocks: ByDay<BlockedTime> = new Map();
    for (const block of found.blocks) addTo(blocks, block, block);
    busy.blocks.set(location.id, blocks);
    // Each query returns the claims of all specialists, at whatever location.
    if (index === 0)
      for (const claim of found.claims) addTo(busy.claims.get(claim.specialistId) ?? new Map(), claim, claim);
  }
  return busy;
}

const FIELD_OF: Record<string, string> = { service_unpublished: 'service', specialist_unavailable: 'specialist' };

const MESSAGE_OF: Record<string, string> = {
  service_unpublished: 'is not published',
  specialist_unavailable: 'does not provide this service at this location',
  nonexistent_local_time: 'does not exist on that day, because the clocks skip it',
  slot_taken: 'another appointment of the specialist, with its buffers, is in the way, or the group is full',
};

/** What the earlier rows have taken. */
type Taken = { busy: Busy; claimed: Map<SeatClaim, PlannedClaim>; references: ReadonlySet<string> };

function planRow(context: Context, one: Resolved, { busy, claimed, references }: Taken, plan: Plan): void {
  const { doc, offer, reference, locationId, serviceId, specialistId } = one;
  const refuse = (reason: string) =>
    plan.issues.push({
      row: doc.row,
      field: FIELD_OF[reason] ?? 'start_time',
      message: MESSAGE_OF[reason] ?? 'cannot be booked',
    });
  if (!offer.published) return void refuse('service_unpublished');
  if (references.has(reference)) {
    plan.issues.push({ row: doc.row, field: null, message: 'repeats an earlier row' });
    return;
  }
  const { tenantId, now } = context;
  const day = parseDay(doc.date);
  const claims = around(busy.claims.get(specialistId), day);
  const start = { date: doc.date, startTime: doc.start_time, specialistId };
  const blocks = around(busy.blocks.get(locationId), day);
  const { broken, check } = breakRules(requestOf(now, offer, start), { claims, blocks });
  if (!check.ok) return void refuse(check.reason);
  if (broken.length > 0) plan.warnings.push({ row: doc.row, rules: broken });
  const { slot } = check;
  const customer = { name: doc.customer_name, phone: doc.customer_phone, email: doc.customer_email };
  const ids = { tenantId, serviceId, locationId, ...start };
  const stated = { ...ids, customer, note: doc.note, externalReference: doc.external_reference };
  const booking = bookingOf(stated, offer, reference);
  const row = newRow({ tenantId, applicationId: null, now }, booking, slot, specialistId);
  const open = slot.specialists[0]?.openClaim ? claims.find((claim) => claim.startsAt === slot.startsAt) : undefined;
  const claim = open ?? claimOf(one, slot);
  const planned = { row, booking, slot, claim };
  plan.bookings.push(planned);
  const known = claimed.get(claim);
  // A stored claim is shared with no other plan, because it was read for this one.
  claim.taken += 1;
  if (known) known.seats += 1;
  else claimed.set(claim, { claim, isStored: open !== undefined, seats: 1, first: planned });
  if (!open) addTo(busy.claims.get(specialistId) ?? new Map(), claim, claim);
}

function claimOf({ offer: { service }, specialistId, serviceId, locationId }: Resolved, slot: BookableSlot): SeatClaim {
  return {
    specialistId,
    serviceId,
    locationId,
    capacity: service.capacity,
    taken: 0,
    durationMinutes: service.durationMinutes,
    startsAt: slot.startsAt,
    from: slot.from,
    to: slot.to,
    isOwn: false,
  };
}
