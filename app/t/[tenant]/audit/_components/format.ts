import type { AuditChange } from '../../_components/api-types';

/** Converts an identifier to the words of the pages: `booking.cancelled` becomes `booking canceled`. */
export function toWords(identifier: string): string {
  return identifier
    .replaceAll(/[._]/g, ' ')
    .replaceAll('cancelled', 'canceled')
    .replace(/^tenant\b/, 'business');
}

/** The field names that `fieldName` cannot derive from the identifiers. */
const FIELD_NAMES: Record<string, string> = {
  agents_ask: 'agents must ask a person',
  cancellation_cutoff_minutes: 'change deadline',
  contact_days: 'contacts kept for',
  delivery_days: 'deliveries kept for',
  display_name: 'name',
  last_four: 'last four characters',
  location_ids: 'locations',
  max_advance_days: 'booking window',
  max_applications: 'maximum applications',
  max_locations: 'maximum locations',
  max_requests_per_minute: 'maximum requests per minute',
  min_lead_minutes: 'minimum notice',
  request_log_days: 'request log kept for',
  rotated_to: 'new key',
  slot_interval_minutes: 'start interval',
};

/** Returns the name of a field, without the suffix for a unit or type: `duration_minutes` becomes `duration`. */
export function fieldName(field: string): string {
  return FIELD_NAMES[field] ?? toWords(field.replace(/_(minutes|days|at|id)$/, ''));
}

/** One field with its values before and after a change. A value is undefined if the field did not exist. */
export type Difference = { field: string; before: unknown; after: unknown };

/** Returns the fields whose values before and after a change differ. */
export function differencesOf({ before, after }: Pick<AuditChange, 'before' | 'after'>): Difference[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  // The sentence says that the change is an undo.
  fields.delete('undo_of');
  return [...fields]
    .map((field) => ({ field, before: before?.[field], after: after?.[field] }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}

/** Shortens an ID, but keeps its end, because IDs created at about the same time start with the same characters. */
export function shortId(id: string): string {
  return /^[a-z]{3}_.{26}$/.test(id) ? `${id.slice(0, 4)}…${id.slice(-8)}` : id;
}
