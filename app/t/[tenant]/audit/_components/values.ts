import type { AuditChange } from '../../_components/api-types';
import { formatCount, plural } from '../../_components/format';
import { ROLE_NAMES } from '../../_components/roles';
import { formatterOf, SHORT_TIME } from '../../_components/time/moments';
import { SCOPE_TEXTS } from '../../applications/_components/scopes';
import { STATUS_NAMES } from '../../bookings/_components/format';
import { formatMinutes } from '../../catalog/_components/duration';
import { languageName } from '../../catalog/_components/format';
import { formatPrice } from '../../catalog/_components/money';
import { openedBookings, openedText } from './booking-text';
import { differencesOf, fieldName, shortId, toWords } from './format';
import { dateText, entriesOf, exceptionText, timeOffText, weeklyText } from './schedule-text';

/** The names of records by their ids. */
export type Names = ReadonlyMap<string, string>;

/**
 * The names of records, and the time zone in which times are shown. If the time zone is undefined, times are shown in
 * the reader's time zone.
 */
type Context = { names: Names; instantText: ((value: string) => string) | undefined };

/**
 * One line of an entry in the audit log. It states the values of a field before and after a change, an item that was
 * added to or removed from a list, or a booking that a search opened. `before` is null if the object did not exist
 * before the change.
 */
export type ChangeLine =
  | { label: string; before: string | null; after: string }
  | { label: string; verb: 'added' | 'removed' | 'opened'; text: string };

/** For each field, the words that the page shows in place of the stored values. */
const WORDS: Record<string, Record<string, string>> = {
  role: ROLE_NAMES,
  status: STATUS_NAMES,
  reset_policy: { DAILY: 'daily', ON_DEMAND: 'manual only' },
  method: { totp: 'authenticator app', passkey: 'passkey' },
  cancel_reason: {
    customer_request: 'requested by the customer',
    duplicate: 'duplicate booking',
    other: 'other reason',
  },
};

/** The format of timestamps. */
export const INSTANT = { ...SHORT_TIME, year: 'numeric' } as const;

/** Formats a timestamp in the reader's time zone. */
const ofReader = (value: string) => formatterOf(INSTANT).format(new Date(value));

/** Returns a price with its currency; null if the value is not a price. */
function priceText(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('currency' in value)) return null;
  return formatPrice(Number(value.amount), String(value.currency));
}

/** Formats the value of a field as the pages of the Control Center do. */
export function valueText(field: string, value: unknown, context: Context): string {
  if (value === undefined || value === null) return field === 'contact_days' ? 'forever' : 'none';
  if (typeof value === 'number') return numberText(field, value);
  if (typeof value === 'string') return textOf(field, value, context);
  if (Array.isArray(value))
    return value.length === 0 ? 'none' : value.map((one) => valueText(field, one, context)).join(', ');
  if (typeof value !== 'object') return String(value);
  return priceText(value) ?? pairsText(value, context);
}

function numberText(field: string, value: number): string {
  if (field.endsWith('_minutes')) return formatMinutes(value);
  return field.endsWith('_days') ? plural(value, 'day') : formatCount(value);
}

function textOf(field: string, value: string, context: Context): string {
  if (value === '') return 'empty';
  const word = WORDS[field]?.[value];
  if (word !== undefined) return word;
  if (field === 'scopes' && value in SCOPE_TEXTS) return SCOPE_TEXTS[value as keyof typeof SCOPE_TEXTS].title;
  if (field === 'locales') return languageName(value);
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(value)) return (context.instantText ?? ofReader)(value);
  return context.names.get(value) ?? shortId(dateText(value));
}

/** Returns the fields of an object as text: `{ from: null, note: '' }` becomes `from none, note empty`. */
function pairsText(value: object, context: Context): string {
  return Object.entries(value)
    .map(([field, one]) => `${fieldName(field)} ${valueText(field, one, context)}`)
    .join(', ');
}

/** Returns the entries of a list field as text; null if the field is not a list. */
function listOf(field: string, value: unknown, context: Context): string[] | null {
  if (field === 'hours' || field === 'breaks') return entriesOf(value).map(weeklyText);
  if (field === 'exceptions') return entriesOf(value).map(exceptionText);
  if (field === 'time_off') return entriesOf(value).map(timeOffText);
  if (field === 'workplaces') return entriesOf(value).flatMap((one) => workplaceTexts(one, context));
  return Array.isArray(value) ? value.map((one) => valueText(field, one, context)) : null;
}

/** Returns one text for the location of a workplace, and one for each service, interval, and exception there. */
function workplaceTexts(place: Record<string, unknown>, context: Context): string[] {
  const location = valueText('location_id', place.location_id, context);
  const services = Array.isArray(place.service_ids) ? place.service_ids : [];
  const texts = [
    ...services.map((id) => valueText('service_id', id, context)),
    ...entriesOf(place.hours).map(weeklyText),
    ...entriesOf(place.exceptions).map(exceptionText),
  ];
  return [location, ...texts.map((text) => `${location}: ${text}`)];
}

/**
 * Returns the lines of text that describe a change, in the order of its fields. For a new object, a field without a
 * value gets no line.
 */
export function linesOf(
  change: Pick<AuditChange, 'before' | 'after'>,
  names: Names,
  instantText?: (value: string) => string,
): ChangeLine[] {
  const opened = openedBookings(change);
  if (opened.length > 0)
    return opened.map((booking) => ({ label: 'booking', verb: 'opened', text: openedText(booking) }));
  const isNew = change.before === null;
  const context = { names, instantText };
  return differencesOf(change).flatMap(({ field, before, after }) =>
    linesOfField({ field, label: fieldName(field), before, after, isNew }, context),
  );
}

type Field = { field: string; label: string; before: unknown; after: unknown; isNew: boolean };

function linesOfField({ field, label, before, after, isNew }: Field, context: Context): ChangeLine[] {
  if (isNew && (after === null || after === undefined || after === '')) return [];
  if (isParts(before ?? after)) return partsOf({ field, label, before, after, isNew }, context);
  const [old, now] = [listOf(field, before, context), listOf(field, after, context)];
  if (!old && !now) {
    const text = valueText(field, after, context);
    return [{ label, before: isNew ? null : valueText(field, before, context), after: text }];
  }
  return [
    ...(old ?? []).filter((text) => !now?.includes(text)).map((text) => ({ label, verb: 'removed' as const, text })),
    ...(now ?? []).filter((text) => !old?.includes(text)).map((text) => ({ label, verb: 'added' as const, text })),
  ];
}

/** Returns whether a value is an object whose fields are shown one by one, such as a translated text or an address. */
function isParts(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && priceText(value) === null;
}

function partsOf({ label, before, after, isNew }: Field, context: Context): ChangeLine[] {
  const [old, now] = [isParts(before) ? before : {}, isParts(after) ? after : {}];
  return differencesOf({ before: old, after: now }).flatMap((part) => {
    const name = /^[a-z]{2,3}(-[A-Za-z0-9-]+)?$/.test(part.field) ? languageName(part.field) : toWords(part.field);
    return linesOfField({ ...part, label: `${label} (${name})`, isNew }, context);
  });
}
