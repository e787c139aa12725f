import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { recordChange, recordChanges } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { derivedId, type IdPrefix } from '@/lib/platform/ids';
import { issuesOf, MAX_ISSUES, refusalOf } from '../edit/issues';
import type { AnyDoc, Issue, Kind, Stored } from '../edit/kind';
import { LOCATIONS } from '../edit/location-kind';
import { bookingsOutside, type Outside } from '../edit/outside';
import { auditEntry, MAX_RECORDS } from '../edit/records';
import { MAX_OFFERINGS, TOO_MANY_OFFERINGS } from '../edit/references';
import { SERVICES } from '../edit/service-kind';
import { SPECIALISTS } from '../edit/specialist-kind';
import { type By, type Change, changeCatalog, languagesOf, MAX_IMPORT_TIME } from '../edit/write';
import type { Languages } from '../records';
import { type CatalogDocument, documentSchema, LISTS, type ListName } from './document';
import { readJson } from './json';
import { type Action, planOf, type Step } from './plan';

export type Counts = Record<Action | 'unchanged', number>;

export type PlanLine = { list: ListName; action: Action; id: string; name: string; fields: string[]; absent: boolean };

export type Plan = {
  /** Hash of all records' versions. If it differs, the plan is outdated. */
  basis: string;
  counts: Record<ListName, Counts>;
  lines: PlanLine[];
  outside: Outside;
};

/** At most `MAX_ISSUES` issues, or the plan. */
export type Check = { issues: { path: string; message: string }[]; plan: Plan | null };

/** Rolls back the transaction of a trial import. */
class TrialRollback extends Error {
  constructor(readonly check: Check) {
    super();
  }
}

/**
 * Runs an import and rolls it back, so that database constraints are checked too. Returns all errors, or the plan.
 * @throws AppError invalid_request if the document violates a database constraint.
 */
export async function checkImport(now: Date, by: By, text: string): Promise<Check> {
  const read = await readDocument(by.tenantId, text);
  if (!('document' in read)) return { issues: read.issues, plan: null };
  try {
    const trial = async (change: Change): Promise<never> => {
      throw new TrialRollback({ issues: [], plan: await run(change, read.document, await unchanged(change, read)) });
    };
    return await changeCatalog(now, by, trial, MAX_IMPORT_TIME);
  } catch (error) {
    if (error instanceof TrialRollback) return error.check;
    throw error;
  }
}

/**
 * Imports a catalog in one transaction. `basis` is that of the plan that the owner confirmed.
 * @throws AppError invalid_request with the errors in the document; version_conflict if the plan is outdated.
 */
export async function applyImport(now: Date, by: By, text: string, basis: string): Promise<Plan> {
  const read = await readDocument(by.tenantId, text);
  if (!('document' in read)) throw refusalOf(read.issues.map(({ path, message }) => ({ path: [path], message })));
  if (read.basis !== basis) throw new AppError('version_conflict');
  const work = async (change: Change) => run(change, read.document, await unchanged(change, read));
  return changeCatalog(now, by, work, MAX_IMPORT_TIME);
}

const KINDS = { locations: LOCATIONS, services: SERVICES, specialists: SPECIALISTS };

type StoredAll = { [L in ListName]: Awaited<ReturnType<(typeof KINDS)[L]['read']>> };

const EMPTY: StoredAll = { locations: [], services: [], specialists: [] };

async function readStored(tx: Db, tenantId: string): Promise<StoredAll> {
  return {
    locations: await LOCATIONS.read(tx, tenantId, null),
    services: await SERVICES.read(tx, tenantId, null),
    specialists: await SPECIALISTS.read(tx, tenantId, null),
  };
}

function basisOf(stored: StoredAll): string {
  const versions = LISTS.flatMap(([list]) => stored[list].map(({ id, version }) => `${id} ${version}`));
  return createHash('sha256').update(versions.join('\n')).digest('hex');
}

/** For the versions (`basis`) and languages of one catalog. */
type Read = { document: Document; basis: string; languages: Languages };

/**
 * Before the transaction, which locks the catalog, because this can take seconds. The process handles other requests
 * between the steps, each of up to 0.2 s.
 */
async function readDocument(tenantId: string, text: string): Promise<Read | Pick<Check, 'issues'>> {
  const languages = await languagesOf(tenantId);
  const { value, issues: inText } = readJson(text, MAX_ISSUES);
  if (value === undefined) return { issues: placed(inText, languages) };
  await nextTurn();
  const parsed = documentSchema(languages).safeParse(value);
  await nextTurn();
  // Only a valid document is compared with the catalog.
  const stored = parsed.success ? await readStored(db(), tenantId) : EMPTY;
  const realId = idReader(tenantId, stored);
  const found: Issue[] = [
    ...inText,
    ...(parsed.success ? [] : issuesOf(parsed.error, languages)),
    ...crossIssues(value, realId),
    ...(parsed.success ? tooMany(stored, parsed.data, realId) : []),
  ];
  await nextTurn();
  if (!parsed.success || found.length > 0) return { issues: placed(found, languages) };
  return { document: withRealIds(parsed.data, realId), basis: basisOf(stored), languages };
}

/** @throws AppError version_conflict if the catalog has changed since the document was read. */
async function unchanged({ tx, tenantId, languages }: Change, read: Read): Promise<StoredAll> {
  const stored = await readStored(tx, tenantId);
  const isSame = basisOf(stored) === read.basis && isDeepStrictEqual(languages, read.languages);
  if (!isSame) throw new AppError('version_conflict');
  return stored;
}

/**
 * Converts an id in the document: existing ids stay, others are derived from the tenant and the id. Cached, because a
 * large document repeats the id of each service hundreds of times.
 */
function idReader(tenantId: string, stored: StoredAll) {
  const own = new Set(LISTS.flatMap(([list]) => stored[list].map(({ id }) => id)));
  const prefixes = new Map<string, IdPrefix>(Object.values(KINDS).map(({ name, prefix }) => [name, prefix]));
  const derived = new Map<string, string>();
  return (kind: string, id: string): string => {
    const prefix = prefixes.get(kind) ?? 'svc';
    if (own.has(id) && id.startsWith(`${prefix}_`)) return id;
    const key = `${prefix} ${id}`;
    const known = derived.get(key) ?? derivedId(prefix, tenantId, id);
    derived.set(key, known);
    return known;
  };
}

type IdReader = ReturnType<typeof idReader>;

/** Existing records that the document omits also count, because an import unpublishes them instead of deleting them. */
function tooMany(stored: StoredAll, document: CatalogDocument, realId: IdReader): Issue[] {
  return LISTS.flatMap(([list, kind]) => {
    const ids = new Set([...stored[list].map(({ id }) => id), ...document[list].map(({ id }) => realId(kind, id))]);
    const message = `would exceed the limit of ${MAX_RECORDS} records, counting existing records that are not in the document`;
    return ids.size > MAX_RECORDS ? [{ path: [list], message }] : [];
  });
}

function withRealIds({ locations, services, specialists }: CatalogDocument, realId: IdReader) {
  return {
    locations: locations.map(({ id, ...doc }) => ({ id: realId('location', id), doc })),
    services: services.map(({ id, ...doc }) => ({ id: realId('service', id), doc })),
    specialists: specialists.map(({ id, ...doc }) => {
      const workplaces = doc.workplaces.map((place) => ({
        ...place,
        location_id: realId('location', place.location_id),
        service_ids: place.service_ids.map((service) => realId('service', service)),
      }));
      return { id: realId('specialist', id), doc: { ...doc, workplaces } };
    }),
  };
}

type Document = ReturnType<typeof withRealIds>;

/** As JSON paths, such as `$.services[2].name.de`. One issue per path. */
function placed(issues: readonly Issue[], languages: Languages): Check['issues'] {
  const known = /^[a-z0-9_]{1,40}$/;
  const name = (part: PropertyKey) => {
    if (typeof part === 'number') return `[${part}]`;
    const text = String(part);
    return `.${known.test(text) || languages.locales.includes(text) ? text : '*'}`;
  };
  const places = new Map<string, string>();
  for (const { path, message } of issues) {
    const place = `$${path.map(name).join('')}`;
    if (!places.has(place) && places.size < MAX_ISSUES) places.set(place, message);
  }
  return [...places].map(([path, message]) => ({ path, message }));
}

async function run(change: Change, document: Document, stored: StoredAll): Promise<Plan> {
  const locations = await runList(change, LOCATIONS, stored.locations, document.locations);
  const services = await runList(change, SERVICES, stored.services, document.services);
  const specialists = await runList(change, SPECIALISTS, stored.specialists, document.specialists);
  const { tx, tenantId, actor, now, languages } = change;
  const counts = { locations: locations.counts, services: services.counts, specialists: specialists.counts };
  const name = (doc: { name?: Record<string, string>; display_name?: string }) =>
    doc.display_name ?? doc.name?.[languages.defaultLocale] ?? '';
  const lines = LISTS.flatMap(([list]) => {
    const steps: readonly Step<AnyDoc & Parameters<typeof name>[0]>[] = { locations, services, specialists }[list]
      .steps;
    return steps.map(({ action, id, after, fields, absent }) => ({
      list,
      action,
      id,
      name: name(after),
      fields,
      absent,
    }));
  });
  if (lines.length > 0) {
    const object = { kind: 'catalog', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'catalog.imported', object, after: counts });
  }
  const outside = await bookingsOutside(tx, tenantId, now, null);
  return { basis: basisOf(stored), counts, lines, outside };
}

async function runList<Doc extends AnyDoc>(
  change: Change,
  kind: Kind<Doc>,
  stored: readonly Stored<Doc>[],
  imported: readonly { id: string; doc: Doc }[],
): Promise<{ steps: Step<Doc>[]; counts: Counts }> {
  const { tx, tenantId, now } = change;
  const { steps, unchanged } = planOf(stored, imported);
  const entries = (isNew: boolean) =>
    steps.flatMap(({ action, id, after }) => ((action === 'created') === isNew ? [{ id, doc: after }] : []));
  const [added, existing] = [entries(true), entries(false)];
  if (added.length > 0) await kind.insert(tx, tenantId, added);
  if (existing.length > 0) await kind.replace(change, existing);
  await recordChanges(
    tx,
    now,
    steps.map(({ action, id, before, after }) => auditEntry(kind.name, change, action, { id, before, after })),
  );
  const count = (action: Action) => steps.filter((step) => step.action === action).length;
  const counts = { created: count('created'), updated: count('updated'), unpublished: count('unpublished'), unchanged };
  return { steps, counts };
}

// A value may have any shape, so that references are checked even if a record has other errors.
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/**
 * Returns an issue for each unknown reference and duplicate id, and one for too many offerings, at most `MAX_ISSUES`.
 * The entries of a list that is too long are not read.
 */
export function crossIssues(value: unknown, realId: (kind: string, id: string) => string): Issue[] {
  const lists = new Map(LISTS.map(([list]) => [list, listOf(fieldOf(value, list))]));
  if ([...lists.values()].some((records) => records.length > MAX_RECORDS)) return [];
  const issues: Issue[] = [];
  const add = (path: (string | number)[], message: string) => {
    if (issues.length < MAX_ISSUES) issues.push({ path, message });
  };
  for (const [list, kind] of LISTS) {
    const seen = new Set<string>();
    for (const [index, record] of (lists.get(list) ?? []).entries()) {
      const given = textOf(fieldOf(record, 'id'));
      if (given === null) continue;
      const id = realId(kind, given);
      if (seen.has(id)) add([list, index, 'id'], 'is listed twice');
      seen.add(id);
    }
  }
  const ids = (list: 'locations' | 'services') => new Set(lists.get(list)?.map((record) => fieldOf(record, 'id')));
  const known = { location: ids('locations'), service: ids('services') };
  const refer = (what: keyof typeof known, id: unknown, path: (string | number)[]) => {
    if (typeof id === 'string' && !known[what].has(id)) add(path, `must be a ${what} in this document`);
  };
  let offerings = 0;
  for (const [index, specialist] of (lists.get('specialists') ?? []).entries()) {
    for (const [at, place] of listOf(fieldOf(specialist, 'workplaces')).entries()) {
      const path = ['specialists', index, 'workplaces', at];
      const offered = listOf(fieldOf(place, 'service_ids'));
      offerings += offered.length;
      refer('location', fieldOf(place, 'location_id'), [...path, 'location_id']);
      for (const [n, id] of offered.entries()) refer('service', id, [...path, 'service_ids', n]);
    }
  }
  if (offerings > MAX_OFFERINGS) issues.push({ path: ['specialists'], message: TOO_MANY_OFFERINGS });
  return issues;
}
