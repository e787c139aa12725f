import { z } from 'zod';
import type { Issue } from '../edit/kind';
import { MAX_OFFERINGS, TOO_MANY_OFFERINGS } from '../edit/references';
import { LISTS } from './document';

// Replaces invalid values with null or an empty list, so that references are checked even if a record has other errors.
const loose = <T extends z.ZodType>(schema: T) => z.array(schema.nullable().catch(null)).catch([]);
const text = z.string().nullable().catch(null);
const record = z.object({ id: text });
const place = z.object({ location_id: text, service_ids: loose(z.string()) });
const readable = z.object({
  locations: loose(record),
  services: loose(record),
  specialists: loose(record.extend({ workplaces: loose(place) })),
});

/** Returns an issue for each unknown reference and each duplicate id, and one issue for too many offerings. */
export function crossIssues(value: unknown, realId: (kind: string, id: string) => string): Issue[] {
  const parsed = readable.safeParse(value);
  if (!parsed.success) return [];
  const { locations, services, specialists } = parsed.data;
  const ids = (records: ({ id: string | null } | null)[]) => new Set(records.map((entry) => entry?.id));
  const known = { location: ids(locations), service: ids(services) };
  let offerings = 0;
  const references = specialists.flatMap((specialist, index) =>
    (specialist?.workplaces ?? []).flatMap((entry, at) => {
      const path = ['specialists', index, 'workplaces', at];
      const location = missing(known.location, entry?.location_id ?? null, [...path, 'location_id'], 'location');
      const offered = entry?.service_ids ?? [];
      offerings += offered.length;
      return [
        ...location,
        ...offered.flatMap((id, n) => missing(known.service, id, [...path, 'service_ids', n], 'service')),
      ];
    }),
  );
  const tooMany = offerings > MAX_OFFERINGS ? [{ path: ['specialists'], message: TOO_MANY_OFFERINGS }] : [];
  const duplicates = LISTS.flatMap(([list, kind]) => duplicateIds(list, parsed.data[list], (id) => realId(kind, id)));
  return [...duplicates, ...references, ...tooMany];
}

function missing(known: ReadonlySet<unknown>, id: string | null, path: (string | number)[], what: string): Issue[] {
  return id === null || known.has(id) ? [] : [{ path, message: `must be a ${what} in this document` }];
}

function duplicateIds(
  list: string,
  records: ({ id: string | null } | null)[],
  realId: (id: string) => string,
): Issue[] {
  const seen = new Set<string>();
  return records.flatMap((entry, index) => {
    const id = entry?.id == null ? null : realId(entry.id);
    if (id === null) return [];
    const duplicate = seen.has(id);
    seen.add(id);
    return duplicate ? [{ path: [list, index, 'id'], message: 'is listed twice' }] : [];
  });
}
