import type { AuditChange } from '../../_components/api-types';
import { formatMinutes } from '../../catalog/_components/fields/duration';
import { languageName } from '../../catalog/_components/format';
import { formatPrice } from '../../catalog/_components/prices/money';
import { openedBookings, openedText } from './booking-text';
import { differencesOf, fieldName, shortId } from './format';
import { dateText, entriesOf, exceptionText, INSTANT, timeOffText, weeklyText } from './schedule-text';
import { messageFor, type Texts } from './texts';

/** The names of records by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The names of records, and how to show times. If `instantText` is undefined, times are shown in the reader's time zone. */
type Context = Texts & { names: Names; instantText?: ((value: string) => string) | undefined };

/**
 * One line of an entry in the audit log. It states the values of a field before and after a change, an item that was
 * added to or removed from a list, or a booking that a search opened. `before` is null if the object did not exist
 * before the change.
 */
export type ChangeLine =
  | { label: string; before: string | null; after: string }
  | { label: string; verb: 'added' | 'removed' | 'opened'; text: string };

function wordFor({ t, words }: Texts, field: string, value: string): string | null {
  if (field === 'role') return messageFor(words, `roles.${value}`);
  if (field === 'status') return messageFor(words, `bookingStatus.${value}`);
  if (field === 'scopes') return messageFor(words, `scopes.${value.replace('.', '_')}.title`);
  return messageFor(t, `values.words.${field}.${value}`);
}

function priceText(value: unknown, { format }: Texts): string | null {
  if (typeof value !== 'object' || value === null || !('amount' in value) || !('currency' in value)) return null;
  return formatPrice(Number(value.amount), String(value.currency), format.language);
}

/** Formats the value of a field as the pages of the Control Center do. */
export function valueText(field: string, value: unknown, context: Context): string {
  const { t } = context;
  if (value === undefined || value === null) return t(field === 'contact_days' ? 'values.forever' : 'values.none');
  if (typeof value === 'number') return numberText(context, field, value);
  if (typeof value === 'string') return textOf(field, value, context);
  if (typeof value === 'boolean') return t(value ? 'values.true' : 'values.false');
  if (Array.isArray(value))
    return value.length === 0 ? t('values.none') : value.map((one) => valueText(field, one, context)).join(', ');
  if (typeof value !== 'object') return String(value);
  return priceText(value, context) ?? pairsText(value, context);
}

function numberText({ t, format }: Texts, field: string, value: number): string {
  if (field.endsWith('_minutes')) return formatMinutes(value, format);
  return field.endsWith('_days') ? t('values.days', { count: value }) : format.count(value);
}

function textOf(field: string, value: string, context: Context): string {
  const { t, format, names, instantText } = context;
  if (value === '') return t('values.empty');
  const word = wordFor(context, field, value);
  if (word !== null) return word;
  if (field === 'locales') return languageName(value, format);
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/.test(value))
    return instantText ? instantText(value) : format.dateTime(INSTANT).format(new Date(value));
  return names.get(value) ?? shortId(dateText(format, value));
}

/** Returns the fields of an object as text: `{ from: null, note: '' }` becomes `from none, note empty`. */
function pairsText(value: object, context: Context): string {
  return Object.entries(value)
    .map(([field, one]) => `${fieldName(context.t, field)} ${valueText(field, one, context)}`)
    .join(', ');
}

function listOf(field: string, value: unknown, context: Context): string[] | null {
  if (field === 'hours' || field === 'breaks') return entriesOf(value).map((one) => weeklyText(context, one));
  if (field === 'exceptions') return entriesOf(value).map((one) => exceptionText(context, one));
  if (field === 'time_off') return entriesOf(value).map((one) => timeOffText(context.format, one));
  if (field === 'workplaces') return entriesOf(value).flatMap((one) => workplaceTexts(one, context));
  return Array.isArray(value) ? value.map((one) => valueText(field, one, context)) : null;
}

function workplaceTexts(place: Record<string, unknown>, context: Context): string[] {
  const location = valueText('location_id', place.location_id, context);
  const services = Array.isArray(place.service_ids) ? place.service_ids : [];
  const texts = [
    ...services.map((id) => valueText('service_id', id, context)),
    ...entriesOf(place.hours).map((one) => weeklyText(context, one)),
    ...entriesOf(place.exceptions).map((one) => exceptionText(context, one)),
  ];
  return [location, ...texts.map((text) => `${location}: ${text}`)];
}

/**
 * Returns the lines of text that describe a change, in the order of its fields. For a new object, a field without a
 * value gets no line.
 */
export function linesOf(
  texts: Texts,
  change: Pick<AuditChange, 'before' | 'after'>,
  names: Names,
  instantText?: (value: string) => string,
): ChangeLine[] {
  const opened = openedBookings(change);
  if (opened.length > 0)
    return opened.map((booking) => ({
      label: fieldName(texts.t, 'booking'),
      verb: 'opened',
      text: openedText(texts.format, booking),
    }));
  const isNew = change.before === null;
  const context = { ...texts, names, instantText };
  return differencesOf(change).flatMap(({ field, before, after }) =>
    linesOfField({ field, label: fieldName(texts.t, field), before, after, isNew }, context),
  );
}

/** The lists of at most a few words, which share a line. */
const SHORT_LISTS = new Set(['event_types', 'locales', 'scopes']);

type Field = { field: string; label: string; before: unknown; after: unknown; isNew: boolean };

function linesOfField({ field, label, before, after, isNew }: Field, context: Context): ChangeLine[] {
  if (isNew && (after === null || after === undefined || after === '')) return [];
  if (isParts(before ?? after, context)) return partsOf({ field, label, before, after, isNew }, context);
  const [old, now] = [listOf(field, before, context), listOf(field, after, context)];
  if (!old && !now) {
    const text = valueText(field, after, context);
    return [{ label, before: isNew ? null : valueText(field, before, context), after: text }];
  }
  const lines = (verb: 'added' | 'removed', texts: string[]) =>
    (SHORT_LISTS.has(field) && texts.length > 0 ? [texts.join(', ')] : texts).map((text) => ({ label, verb, text }));
  return [
    ...lines(
      'removed',
      (old ?? []).filter((text) => !now?.includes(text)),
    ),
    ...lines(
      'added',
      (now ?? []).filter((text) => !old?.includes(text)),
    ),
  ];
}

/** Returns whether a value is an object whose fields are shown one by one, such as a translated text or an address. */
function isParts(value: unknown, texts: Texts): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && priceText(value, texts) === null;
}

function partsOf({ label, before, after, isNew }: Field, context: Context): ChangeLine[] {
  const [old, now] = [isParts(before, context) ? before : {}, isParts(after, context) ? after : {}];
  return differencesOf({ before: old, after: now }).flatMap((part) => {
    const isLanguage = /^[a-z]{2,3}(-[A-Za-z0-9-]+)?$/.test(part.field);
    const name = isLanguage ? languageName(part.field, context.format) : fieldName(context.t, part.field);
    return linesOfField({ ...part, label: `${label} (${name})`, isNew }, context);
  });
}
