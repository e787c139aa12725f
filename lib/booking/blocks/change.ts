import type { Actor } from '@/lib/activity/audit/actor';
import { recordInWrite } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { derivedId, isId, newId } from '@/lib/platform/ids';
import { DAY, storedZone } from '@/lib/platform/time-zones';
import { exclusiveTransaction, type WriteTx } from '@/lib/platform/write-transaction';
import type { Interval } from '../availability/input';
import { closedIntervals } from '../availability/slots';
import { type Confirmed, digestOf, type Unconfirmed } from '../catalog/edit/affected';
import { MAX_CHECKED, MAX_LISTED } from '../catalog/edit/outside';
import { bookingTimes } from '../local-times';
import { type DayPart, insertDays, partsOf } from './days';
import type { BlockDoc } from './schema';
import {
  type BlockRow,
  type BookedRow,
  COUNT_BLOCKS,
  DELETE_BLOCK,
  DELETE_DAYS,
  FIND_BLOCK,
  FIND_BOOKED,
  FIND_SUBJECT,
  INSERT_BLOCK,
  UPDATE_BLOCK,
} from './statements';

/** Maximum number of a tenant's blocks that have not ended. */
const MAX_BLOCKS = 2_000;

/** `undoOf` is the audit entry of the change that this one undoes. */
type By = { tenantId: string; actor: Actor; undoOf?: string };

/** The specialist or the location whose time is blocked. Without both, it is the time of the whole business. */
export type Subject = { specialistId: string | null; locationId: string | null };

/** The result of a change: the block's id and version or, if the owner must confirm them first, the bookings inside. */
export type SavedBlock = { id: string; version: number } | Unconfirmed;

/*
 * Every change of a block takes the tenant's lock exclusively. It therefore waits until the running writes of bookings
 * end, and sees their claims. Later writes wait until the change is committed, and read the block with the same statement
 * as the claims. So of a block and a booking that are made at the same time, one always sees the other. A lock on the
 * specialist would not suffice, because a create learns only from this statement which specialist it books.
 */

/**
 * Blocks time. If confirmed bookings are inside that the owner has not confirmed by their digest, saves nothing and
 * returns them. Never changes a booking.
 * @throws AppError not_found if the specialist or the location does not exist; version_conflict if it was restored
 *   before; invalid_request if there are too many blocks; service_unavailable if the tenant stays locked.
 */
export async function createBlock(
  now: Date,
  { confirmed, ...by }: By & { confirmed: Confirmed },
  subject: Subject,
  doc: BlockDoc,
): Promise<SavedBlock> {
  const { tenantId, actor } = by;
  const subjectId = subject.specialistId ?? subject.locationId ?? tenantId;
  // A deletion can be undone once.
  const id = by.undoOf === undefined ? newId('blk') : derivedId('blk', tenantId, by.undoOf);
  const parts = partsOf(doc);
  return exclusiveTransaction(tenantId, async (tx) => {
    const today = now.toISOString().slice(0, 10);
    const [[found], [existing], [counted], unconfirmed] = await Promise.all([
      tx.query(FIND_SUBJECT, { tenantId, subjectId }),
      tx.query(FIND_BLOCK, { tenantId, id }),
      tx.query(COUNT_BLOCKS, { tenantId, today }),
      bookingsInside(tx, now, tenantId, subject, parts, [], confirmed),
    ]);
    if (!found) throw notFound();
    if ((counted?.count ?? 0) >= MAX_BLOCKS)
      throw invalidField('*', `there can be at most ${MAX_BLOCKS} blocks that have not ended`);
    if (existing) throw new AppError('version_conflict');
    if (unconfirmed) return unconfirmed;
    const createdById = actor.kind === 'owner' ? actor.id : null;
    const ids = { id, tenantId, subjectId };
    await Promise.all([
      tx.query(INSERT_BLOCK, { ...columns(doc, parts), ...subject, ...ids, version: 1, createdById, now }),
      insertDays(tx, ids, [{ id, parts }]),
      record(tx, now, by, 'block.created', id, { after: audited(subject, doc, 1) }),
    ]);
    return { id, version: 1 };
  });
}

type Target = By & { id: string; expectedVersion: number };

/**
 * Changes the times and the reason of a block, like `createBlock`. Bookings that were inside before need no
 * confirmation.
 * @throws AppError not_found; version_conflict; service_unavailable as in `createBlock`.
 */
export async function updateBlock(
  now: Date,
  { confirmed, ...target }: Target & { confirmed: Confirmed },
  doc: BlockDoc,
): Promise<SavedBlock> {
  const { tenantId, id } = target;
  const parts = partsOf(doc);
  return exclusiveTransaction(tenantId, async (tx) => {
    const row = await findBlock(tx, target);
    const subject = subjectOf(row);
    const before = partsOf(docOf(row));
    const unconfirmed = await bookingsInside(tx, now, tenantId, subject, parts, before, confirmed);
    if (unconfirmed) return unconfirmed;
    const version = row.version + 1;
    const ids = { id, tenantId, subjectId: row.subject_id };
    const states = { before: audited(subject, docOf(row), row.version), after: audited(subject, doc, version) };
    await Promise.all([
      tx.query(UPDATE_BLOCK, { ...columns(doc, parts), ...ids, version, now }),
      tx.query(DELETE_DAYS, ids),
      insertDays(tx, ids, [{ id, parts }]),
      record(tx, now, target, 'block.updated', id, states),
    ]);
    return { id, version };
  });
}

/** @throws AppError not_found; version_conflict; service_unavailable as in `createBlock`. */
export async function deleteBlock(now: Date, target: Target): Promise<void> {
  const { tenantId, id } = target;
  await exclusiveTransaction(tenantId, async (tx) => {
    const row = await findBlock(tx, target);
    await tx.query(DELETE_BLOCK, { tenantId, id });
    const before = audited(subjectOf(row), docOf(row), row.version);
    await record(tx, now, target, 'block.deleted', id, { before });
  });
}

async function findBlock(tx: WriteTx, { tenantId, id, expectedVersion }: Target): Promise<BlockRow> {
  const [row] = isId('blk', id) ? await tx.query(FIND_BLOCK, { tenantId, id }) : [];
  // Calendars own the other blocks.
  if (row?.source !== 'owner') throw notFound();
  if (row.version !== expectedVersion) throw new AppError('version_conflict');
  return row;
}

const subjectOf = (row: BlockRow): Subject => ({ specialistId: row.specialist_id, locationId: row.location_id });

/** Returns what an owner stated about a stored block. */
export function docOf({ from, to, every_weeks, weekdays, until, reason }: BlockRow): BlockDoc {
  const repeat = every_weeks !== null && until !== null ? { every_weeks, weekdays, until } : null;
  return { from, to, repeat, reason };
}

function columns({ from, to, repeat, reason }: BlockDoc, parts: readonly DayPart[]) {
  return {
    from,
    to,
    everyWeeks: repeat?.every_weeks ?? null,
    weekdays: repeat?.weekdays ?? [],
    until: repeat?.until ?? null,
    lastDay: parts.at(-1)?.day ?? 0,
    reason,
  };
}

/** Returns the confirmed bookings inside `parts` but not inside `before`, unless the owner has confirmed exactly these. */
async function bookingsInside(
  tx: WriteTx,
  now: Date,
  tenantId: string,
  subject: Subject,
  parts: readonly DayPart[],
  before: readonly DayPart[],
  confirmed: Confirmed,
): Promise<Unconfirmed | null> {
  const [first, last] = [parts[0]?.day ?? 0, parts.at(-1)?.day ?? 0];
  const dayStart = (day: number) => new Date(day * DAY * 60_000);
  const range = { from: dayStart(first - 2), to: dayStart(last + 2) };
  const rows = await tx.query(FIND_BOOKED, { tenantId, ...subject, ...range, now, limit: MAX_CHECKED + 1 });
  const isInside = insideReader(parts);
  const wasInside = insideReader(before);
  const found = rows.slice(0, MAX_CHECKED).filter((row) => isInside(row) && !wasInside(row));
  if (found.length === 0) return null;
  const digest = digestOf(found);
  if (digest === confirmed) return null;
  const listed = found.slice(0, MAX_LISTED).map((row) => {
    const { reference, service_id, service_name, location_id, location_name, specialist_id, specialist_name } = row;
    const names = { service_id, service_name, location_id, location_name, specialist_id, specialist_name };
    return { reference, reason: 'blocked' as const, ...bookingTimes(row), ...names };
  });
  return { affected: { count: found.length, complete: rows.length <= MAX_CHECKED, first: listed, digest } };
}

function insideReader(parts: readonly DayPart[]): (row: BookedRow) => boolean {
  const local = parts.map(({ day, from, to }) => ({ from: day * DAY + from, to: day * DAY + to }));
  const known = new Map<string, readonly Interval[]>();
  return ({ starts_at, ends_at, location_zone }) => {
    const closed = known.get(location_zone) ?? closedIntervals(storedZone(location_zone), local);
    known.set(location_zone, closed);
    const [from, to] = [starts_at.getTime() / 60_000, ends_at.getTime() / 60_000];
    return closed.some((interval) => interval.from < to && from < interval.to);
  };
}

function audited({ specialistId, locationId }: Subject, { from, to, repeat, reason }: BlockDoc, version: number) {
  const repeated = repeat && { ...repeat, weekdays: [...repeat.weekdays] };
  return { specialist_id: specialistId, location_id: locationId, from, to, repeat: repeated, reason, version };
}

type States = { before?: ReturnType<typeof audited>; after?: ReturnType<typeof audited> };

function record(tx: WriteTx, now: Date, by: By, action: string, id: string, states: States): Promise<void> {
  const { tenantId, actor, undoOf } = by;
  const after = undoOf === undefined ? states.after : { ...states.after, undo_of: undoOf };
  return recordInWrite(tx, now, { tenantId, actor, action, object: { kind: 'block', id }, ...states, after });
}
