import { recordChange } from '@/lib/activity/audit/record';
import { invalidField } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { isId } from '@/lib/platform/ids';
import { type Confirmed, changeConfirmed, type Unconfirmed } from './affected';
import type { Stored } from './kind';
import { auditEntry, parseRecord, readRecord, replaceFields, type Saved } from './records';
import { checkReferences } from './references';
import type { SpecialistDoc } from './schemas';
import { SERVICES } from './service-kind';
import { SPECIALISTS } from './specialist-kind';
import type { By, Change } from './write';

type OfferedBy = { specialist_id: string; location_id: string };

/** Returns a service with its offerings, ordered by specialist and location. @throws AppError not_found. */
export async function readService(tenantId: string, serviceId: string) {
  const { id, version, doc } = await readRecord(SERVICES, tenantId, serviceId);
  const rows = await db().offering.findMany({
    where: { tenantId, serviceId },
    orderBy: [{ specialistId: 'asc' }, { locationId: 'asc' }],
  });
  const offered_by: OfferedBy[] = rows.map((row) => ({ specialist_id: row.specialistId, location_id: row.locationId }));
  return { id, version, record: { ...doc, offered_by } };
}

type Input = { add: readonly OfferedBy[]; remove: readonly OfferedBy[] };

type ServiceChange = By & { id: string; expectedVersion: number; confirmed?: Confirmed };

/**
 * Replaces the fields of a service, and adds and removes offerings, in one transaction. Other offerings stay, so two
 * owners can change different ones. A changed specialist gets a new version, so that an owner with the form open gets a
 * conflict.
 * @throws AppError like `updateRecord`; invalid_request for an unknown specialist or location, or too many offerings.
 */
export async function updateService(
  now: Date,
  { id, expectedVersion, confirmed, ...by }: ServiceChange,
  input: object,
  offerings: Input,
): Promise<Saved | Unconfirmed> {
  const scope = { kind: 'service', ids: [id] } as const;
  const parsed = await parseRecord(SERVICES, by.tenantId, input);
  return changeConfirmed(now, { ...by, confirmed, scope }, async (change) => {
    const saved = await replaceFields(SERVICES, change, { id, expectedVersion }, parsed);
    await applyOfferings(change, id, offerings);
    return saved;
  });
}

async function applyOfferings(change: Change, serviceId: string, input: Input): Promise<void> {
  const { tx, tenantId } = change;
  const ids = [...new Set([...input.add, ...input.remove].map((pair) => pair.specialist_id))];
  const known = ids.filter((id) => isId('spc', id));
  const specialists = await SPECIALISTS.read(tx, tenantId, known);
  if (specialists.length !== ids.length) throw invalidField('specialist_id', 'must be a specialist in this catalog');
  for (const specialist of specialists) await save(change, specialist, withOfferings(specialist, serviceId, input));
}

/** A new location becomes a workplace without hours. */
function withOfferings({ id, doc }: Stored<SpecialistDoc>, serviceId: string, { add, remove }: Input): SpecialistDoc {
  const placesOf = (pairs: readonly OfferedBy[]) =>
    new Set(pairs.flatMap((pair) => (pair.specialist_id === id ? [pair.location_id] : [])));
  const [added, removed] = [placesOf(add), placesOf(remove)];
  const known = new Set(doc.workplaces.map((place) => place.location_id));
  const fresh = [...added].filter((place) => !known.has(place));
  const empty = fresh.map((location_id) => ({ location_id, service_ids: [], hours: [], exceptions: [] }));
  const workplaces = [...doc.workplaces, ...empty].map((place) => {
    const others = place.service_ids.filter((other) => other !== serviceId);
    const offers = place.service_ids.includes(serviceId) && !removed.has(place.location_id);
    return { ...place, service_ids: offers || added.has(place.location_id) ? [...others, serviceId] : others };
  });
  return { ...doc, workplaces };
}

async function save(change: Change, { id, doc: before }: Stored<SpecialistDoc>, after: SpecialistDoc): Promise<void> {
  const { tx, tenantId, now } = change;
  const entry = auditEntry('specialist', change, 'updated', { id, before, after });
  if (Object.keys(entry.after ?? {}).length === 0) return;
  const [issue] = await checkReferences(tx, tenantId, { id, doc: after });
  if (issue) throw invalidField('location_id', issue.message);
  await SPECIALISTS.replace(change, [{ id, doc: after }]);
  await recordChange(tx, now, entry);
}
