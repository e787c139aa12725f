import { z } from 'zod';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import type { AuditLog, Prisma } from '@/lib/platform/generated/prisma/client';
import { createBlock, deleteBlock, type SavedBlock, updateBlock } from './blocks/change';
import { blockSchema } from './blocks/schema';
import { type Confirmed, changeConfirmed, type Unconfirmed } from './catalog/edit/affected';
import { saveEdited } from './catalog/edit/bulk';
import { changedFields, pick } from './catalog/edit/difference';
import { exceptions } from './catalog/edit/hours';
import type { AnyDoc, Kind } from './catalog/edit/kind';
import { LOCATIONS } from './catalog/edit/location-kind';
import { isSame, nextPrices, replaceNext, SCHEDULING, todayOf } from './catalog/edit/scheduled-prices';
import { price } from './catalog/edit/schemas';
import { SERVICES } from './catalog/edit/service-kind';
import { SPECIALISTS } from './catalog/edit/specialist-kind';
import { type By, changeCatalog } from './catalog/edit/write';

const UNDO_MS = 86_400_000;

type Entry = Pick<AuditLog, 'id' | 'at' | 'action' | 'objectKind' | 'objectId' | 'before' | 'after'>;

const BLOCK_ACTIONS = ['block.created', 'block.updated', 'block.deleted'];
const RECORD_ACTION = /^(service|location|specialist)\.(updated|published|unpublished)$/;

// What closures and changes of several records set. These fields refer to no other record, so the old values stay valid.
const fields = z.strictObject({
  published: z.boolean().optional(),
  price: price.nullable().optional(),
  exceptions: exceptions.optional(),
});

const CHANGED = 'This was changed since, or undone before. It cannot be undone.';

const MAX_NAMES = 5;

/** `names` are those of the records that were changed, if several were to be undone. */
function refused(names: readonly string[] = []): AppError {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '';
  const listed = `${names.slice(0, MAX_NAMES).join(', ')}${more}`;
  const message = names.length === 0 ? CHANGED : `Nothing was undone: ${listed} changed since, or undone before.`;
  return new AppError('version_conflict', { message });
}

const scheduled = z.object({
  scheduled_price: z.strictObject({ amount: z.int(), currency: z.string(), valid_from: z.string() }).nullable(),
});

const isScheduling = ({ action }: Pick<Entry, 'action'>) => SCHEDULING.some((one) => one === action);

function isReversible({ action, before }: Pick<Entry, 'action' | 'before'>): boolean {
  if (isScheduling({ action })) return scheduled.safeParse(before).success;
  return BLOCK_ACTIONS.includes(action) || (RECORD_ACTION.test(action) && fields.safeParse(before).success);
}

const isRecent = (now: Date, { at }: Pick<Entry, 'at'>) => now.getTime() - at.getTime() <= UNDO_MS;

async function changedSince(tx: Db, tenantId: string, entries: readonly Pick<Entry, 'id'>[]): Promise<Set<string>> {
  if (entries.length === 0) return new Set();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT e.id FROM audit_log e WHERE e.tenant_id = ${tenantId} AND e.id = ANY (${entries.map(({ id }) => id)})
      AND EXISTS (SELECT FROM audit_log g
        WHERE g.tenant_id = e.tenant_id AND g.object_id = e.object_id AND g.at >= e.at AND (g.at, g.id) > (e.at, e.id))`;
  return new Set(rows.map(({ id }) => id));
}

type Shown = { id: string; at: Date; action: string; object_id: string; before: unknown };

/** Returns the ids of those audit entries of a tenant whose change can be undone at the moment. */
export async function reversible(now: Date, tenantId: string, lines: readonly Shown[]): Promise<Set<string>> {
  const entries = lines
    .map(({ object_id: objectId, before, ...line }) => ({ ...line, objectId, before: before as Prisma.JsonValue }))
    .filter((entry) => isRecent(now, entry) && isReversible(entry));
  const changed = await changedSince(db(), tenantId, entries);
  return new Set(entries.flatMap(({ id }) => (changed.has(id) ? [] : [id])));
}

/** How many objects an undo has changed, or the bookings that an owner must confirm first. */
export type Undone = { changed: number } | Unconfirmed;

/**
 * Undoes the changes of audit entries: of one block, or of several records with one action. Undoes all of them or none.
 * The undo has audit entries like any other change, with the entry that it undoes.
 * @throws AppError not_found without an entry; invalid_request for an entry that is older than a day or of another kind;
 *   version_conflict if something was changed since.
 */
export async function undoChanges(
  now: Date,
  { tenantId, actor, confirmed }: By & { confirmed: Confirmed },
  ids: readonly string[],
): Promise<Undone> {
  const by = { tenantId, actor, confirmed };
  const unique = [...new Set(ids)];
  const entries = await db().auditLog.findMany({ where: { tenantId, id: { in: unique } }, orderBy: { id: 'asc' } });
  const [first] = entries;
  if (!first || entries.length !== unique.length) throw notFound();
  if (!entries.every((entry) => isRecent(now, entry) && isReversible(entry)))
    throw invalidField('entry_ids', 'must be changes of the last 24 hours that can be undone');
  const [block, ...others] = entries.filter(({ objectKind }) => objectKind === 'block');
  if (block && entries.length === 1) return undoBlock(now, by, block);
  const objects = new Set(entries.map(({ objectId }) => objectId));
  if (
    block ||
    others.length > 0 ||
    objects.size !== entries.length ||
    entries.some(({ action }) => action !== first.action)
  )
    throw invalidField('entry_ids', 'must be entries of one change');
  if (isScheduling(first)) return undoScheduling(now, by, entries);
  if (first.objectKind === 'service') return undoRecords(SERVICES, now, by, entries);
  if (first.objectKind === 'location') return undoRecords(LOCATIONS, now, by, entries);
  return undoRecords(SPECIALISTS, now, by, entries);
}

type Undoing = By & { confirmed: Confirmed };

async function undoRecords<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  now: Date,
  by: Undoing,
  entries: readonly Entry[],
): Promise<Undone> {
  const ids = entries.map(({ objectId }) => objectId);
  const scope = { kind: kind.name, ids };
  return changeConfirmed(now, { ...by, scope }, async (change) => {
    const { tx, tenantId } = change;
    const changed = await changedSince(tx, tenantId, entries);
    const stored = new Map((await kind.read(tx, tenantId, ids)).map((record) => [record.id, record.doc]));
    const others: string[] = [];
    const edited = entries.flatMap(({ id: undoOf, objectId: id, before: old, after: now }) => {
      const doc = stored.get(id);
      if (!doc) throw refused();
      const before = fields.parse(old);
      const { undo_of: _, ...after } = Object(now) as Record<string, unknown>;
      if (!changed.has(undoOf) && changedFields(pick(doc, Object.keys(before)), after).length === 0)
        return [{ id, before: doc, after: { ...doc, ...before }, undoOf }];
      others.push(nameOf(doc, change.languages.defaultLocale) ?? id);
      return [];
    });
    if (others.length > 0) throw refused(entries.length === 1 ? [] : others);
    const how = edited.every(({ before, after }) => before.published === after.published)
      ? 'updated'
      : edited[0]?.after.published
        ? 'published'
        : 'unpublished';
    await saveEdited(kind, change, how, edited);
    return { changed: edited.length };
  }).then((result) => ('affected' in result ? result : { changed: result.changed }));
}

async function undoScheduling(now: Date, by: By, entries: readonly Entry[]): Promise<Undone> {
  return changeCatalog(now, by, async (change) => {
    const { tx, tenantId, languages } = change;
    const ids = entries.map(({ objectId }) => objectId);
    const [current, today, changed] = [
      await nextPrices(tx, tenantId, ids),
      await todayOf(tx, now, tenantId),
      await changedSince(tx, tenantId, entries),
    ];
    const names = new Map((await SERVICES.read(tx, tenantId, ids)).map(({ id, doc }) => [id, doc.name]));
    const next = entries.map(({ id, objectId, before, after }) => {
      const [old, made] = [scheduled.parse(before).scheduled_price, scheduled.parse(after).scheduled_price];
      // A date that has come cannot be scheduled again.
      const isOpen = old === null || old.valid_from > today;
      return { id, objectId, old, isFree: isOpen && !changed.has(id) && isSame(current.get(objectId) ?? null, made) };
    });
    const others = next.filter(({ isFree }) => !isFree);
    const nameOfService = ({ objectId }: { objectId: string }) =>
      names.get(objectId)?.[languages.defaultLocale] ?? objectId;
    if (others.length > 0) throw refused(entries.length === 1 ? [] : others.map(nameOfService));
    const result = await replaceNext(
      change,
      new Map(next.map(({ objectId, old }) => [objectId, old])),
      new Map(next.map(({ objectId, id }) => [objectId, id])),
    );
    return { changed: result.changed };
  });
}

function nameOf(doc: object, locale: string): string | undefined {
  const { name, display_name: displayName } = doc as { name?: Record<string, string>; display_name?: string };
  return displayName ?? name?.[locale];
}

const blockState = z
  .looseObject({ specialist_id: z.string().nullable(), location_id: z.string().nullable(), version: z.int() })
  .transform(({ specialist_id: specialistId, location_id: locationId, version, from, to, repeat, reason }) => ({
    subject: { specialistId, locationId },
    version,
    doc: blockSchema.parse({ from, to, repeat, reason }),
  }));

async function undoBlock(now: Date, by: Undoing, { id: undoOf, objectId: id, before, after }: Entry): Promise<Undone> {
  const owner = { tenantId: by.tenantId, actor: by.actor, undoOf };
  try {
    const old = before === null ? null : blockState.parse(before);
    const made = blockState.safeParse(after).data;
    if (!old && made) await deleteBlock(now, { ...owner, id, expectedVersion: made.version });
    else if (old) {
      const target = { ...owner, id, expectedVersion: made?.version ?? 0, confirmed: by.confirmed };
      const saved: SavedBlock = made
        ? await updateBlock(now, target, old.doc)
        : await createBlock(now, { ...owner, confirmed: by.confirmed }, old.subject, old.doc);
      if ('affected' in saved) return saved;
    }
    return { changed: 1 };
  } catch (error) {
    // The block, or what it blocked, is gone or has another version.
    if (error instanceof AppError && ['not_found', 'version_conflict'].includes(error.code)) throw refused();
    throw error;
  }
}
