import { createHash } from 'node:crypto';
import { recordChange, recordChanges } from '@/lib/activity/audit/record';
import { AppError } from '@/lib/contract/errors/app-error';
import { derivedId } from '@/lib/platform/ids';
import { issuesOf, refusalOf } from '../edit/issues';
import type { AnyDoc, Issue, Kind, Stored } from '../edit/kind';
import { LOCATIONS } from '../edit/location-kind';
import { bookingsOutside, type Outside } from '../edit/outside';
import { auditLine, MAX_RECORDS } from '../edit/records';
import { SERVICES } from '../edit/service-kind';
import { SPECIALISTS } from '../edit/specialist-kind';
import { type By, type Change, changeCatalog } from '../edit/write';
import { type CatalogDocument, documentSchema, LISTS, type ListName } from './document';
import { readJson } from './json';
import { type Action, planOf, type Step } from './plan';
import { crossIssues } from './references';

/** What becomes of the records of one list. */
export type Counts = Record<Action | 'unchanged', number>;

/** One record that an import changes, as the page shows it. */
export type PlanLine = { list: ListName; action: Action; id: string; name: string; fields: string[]; absent: boolean };

/** What an import does, and the bookings that the catalog would not offer any more. */
export type Plan = {
  /** Names the catalog that was planned upon: once it has changed, the plan is no longer true. */
  basis: string;
  counts: Record<ListName, Counts>;
  lines: PlanLine[];
  outside: Outside;
};

/** Either what is wrong, every place of it, or what would be done. */
export type Check = { issues: { path: string; message: string }[]; plan: Plan | null };

/** Thrown to undo an import that was only tried. */
class Tried extends Error {
  constructor(readonly check: Check) {
    super();
  }
}

/**
 * Tries an import and undoes it: returns everything that is wrong with the document, or what it would change. So
 * nothing is promised that the database would refuse.
 * @throws AppError invalid_request when the database has a reason of its own to refuse.
 */
export async function checkImport(now: Date, by: By, text: string): Promise<Check> {
  try {
    return await changeCatalog(now, by, async (change): Promise<never> => {
      const { issues, document, stored } = await readDocument(change, text);
      throw new Tried({ issues, plan: document && (await run(change, document, stored)) });
    });
  } catch (error) {
    if (error instanceof Tried) return error.check;
    throw error;
  }
}

/**
 * Imports a whole catalog, all of it or nothing, as it was planned.
 * @throws AppError invalid_request naming the places, or version_conflict when the catalog is not the one that the
 *   plan was made upon.
 */
export async function applyImport(now: Date, by: By, text: string, basis: string): Promise<Plan> {
  return changeCatalog(now, by, async (change) => {
    const { issues, document, stored } = await readDocument(change, text);
    if (!document) throw refusalOf(issues.map(({ path, message }) => ({ path: [path], message })));
    if (basisOf(stored) !== basis) throw new AppError('version_conflict');
    return run(change, document, stored);
  });
}

const KINDS = { locations: LOCATIONS, services: SERVICES, specialists: SPECIALISTS };

type StoredAll = { [L in ListName]: Awaited<ReturnType<(typeof KINDS)[L]['read']>> };

async function readStored({ tx, tenantId }: Change): Promise<StoredAll> {
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

async function readDocument(change: Change, text: string) {
  const stored = await readStored(change);
  const { value, issues: inText } = readJson(text);
  const realId = idReader(change.tenantId, stored);
  const parsed = documentSchema(change.languages).safeParse(value);
  const found: Issue[] = [
    ...inText,
    ...(value === undefined || parsed.success ? [] : issuesOf(parsed.error, change.languages)),
    ...crossIssues(value, realId),
    ...(parsed.success ? tooMany(stored, parsed.data, realId) : []),
  ];
  const document = parsed.success && found.length === 0 ? withRealIds(parsed.data, realId) : null;
  return { issues: placed(found, change), document, stored };
}

/** An id of this catalog names its record; every other name has one id in this tenant, for ever. */
function idReader(tenantId: string, stored: StoredAll) {
  const own = new Set(LISTS.flatMap(([list]) => stored[list].map(({ id }) => id)));
  const kinds = Object.values(KINDS);
  return (kind: string, id: string): string => {
    const prefix = kinds.find(({ name }) => name === kind)?.prefix ?? 'svc';
    return own.has(id) && id.startsWith(`${prefix}_`) ? id : derivedId(prefix, tenantId, id);
  };
}

type IdReader = ReturnType<typeof idReader>;

/** What a document leaves out stays, unpublished, and counts too. */
function tooMany(stored: StoredAll, document: CatalogDocument, realId: IdReader): Issue[] {
  return LISTS.flatMap(([list, kind]) => {
    const ids = new Set([...stored[list].map(({ id }) => id), ...document[list].map(({ id }) => realId(kind, id))]);
    const message = `would be more than ${MAX_RECORDS} in all, with those that the document leaves out`;
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

/** Each place once, in the order of the document, as a JSON path: `$.services[2].name.de`. */
function placed(issues: readonly Issue[], { languages }: Change): Check['issues'] {
  const known = /^[a-z0-9_]{1,40}$/;
  const name = (part: PropertyKey) => {
    if (typeof part === 'number') return `[${part}]`;
    const text = String(part);
    return `.${known.test(text) || languages.locales.includes(text) ? text : '*'}`;
  };
  const places = new Map<string, string>();
  for (const { path, message } of issues) {
    const place = `$${path.map(name).join('')}`;
    if (!places.has(place)) places.set(place, message);
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
  wanted: readonly { id: string; doc: Doc }[],
): Promise<{ steps: Step<Doc>[]; counts: Counts }> {
  const { tx, tenantId, now } = change;
  const { steps, unchanged } = planOf(stored, wanted);
  const entries = (isNew: boolean) =>
    steps.flatMap(({ action, id, after }) => ((action === 'created') === isNew ? [{ id, doc: after }] : []));
  const [fresh, known] = [entries(true), entries(false)];
  if (fresh.length > 0) await kind.insert(tx, tenantId, fresh);
  if (known.length > 0) await kind.replace(tx, tenantId, known);
  await recordChanges(
    tx,
    now,
    steps.map(({ action, id, before, after }) => auditLine(kind.name, change, action, { id, before, after })),
  );
  const count = (action: Action) => steps.filter((step) => step.action === action).length;
  const counts = { created: count('created'), updated: count('updated'), unpublished: count('unpublished'), unchanged };
  return { steps, counts };
}
