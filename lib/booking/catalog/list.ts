import { createHash } from 'node:crypto';
import type { Policy } from '@/lib/access/applications/policy';
import { readableLocation, readableService } from './resolve';
import type { ServicesPage, Snapshot, View } from './snapshot';
import { languagesOf, viewOf } from './view';

type Query = { locale: string; limit: number; after: string | null };

/** `last` is the id of the page's last record, or null if no page follows. */
type Page<T> = { records: readonly T[]; last: string | null };

/** Returns at most `limit` records whose ids are greater than `after`. `records` must be ordered by id. */
export function pageOf<T extends { id: string }>(records: readonly T[], after: string | null, limit: number): Page<T> {
  const rest = after === null ? records : records.filter(({ id }) => id > after);
  const page = rest.slice(0, limit);
  return { records: page, last: rest.length > limit ? (page.at(-1)?.id ?? null) : null };
}

const [OPEN, COMMA, CLOSE] = [Buffer.from('['), Buffer.from(','), Buffer.from(']')];

/**
 * Builds a JSON array in pieces, which are copied only once. A string with a character beyond Latin-1 would take twice
 * the memory and be slower to send.
 */
function jsonArray(records: readonly { json: Buffer }[]): Buffer[] {
  return [OPEN, ...records.flatMap(({ json }, index) => (index === 0 ? [json] : [COMMA, json])), CLOSE];
}

/**
 * Returns a page of the visible services with their locations, the first page with all visible locations (contract B4):
 * a JSON object without the outer braces.
 * The view caches the most recently used pages.
 */
export function listServices(snapshot: Snapshot, policy: Policy, { locale, limit, after }: Query): ServicesPage {
  const view = viewOf(snapshot, policy, locale);
  const key = `${limit} ${after}`;
  const cached = view.pages.get(key);
  if (cached) return cached;
  const page = buildPage(view, { locale, limit, after });
  view.pages.set(key, page);
  return page;
}

function buildPage(view: View, { locale, limit, after }: Query): ServicesPage {
  const { records, last } = pageOf(view.services, after, limit);
  const referred = new Set<string>();
  for (const { locationIds } of records) for (const id of locationIds) referred.add(id);
  const locations = [...view.locations].flatMap(([id, location]) =>
    after === null || referred.has(id) ? [location] : [],
  );
  const pieces = [
    Buffer.from('"services":'),
    ...jsonArray(records),
    Buffer.from(',"locations":'),
    ...jsonArray(locations),
  ];
  const json = Buffer.concat(pieces);
  const digest = createHash('sha256').update(json).update(`${last}`).digest();
  return { json, digest, last, languages: languagesOf([...records, ...locations], locale) };
}

/**
 * Returns a page of the visible specialists, as pieces of JSON, and the Content-Language. With a service and a
 * location, they must offer it there (contract B5).
 * @throws AppError not_found or credential_restricted if a filter names a record that the application cannot read.
 */
export function listSpecialists(
  snapshot: Snapshot,
  policy: Policy,
  query: Query & { serviceId: string | null; locationId: string | null },
): { specialists: Buffer[]; last: string | null; languages: string } {
  const { serviceId, locationId, locale, limit, after } = query;
  if (locationId !== null) readableLocation(snapshot, policy, locationId);
  if (serviceId !== null) readableService(snapshot, policy, serviceId);
  const { specialists } = viewOf(snapshot, policy, locale);
  const matching = specialists.filter(({ offerings }) =>
    offerings.some(
      (offering) =>
        (serviceId === null || offering.serviceId === serviceId) &&
        (locationId === null || offering.locationId === locationId),
    ),
  );
  const { records, last } = pageOf(matching, after, limit);
  return { specialists: jsonArray(records), last, languages: languagesOf(records, locale) };
}
