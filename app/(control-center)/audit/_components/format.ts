import type { AuditChange } from '../../_components/api-types';

/** Converts an identifier to words: `policy_changed` becomes `policy changed`. */
export function toWords(identifier: string): string {
  return identifier.replaceAll(/[._]/g, ' ');
}

/** One field with its values before and after a change. A value is undefined if the field did not exist. */
export type Difference = { field: string; before: unknown; after: unknown };

/** Returns the fields whose values before and after a change differ. */
export function differencesOf({ before, after }: Pick<AuditChange, 'before' | 'after'>): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

/** Formats the value of a field. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the URL of the changed object's page; null if the object has no page. */
export function objectHref({ object_kind: kind, object_id: id }: AuditChange): string | null {
  const segment = encodeURIComponent(id);
  if (kind === 'booking') return `/bookings/${segment}`;
  if (kind === 'application' || kind === 'webhook_endpoint') return `/applications/${segment}`;
  return null;
}
