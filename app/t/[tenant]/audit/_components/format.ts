import type { Translator } from '@/app/_components/language';
import type { AuditChange } from '../../_components/api-types';
import { messageFor } from './texts';

/** Converts an identifier without a message to words: `booking.cancelled` becomes `booking canceled`. */
export function toWords(identifier: string): string {
  return identifier
    .replaceAll(/[._]/g, ' ')
    .replaceAll('cancelled', 'canceled')
    .replace(/^tenant\b/, 'business');
}

/** Returns the name of an action, such as `booking canceled`. */
export function actionName(t: Translator<'audit'>, action: string): string {
  return messageFor(t, `actions.${action}`) ?? toWords(action);
}

/** Returns the name of a kind of object, such as `calendar feed`. */
export function kindName(t: Translator<'audit'>, kind: string): string {
  return messageFor(t, `kinds.${kind}`) ?? toWords(kind);
}

/** Returns the name of a field, without the suffix for a unit or type: `duration_minutes` becomes `duration`. */
export function fieldName(t: Translator<'audit'>, field: string): string {
  return messageFor(t, `fields.${field}`) ?? toWords(field.replace(/_(minutes|days|at|id)$/, ''));
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
