import type { Prisma } from '@/lib/platform/generated/prisma/client';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/**
 * Returns a string that is the same for equal records, whatever the order of fields and entries. A workplace counts
 * only if it has hours, exceptions, or services.
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

// A workplace has no row of its own. Only its hours, exceptions, and services are rows.
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
