import type { AuditLine } from './query';

/** Returns a word of ours as people write it: `policy_changed` is `policy changed`. */
export function wordsOf(word: string): string {
  return word.replaceAll(/[._]/g, ' ');
}

/** One field that a change touched; undefined where it was not there. */
export type Difference = { field: string; before: unknown; after: unknown };

/** Returns what a change changed, field by field; what stayed the same is not in it. */
export function differencesOf({ before, after }: Pick<AuditLine, 'before' | 'after'>): Difference[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return fields
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

/** Returns a value in few words. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'string') return value === '' ? 'empty' : value;
  if (Array.isArray(value) && value.length === 0) return 'none';
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Returns the page of what was changed, if it has one. */
export function pageOf({ object_kind: kind, object_id: id }: AuditLine): string | null {
  const of = encodeURIComponent(id);
  if (kind === 'booking') return `/bookings/${of}`;
  if (kind === 'application' || kind === 'webhook_endpoint') return `/applications/${of}`;
  return null;
}
