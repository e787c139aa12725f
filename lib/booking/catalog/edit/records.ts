import { isDeepStrictEqual } from 'node:util';
import { type AuditedChange, recordChange } from '@/lib/activity/audit/record';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { isId, newId } from '@/lib/platform/ids';
import { type Confirmed, changeConfirmed, type Unconfirmed } from './affected';
import { changedFields, pick } from './difference';
import { issuesOf, refusalOf } from './issues';
import type { AnyDoc, Entry, Kind, KindName, Stored } from './kind';
import { NOTHING_OUTSIDE, type Outside } from './outside';
import { type By, type Change, changeCatalog, languagesOf } from './write';

/** Of one kind per tenant, because the catalog is kept in memory. */
export const MAX_RECORDS = 1_000;

/** `outside`: bookings that are now outside the catalog. */
export type Saved = { id: string; version: number; outside: Outside };

type Target = By & {
  id: string;
  expectedVersion: number;
  /** See `changeConfirmed`. */
  confirmed?: Confirmed;
};

/** Creates an unpublished record for the tenant. @throws AppError invalid_request with the invalid fields. */
export async function createRecord<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  now: Date,
  by: By,
  input: object,
): Promise<Saved> {
  const parsed = await parseRecord(kind, by.tenantId, input);
  return changeCatalog(now, by, async (change) => {
    const { tx, tenantId } = change;
    const doc = parsed.in(change);
    const id = newId(kind.prefix);
    await check(kind, change, { id, doc });
    if ((await kind.count(tx, tenantId)) >= MAX_RECORDS) {
      throw refusalOf([{ path: ['*'], message: `there can be at most ${MAX_RECORDS} ${kind.name}s` }]);
    }
    await kind.insert(tx, tenantId, [{ id, doc }]);
    await recordChange(tx, now, auditEntry(kind.name, change, 'created', { id, after: doc }));
    return { id, version: 1, outside: NOTHING_OUTSIDE };
  });
}

/**
 * Replaces all fields of a record except its publication state, like `changeConfirmed`. Bookings stay as they are.
 * @throws AppError not_found; invalid_request; version_conflict if the record does not have the expected version.
 */
export async function updateRecord<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  now: Date,
  { id, expectedVersion, ...by }: Target,
  input: object,
): Promise<Saved | Unconfirmed> {
  const parsed = await parseRecord(kind, by.tenantId, input);
  return changeConfirmed(now, changeOf(kind, id, by), (change) =>
    replaceFields(kind, change, { id, expectedVersion }, parsed),
  );
}

/** Runs in the transaction of `change`. `parseRecord` returns `parsed`. @throws AppError like `updateRecord`. */
export async function replaceFields<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  change: Change,
  { id, expectedVersion }: { id: string; expectedVersion: number },
  parsed: Parsed<Doc>,
): Promise<Omit<Saved, 'outside'>> {
  const before = await lockedRecord(kind, change, id, expectedVersion);
  const doc = { ...parsed.in(change), published: before.doc.published };
  await check(kind, change, { id, doc });
  return replace(kind, change, before, doc, 'updated');
}

/**
 * Publishes or unpublishes a record, in every instance within one second, like `changeConfirmed`. Bookings stay.
 * @throws AppError not_found; version_conflict if the record does not have the expected version.
 */
export async function setPublished<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  now: Date,
  { id, expectedVersion, ...by }: Target,
  published: boolean,
): Promise<Saved | Unconfirmed> {
  return changeConfirmed(now, changeOf(kind, id, by), async (change) => {
    const before = await lockedRecord(kind, change, id, expectedVersion);
    const doc = { ...before.doc, published };
    return replace(kind, change, before, doc, published ? 'published' : 'unpublished');
  });
}

function changeOf(
  kind: { name: KindName },
  id: string,
  { tenantId, actor, confirmed }: Omit<Target, 'id' | 'expectedVersion'>,
) {
  return { tenantId, actor, confirmed, scope: { kind: kind.name, ids: [id] } };
}

/** Returns one of the tenant's records. @throws AppError not_found. */
export async function readRecord<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  tenantId: string,
  id: string,
): Promise<Stored<Doc>> {
  const [record] = isId(kind.prefix, id) ? await kind.read(db(), tenantId, [id]) : [];
  if (!record) throw notFound();
  return record;
}

/**
 * `in` returns the validated fields within the transaction, or throws AppError version_conflict if the tenant's
 * languages have changed.
 */
export type Parsed<Doc> = { in: (change: Change) => Doc };

/**
 * Validates the fields of a record before the transaction, which locks the catalog, because that can take long.
 * @throws AppError invalid_request with the invalid fields.
 */
export async function parseRecord<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  tenantId: string,
  input: object,
): Promise<Parsed<Doc>> {
  const languages = await languagesOf(tenantId);
  const parsed = kind.schema(languages).safeParse({ ...input, published: false });
  if (!parsed.success) throw refusalOf(issuesOf(parsed.error, languages));
  return {
    in: (change) => {
      if (!isDeepStrictEqual(change.languages, languages)) throw new AppError('version_conflict');
      return parsed.data;
    },
  };
}

async function check<Doc extends AnyDoc>(kind: Kind<Doc>, change: Change, entry: Entry<Doc>): Promise<void> {
  const issues = (await kind.check?.(change.tx, change.tenantId, entry)) ?? [];
  if (issues.length > 0) throw refusalOf(issues);
}

async function lockedRecord<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  { tx, tenantId }: Change,
  id: string,
  expectedVersion: number,
): Promise<Stored<Doc>> {
  const [record] = isId(kind.prefix, id) ? await kind.read(tx, tenantId, [id]) : [];
  if (!record) throw notFound();
  if (record.version !== expectedVersion) throw new AppError('version_conflict');
  return record;
}

async function replace<Doc extends AnyDoc>(
  kind: Kind<Doc>,
  change: Change,
  { id, version, doc: before }: Stored<Doc>,
  after: Doc,
  how: Verb,
): Promise<Omit<Saved, 'outside'>> {
  const { tx, now } = change;
  // A new version would make the saves of other owners who are editing the record fail.
  const changed = changedFields(before, after).length > 0;
  if (changed) {
    await kind.replace(change, [{ id, doc: after }]);
    await recordChange(tx, now, auditEntry(kind.name, change, how, { id, before, after }));
  }
  return { id, version: changed ? version + 1 : version };
}

/** After the dot of an audit action, as in `service.created`. */
export type Verb = 'created' | 'updated' | 'published' | 'unpublished';

/** Returns the audit entry for a change, with all fields of a new record or the changed fields of an existing one. */
export function auditEntry<Doc extends AnyDoc>(
  kind: KindName,
  { tenantId, actor }: By,
  how: Verb,
  { id, before, after }: { id: string; before?: Doc; after: Doc },
): AuditedChange {
  const names = before ? changedFields(before, after) : Object.keys(after);
  return {
    tenantId,
    actor,
    action: `${kind}.${how}`,
    object: { kind, id },
    before: before && pick(before, names),
    after: pick(after, names),
  };
}
