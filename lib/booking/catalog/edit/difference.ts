import type { Prisma } from '@/lib/platform/generated/prisma/client';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Returns a value as a canonical string, which is the same for equal records. The order of fields and list entries has
 * no meaning in a catalog. Locations where a specialist has no hours, exceptions, or services are ignored.
 */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.filter(isStored).map(canonical).sort().join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const names = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${names
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, entry]) => `${JSON.stringify(name)}:${canonical(entry)}`)
    .join(',')}}`;
}

// A specialist's entry for a location (a workplace) is stored only as rows of its hours, exceptions, and services.
// Without any of these, it is not stored.
function isStored(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null || !('location_id' in entry)) return true;
  return Object.values(entry).some((part) => Array.isArray(part) && part.length > 0);
}

/** Returns the names of the fields in which two records of one kind differ. */
export function changedFields(before: object, after: object): string[] {
  const old = new Map(Object.entries(before));
  return Object.entries(after).flatMap(([name, value]) =>
    canonical(old.get(name)) === canonical(value) ? [] : [name],
  );
}

/** Returns a copy of a record with only the named fields, for the audit log. */
export function pick(record: object, names: readonly string[]): Prisma.InputJsonObject {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name))) as {
    [name: string]: Json;
  } as Prisma.InputJsonObject;
}
