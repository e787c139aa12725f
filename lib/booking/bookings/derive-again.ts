import { createHash } from 'node:crypto';
import { recordInWrite } from '@/lib/activity/audit/record';
import { pool } from '@/lib/platform/db';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import {
  boundaryInstant,
  canonicalZone,
  DAY,
  formatInstant,
  parseDay,
  parseTime,
  ZONE_RULES,
  zoneOf,
} from '@/lib/platform/time-zones';
import { exclusiveTransaction, type WriteTx } from '@/lib/platform/write-transaction';
import { bookingTimes, LOCAL_COLUMNS } from '../local-times';
import { auditedBooking, type BookingRow } from './booking';
import { bookingEvent } from './change';
import { BOOKING_COLUMNS, SERVICE_NAME } from './statements';

const PAGE = 2_000;
/** Maximum number of bookings that a transaction moves. The seats of a larger group move in several transactions. */
const BATCH = 200;

/** What the customer was told, and the instants that were derived from it. */
export type Told = Pick<
  BookingRow,
  'starts_at' | 'ends_at' | 'time_zone' | 'date' | 'start_time' | 'end_date' | 'end_time'
>;

const UPCOMING = statement<Told & { reference: string; claim_id: string }>('zone-rules-upcoming')`
  SELECT ${LOCAL_COLUMNS}, b.reference, b.starts_at, b.ends_at, b.time_zone, b.claim_id
  FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.status = 'confirmed' AND b.claim_id IS NOT NULL
    AND (b.starts_at, b.reference) > (${param.timestamptz('after')}, ${param.text('reference')})
  ORDER BY b.starts_at, b.reference LIMIT ${param.int('limit')}`;

/** Bookings of a tenant that are read together with those of other tenants. */
const FIRST = 100;

const FIRST_UPCOMING = statement<Told & { tenant_id: string }>('zone-rules-first-upcoming')`
  SELECT first.* FROM unnest(${param.texts('tenantIds')}) AS given (id) CROSS JOIN LATERAL (
    SELECT ${LOCAL_COLUMNS}, b.tenant_id, b.starts_at, b.ends_at, b.time_zone
    FROM bookings b
    WHERE b.tenant_id = given.id AND b.status = 'confirmed' AND b.claim_id IS NOT NULL
      AND b.starts_at > ${param.timestamptz('after')}
    ORDER BY b.starts_at, b.reference LIMIT ${FIRST + 1}) AS first`;

// A claim in `targets` has taken seats of another claim in an earlier transaction.
const LOCK_CLAIMS = statement<{ id: string; taken: number }>('zone-rules-lock-claims')`
  SELECT id, taken FROM slot_claims
  WHERE id = ANY(${param.uuids('claims')}) OR id = ANY(${param.uuids('targets')}) ORDER BY id FOR UPDATE`;

const LOCK_BOOKINGS = statement<BookingRow & { service_name: string }>('zone-rules-lock')`
  SELECT ${BOOKING_COLUMNS}, ${SERVICE_NAME} FROM bookings b
  WHERE b.tenant_id = ${param.text('tenantId')} AND b.reference = ANY(${param.texts('references')})
    AND b.status = 'confirmed' AND b.claim_id IS NOT NULL
  ORDER BY b.reference FOR UPDATE OF b`;

const MOVED_RANGE = sql`tstzrange(lower(coalesce(c.overlapping, c.during)) + given.minutes * interval '1 minute',
  upper(coalesce(c.overlapping, c.during)) + given.minutes * interval '1 minute')`;

// First to a range that the exclusion constraint ignores, because another claim that must still be moved may be there.
const MOVE_CLAIMS = statement<never>('zone-rules-move-claims')`
  UPDATE slot_claims c SET during = 'empty', overlapping = ${MOVED_RANGE}, taken = given.seats,
    starts_at = c.starts_at + given.minutes * interval '1 minute',
    ends_at = c.ends_at + given.minutes * interval '1 minute'
  FROM unnest(${param.uuids('ids')}, ${param.ints('minutes')}, ${param.ints('seats')}) AS given (id, minutes, seats)
  WHERE c.id = given.id`;

// Some seats of a claim move and others do not, because there are too many for one transaction, or because their bookings
// have different time zones: the location's was edited between them. A claim that already has seats of the old one
// becomes empty, so that the trigger `slot_claims_seat_overlapping` lets it take more.
const SPLIT_CLAIMS = statement<never>('zone-rules-split-claims')`
  INSERT INTO slot_claims (id, tenant_id, specialist_id, service_id, location_id, starts_at, ends_at, during,
    overlapping, capacity, taken)
  SELECT given.id, c.tenant_id, c.specialist_id, c.service_id, c.location_id,
    c.starts_at + given.minutes * interval '1 minute', c.ends_at + given.minutes * interval '1 minute', 'empty',
    ${MOVED_RANGE}, c.capacity, given.seats
  FROM unnest(${param.uuids('ids')}, ${param.uuids('claims')}, ${param.ints('minutes')}, ${param.ints('seats')})
    AS given (id, claim, minutes, seats) JOIN slot_claims c ON c.id = given.claim
  ON CONFLICT (id) DO UPDATE SET taken = slot_claims.taken + EXCLUDED.taken,
    capacity = greatest(slot_claims.capacity, slot_claims.taken + EXCLUDED.taken), during = 'empty',
    overlapping = coalesce(slot_claims.overlapping, slot_claims.during)`;

const LEAVE_CLAIMS = statement<never>('zone-rules-leave-claims')`
  UPDATE slot_claims c SET taken = c.taken - given.seats
  FROM unnest(${param.uuids('claims')}, ${param.ints('seats')}) AS given (id, seats)
  WHERE c.id = given.id AND c.taken > given.seats`;

const DELETE_CLAIMS = statement<never>('zone-rules-delete-claims')`
  DELETE FROM slot_claims WHERE id = ANY(${param.uuids('claims')})`;

const MOVE_BOOKINGS = statement<never>('zone-rules-move-bookings')`
  WITH given AS (
    SELECT * FROM unnest(${param.texts('references')}, ${param.uuids('claims')}, ${param.ints('versions')},
      ${param.timestamptzs('starts')}, ${param.timestamptzs('ends')}, ${param.texts('zones')}, ${param.dates('endDates')},
      ${param.times('endTimes')}, ${param.texts('events')}, ${param.texts('payloads')})
      AS given (reference, claim_id, version, starts_at, ends_at, time_zone, end_date, end_time, event_id, payload)),
  booking AS (
    UPDATE bookings b SET claim_id = given.claim_id, version = given.version, local_version = given.version,
      starts_at = given.starts_at, ends_at = given.ends_at, time_zone = given.time_zone,
      end_date = given.end_date, end_time = given.end_time, zone_rules = ${param.text('rules')}, updated_at = ${param.timestamptz('now')}
    FROM given WHERE b.reference = given.reference
    RETURNING b.reference, b.tenant_id, b.application_id, given.version, given.event_id, given.payload),
  event AS (
    INSERT INTO events (id, tenant_id, application_id, type, booking_reference, version, actor, payload, at)
    SELECT event_id, tenant_id, application_id, 'booking.updated', reference, version, 'system', payload,
      ${param.timestamptz('now')} FROM booking
    RETURNING id, application_id)
  INSERT INTO deliveries (id, tenant_id, application_id, event_id, next_attempt_at, created_at)
  SELECT 'dlv_' || substr(event.id, 5), endpoint.tenant_id, endpoint.application_id, event.id,
    ${param.timestamptz('now')}, ${param.timestamptz('now')}
  FROM event JOIN webhook_endpoints AS endpoint ON endpoint.application_id = event.application_id
  WHERE 'booking.updated' = ANY (endpoint.event_types)`;

// Two claims that overlap each other both stay outside of the exclusion constraint.
const SETTLE_CLAIMS = statement<never>('zone-rules-settle')`
  UPDATE slot_claims p SET during = p.overlapping, overlapping = NULL
  WHERE p.overlapping IS NOT NULL AND p.tenant_id = ${param.text('tenantId')}
    AND NOT EXISTS (SELECT FROM slot_claims c WHERE c.specialist_id = p.specialist_id AND c.id <> p.id
      AND (c.during && p.overlapping OR c.overlapping && p.overlapping))`;

const TENANTS_TO_SETTLE = `
  SELECT DISTINCT p.tenant_id AS id FROM slot_claims p WHERE p.overlapping IS NOT NULL
    AND NOT EXISTS (SELECT FROM slot_claims c WHERE c.specialist_id = p.specialist_id AND c.id <> p.id
      AND (c.during && p.overlapping OR c.overlapping && p.overlapping))
  ORDER BY 1 LIMIT 1000`;

const MARK_TENANT = statement<never>('zone-rules-tenant')`
  UPDATE tenants SET zone_rules = ${param.text('rules')}
  WHERE id = ${param.text('tenantId')} AND zone_rules IS DISTINCT FROM ${param.text('rules')}`;

/** By time zone. */
export type Moved = Record<string, number>;

/**
 * Derives the instants of a tenant's future bookings, and of their claims, from the stored local times with the rules
 * of this process, and records that this was done. A booking keeps its local date, start time, and duration. If its
 * instant or its local end moves, its version rises by one, with an event and an audit entry (contract B11). Claims that then overlap are marked, never
 * dropped.
 *
 * Each transaction moves at most 200 bookings while no other write to the tenant runs. The function can be interrupted
 * at any time and run by several processes at once: what has been moved does not move again. Returns null if `signal`
 * was aborted.
 * @throws AppError service_unavailable if the tenant stays locked, or if other rules are in force.
 */
export async function deriveTenant(now: Date, tenantId: string, signal: AbortSignal): Promise<Moved | null> {
  // Waits for the running writes of servers with other rules. All later ones are refused.
  await exclusiveTransaction(tenantId, async () => undefined);
  const move = (references: string[]) =>
    exclusiveTransaction(tenantId, (tx) => moveBookings(tx, now, tenantId, references));
  const moved: Moved = {};
  // No change of rules moves a local time by more than a day.
  let after = { after: new Date(now.getTime() - DAY * 60_000), reference: '' };
  for (;;) {
    const { rows } = await pool().query(bind(UPCOMING, { tenantId, ...after, limit: PAGE }));
    for (const references of bookingsToMove(rows, now)) {
      if (signal.aborted) return null;
      for (const zone of await move(references)) moved[zone] = (moved[zone] ?? 0) + 1;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) break;
    after = { after: last.starts_at, reference: last.reference };
  }
  await exclusiveTransaction(tenantId, async (tx) => {
    await tx.query(SETTLE_CLAIMS, { tenantId });
    await tx.query(MARK_TENANT, { tenantId, rules: ZONE_RULES });
  });
  return moved;
}

/**
 * Returns those of at most 100 tenants of which a future booking moves, or may move because there are too many. Only
 * these need `deriveTenant`, if no write with other rules is running.
 */
export async function tenantsToMove(now: Date, tenantIds: readonly string[]): Promise<Set<string>> {
  const after = new Date(now.getTime() - DAY * 60_000);
  const { rows } = await pool().query(bind(FIRST_UPCOMING, { tenantIds, after }));
  const counts = new Map<string, number>();
  const found = new Set<string>();
  for (const row of rows) {
    const count = (counts.get(row.tenant_id) ?? 0) + 1;
    counts.set(row.tenant_id, count);
    if (count > FIRST || moveOf(row, now)) found.add(row.tenant_id);
  }
  return found;
}

/** Puts claims that no longer overlap another claim back under the exclusion constraint. */
export async function settleClaims(signal: AbortSignal): Promise<void> {
  const { rows } = await pool().query<{ id: string }>(TENANTS_TO_SETTLE);
  for (const { id: tenantId } of rows) {
    if (signal.aborted) return;
    await exclusiveTransaction(tenantId, (tx) => tx.query(SETTLE_CLAIMS, { tenantId }));
  }
}

/** A claim with at most `BATCH` of them moves as a whole. The bookings must be of one tenant. */
function bookingsToMove(rows: readonly (Told & { reference: string; claim_id: string })[], now: Date): string[][] {
  const claims = new Map<string, string[]>();
  for (const row of rows) {
    if (!moveOf(row, now)) continue;
    const references = claims.get(row.claim_id);
    if (references) references.push(row.reference);
    else claims.set(row.claim_id, [row.reference]);
  }
  const batches: string[][] = [];
  for (const references of claims.values()) {
    const last = batches.at(-1);
    if (last && last.length + references.length <= BATCH) last.push(...references);
    else for (let at = 0; at < references.length; at += BATCH) batches.push(references.slice(at, at + BATCH));
  }
  return batches;
}

/**
 * To the instant of the start that the customer was told. `zone` is canonical. `minutes` is 0 if the clock changes only between
 * the start and the end.
 */
export type Move = { zone: string; end: { date: string; time: string }; minutes: number };

/**
 * Returns the move of a booking, or null. It moves only if it starts after `now`, by its stored or by its true instant.
 * A skipped local time is taken with the offset before the change, and one that occurs twice is the first.
 */
export function moveOf(row: Told, now: Date): Move | null {
  const name = canonicalZone(row.time_zone);
  if (name === null) return null;
  const zone = zoneOf(name);
  const start = boundaryInstant(zone, parseDay(row.date) * DAY + parseTime(row.start_time));
  const [stored, storedEnd] = [row.starts_at.getTime() / 60_000, row.ends_at.getTime() / 60_000];
  if (Math.max(start, stored) * 60_000 <= now.getTime()) return null;
  const end = formatInstant(zone, start + Math.floor(storedEnd - stored));
  if (start === stored && end.date === row.end_date && end.time === row.end_time) return null;
  return { zone: name, end, minutes: start - stored };
}

async function moveBookings(tx: WriteTx, now: Date, tenantId: string, references: string[]): Promise<string[]> {
  // Bookings are locked before their claims, as in every other write.
  const rows = await tx.query(LOCK_BOOKINGS, { tenantId, references });
  const moves = rows.flatMap((row) => {
    const move = moveOf(row, now);
    return move && row.claim_id ? [{ row, move, claim: row.claim_id }] : [];
  });
  if (moves.length === 0) return [];
  const { targets, emptied } = await moveSeats(
    tx,
    moves.filter(({ move }) => move.minutes !== 0),
  );
  const changes = moves.map(({ row: previous, move, claim }) => {
    const row = movedRow(previous, move, targets.get(`${claim} ${move.minutes}`) ?? claim, now);
    const event = bookingEvent({ type: 'booking.updated', row, previous, actor: 'system', cause: 'time_zone_rules' });
    return { previous, row, event };
  });
  const each = <T>(of: (change: (typeof changes)[number]) => T) => changes.map(of);
  await tx.query(MOVE_BOOKINGS, {
    references: each(({ row }) => row.reference),
    claims: each(({ row }) => row.claim_id),
    versions: each(({ row }) => row.version),
    starts: each(({ row }) => row.starts_at),
    ends: each(({ row }) => row.ends_at),
    zones: each(({ row }) => row.time_zone),
    endDates: each(({ row }) => row.end_date),
    endTimes: each(({ row }) => row.end_time),
    events: each(({ event }) => event.id),
    payloads: each(({ event }) => event.payload),
    rules: ZONE_RULES,
    now,
  });
  if (emptied.length > 0) await tx.query(DELETE_CLAIMS, { claims: emptied });
  await Promise.all(changes.map(({ previous, row }) => audit(tx, now, previous, row)));
  await tx.query(SETTLE_CLAIMS, { tenantId });
  return moves.map(({ move }) => move.zone);
}

type SeatMove = { claim: string; move: Move };
type Group = { id: string; claim: string; minutes: number; seats: number };

/** The same in every transaction, so that all seats of a group meet again. */
function targetOf(claim: string, minutes: number): string {
  const hash = createHash('sha256').update(`${claim} ${minutes} ${ZONE_RULES}`).digest('hex').slice(0, 32);
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** If all seats of a claim move together, the claim itself moves. Also returns the claims that are left without seats. */
async function moveSeats(tx: WriteTx, moves: readonly SeatMove[]) {
  const groups = new Map<string, Group>();
  const leaving = new Map<string, number>();
  for (const { claim, move } of moves) {
    const key = `${claim} ${move.minutes}`;
    const group = groups.get(key) ?? { id: targetOf(claim, move.minutes), claim, minutes: move.minutes, seats: 0 };
    groups.set(key, { ...group, seats: group.seats + 1 });
    leaving.set(claim, (leaving.get(claim) ?? 0) + 1);
  }
  const ids = { claims: [...leaving.keys()], targets: [...groups.values()].map(({ id }) => id) };
  const taken = new Map((await tx.query(LOCK_CLAIMS, ids)).map((row) => [row.id, row.taken]));
  const isWhole = ({ id, claim, seats }: Group) => seats === taken.get(claim) && !taken.has(id);
  const whole = [...groups.values()].filter(isWhole).map((group) => ({ ...group, id: group.claim }));
  const split = [...groups.values()].filter((group) => !isWhole(group));
  const columns = (list: readonly Group[]) => ({
    ids: list.map(({ id }) => id),
    minutes: list.map(({ minutes }) => minutes),
    seats: list.map(({ seats }) => seats),
  });
  const left = [...leaving].filter(([claim]) => split.some((group) => group.claim === claim));
  if (split.length > 0) {
    await tx.query(SPLIT_CLAIMS, { ...columns(split), claims: split.map(({ claim }) => claim) });
    await tx.query(LEAVE_CLAIMS, { claims: left.map(([claim]) => claim), seats: left.map(([, seats]) => seats) });
  }
  if (whole.length > 0) await tx.query(MOVE_CLAIMS, columns(whole));
  return {
    targets: new Map([...groups].map(([key, group]) => [key, isWhole(group) ? group.claim : group.id])),
    emptied: left.flatMap(([claim, seats]) => (seats === taken.get(claim) ? [claim] : [])),
  };
}

type MovedRow = BookingRow & { claim_id: string };

function movedRow(row: BookingRow, { minutes, zone, end }: Move, claim: string, now: Date): MovedRow {
  const later = (at: Date) => new Date(at.getTime() + minutes * 60_000);
  return {
    ...row,
    claim_id: claim,
    version: row.version + 1,
    starts_at: later(row.starts_at),
    ends_at: later(row.ends_at),
    time_zone: zone,
    end_date: end.date,
    end_time: end.time,
    updated_at: now,
  };
}

function audit(tx: WriteTx, now: Date, previous: BookingRow & { service_name: string }, row: MovedRow): Promise<void> {
  const about = auditedBooking({ ...row, service_name: previous.service_name });
  return recordInWrite(tx, now, {
    tenantId: row.tenant_id,
    actor: { kind: 'system' },
    action: 'booking.updated',
    object: { kind: 'booking', id: row.reference },
    before: { version: previous.version, ...about, ...movedTimes(previous) },
    after: { version: row.version, ...about, ...movedTimes(row), cause: 'time_zone_rules' },
  });
}

const movedTimes = (row: BookingRow) => ({
  starts_at: row.starts_at.toISOString(),
  end_time: bookingTimes(row).end_time,
});
