import { recordChanges } from '@/lib/activity/audit/record';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { isId } from '@/lib/platform/ids';
import { type Confirmed, changeConfirmed, type Unconfirmed } from './affected';
import { changedFields } from './difference';
import { exceptions, MAX_EXCEPTIONS } from './hours';
import { refusalOf } from './issues';
import type { AnyDoc, Entry, Issue, Kind, Stored } from './kind';
import { LOCATIONS } from './location-kind';
import type { Outside } from './outside';
import { auditEntry, type Verb } from './records';
import { type LocationDoc, price, type ServiceDoc } from './schemas';
import { SERVICES } from './service-kind';
import type { By, Change } from './write';

export const MAX_CLOSED_DAYS = 62;

const DAY = 86_400_000;

/**
 * `changed` records, the future bookings of the records that are `outside` the catalog after the change, and the audit entries
 * with which the change can be undone.
 */
export type BulkResult = { changed: number; outside: Outside; undo: string[] } | Unconfirmed;

type Many = By & { ids: readonly string[]; confirmed?: Confirmed };

/**
 * Changes several records of one kind, or none, like `changeConfirmed`. Unaltered records keep their versions. `edit`
 * must keep the records valid, because their validation would take long in the transaction.
 * @throws AppError not_found if a record does not exist; errors from `edit`.
 */
async function changeRecords<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  now: Date,
  { ids, confirmed, ...by }: Many,
  how: Verb,
  edit: (record: Stored<Doc>) => Doc,
): Promise<BulkResult> {
  const scope = { kind: kind.name, ids };
  return changeConfirmed(now, { ...by, confirmed, scope }, async (change) => {
    const { tx, tenantId } = change;
    const known = [...new Set(ids)].filter((id) => isId(kind.prefix, id));
    const stored = await kind.read(tx, tenantId, known);
    if (stored.length !== new Set(ids).size) throw notFound();
    const edited = stored.flatMap((record) => {
      const after = edit(record);
      return changedFields(record.doc, after).length > 0 ? [{ id: record.id, before: record.doc, after }] : [];
    });
    return { changed: edited.length, undo: await saveEdited(kind, change, how, edited) };
  });
}

/** `undoOf` is the audit entry of the change that this one undoes. */
type Edited<Doc> = Omit<Entry<Doc>, 'doc'> & { before: Doc; after: Doc; undoOf?: string };

/** Replaces the records, and returns the ids of their audit entries. */
export async function saveEdited<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  change: Change,
  how: Verb,
  edited: readonly Edited<Doc>[],
): Promise<string[]> {
  if (edited.length === 0) return [];
  await kind.replace(
    change,
    edited.map(({ id, after }) => ({ id, doc: after })),
  );
  const lines = edited.map(({ undoOf, ...entry }) => {
    const line = auditEntry(kind.name, change, how, entry);
    return undoOf === undefined ? line : { ...line, after: { ...line.after, undo_of: undoOf } };
  });
  return recordChanges(change.tx, change.now, lines);
}

function within(field: string) {
  return ({ path, message }: Issue): Issue => ({ path: [field, ...path], message });
}

/** Publishes or unpublishes several records, without a check of their versions. */
export function setPublishedMany<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  now: Date,
  many: Many,
  published: boolean,
): Promise<BulkResult> {
  const how = published ? 'published' : 'unpublished';
  return changeRecords(kind, now, many, how, ({ doc }) => ({ ...doc, published }));
}

/** `YYYY-MM-DD`, inclusive. */
export type Closure = { from: string; to: string };

/** Returns every date of a closure, from the first to the last. */
export function datesOf({ from, to }: Closure): string[] {
  const first = Date.parse(from);
  const count = Math.floor((Date.parse(to) - first) / DAY) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, day) => new Date(first + day * DAY).toISOString().slice(0, 10));
}

/** A date (`YYYY-MM-DD`) on which locations are closed, with its note. */
export type ClosedDay = { date: string; note: string | null };

/**
 * The closures replace exceptions on the same dates.
 * @throws AppError invalid_request if the location would have too many exceptions.
 */
function closed(doc: LocationDoc, days: readonly ClosedDay[]): LocationDoc {
  const dates = new Set(days.map(({ date }) => date));
  const others = doc.exceptions.filter(({ date }) => !dates.has(date));
  if (others.length + dates.size > MAX_EXCEPTIONS)
    throw refusalOf([{ path: ['exceptions'], message: `must contain at most ${MAX_EXCEPTIONS} entries` }]);
  const added = days.map((day) => ({ ...day, hours: [] }));
  return { ...doc, exceptions: [...others, ...added].sort((a, b) => (a.date < b.date ? -1 : 1)) };
}

/** @throws AppError invalid_request if a date or the note is invalid; errors of `changeRecords`. */
export async function closeLocations(now: Date, many: Many, days: readonly ClosedDay[]): Promise<BulkResult> {
  const parsed = exceptions.safeParse(days);
  if (!parsed.success) throw refusalOf(parsed.error.issues.map(within('exceptions')));
  return changeRecords(LOCATIONS, now, many, 'updated', ({ doc }) => closed(doc, days));
}

type Price = NonNullable<ServiceDoc['price']>;

/** `before` is the price that the owner's preview showed. */
export type PriceChange = { id: string; before: Price; amount: number };

/**
 * Changes the prices of several services. Currencies stay the same.
 * @throws AppError invalid_request if a price is invalid; version_conflict if one has changed since the preview.
 */
export async function changePrices(now: Date, by: By, changes: readonly PriceChange[]): Promise<BulkResult> {
  for (const { before, amount } of changes) {
    const parsed = price.safeParse({ ...before, amount });
    if (!parsed.success) throw refusalOf(parsed.error.issues.map(within('price')));
  }
  const byId = new Map(changes.map((change) => [change.id, change]));
  const many = { ...by, ids: changes.map(({ id }) => id) };
  return changeRecords(SERVICES, now, many, 'updated', ({ id, doc }) => {
    const change = byId.get(id);
    if (!change || doc.price?.amount !== change.before.amount || doc.price.currency !== change.before.currency)
      throw new AppError('version_conflict');
    return { ...doc, price: { ...doc.price, amount: change.amount } };
  });
}
