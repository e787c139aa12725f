import type { AuditChange } from '../../_components/api-types';
import { formatPrice } from '../../catalog/_components/prices/money';
import { bookingPhrase, isNamed, openedBookings, startText } from './booking-text';
import { type Difference, differencesOf, fieldName, kindName, toWords } from './format';
import { dateText, type Entries, entriesOf, exceptionText, isClosure, timeOffText, weeklyText } from './schedule-text';
import { messageFor, type Texts } from './texts';
import { valueText } from './values';

type Change = Pick<AuditChange, 'action' | 'object_kind' | 'object_id' | 'object_name' | 'before' | 'after'>;

const EXPORTED: Record<string, 'audit' | 'bookings' | 'requests' | 'statistics'> = {
  'audit.exported': 'audit',
  'bookings.exported': 'bookings',
  'requests.exported': 'requests',
  'statistics.exported': 'statistics',
};

/**
 * Returns what a person did, as the rest of a sentence that begins with the person's name: `raised the price of Haircut
 * from €165.00 to €175.00`.
 */
export function sentenceOf(texts: Texts, change: Change): string {
  const sentence = changeOf(texts, change);
  return change.after?.undo_of === undefined ? sentence : texts.t('special.undid', { change: sentence });
}

function changeOf(texts: Texts, change: Change): string {
  const { action, object_kind: kind, object_id: id, object_name: name, after } = change;
  const object = name ?? id;
  const exported = EXPORTED[action];
  if (exported !== undefined) return exportOf(texts, after?.rows, exported);
  const special = SPECIAL[action]?.(texts, change, object);
  if (special) return special;
  const booking = kind === 'booking' ? bookingPhrase(texts, after) : null;
  const values = { object, booking: booking ?? referencePhrase(texts, object) };
  const known = messageFor(texts.t, `sentences.${action}`, values);
  if (known !== null) return known;
  return action === `${kind}.updated` ? updateOf(texts, change, object) : `${toWords(action)}: ${object}`;
}

const referencePhrase = ({ t }: Texts, reference: string) => t('bookings.reference', { reference });

function exportOf({ t }: Texts, rows: unknown, list: (typeof EXPORTED)[string]): string {
  // The number of rows is recorded only when the export ends.
  return typeof rows === 'number' ? t(`exports.${list}.done`, { rows }) : t(`exports.${list}.started`);
}

/** Null if the entry lacks the values of its change. */
const SPECIAL: Record<string, (texts: Texts, change: Change, object: string) => string | null> = {
  'application.clock_changed': ({ t }, { after }, object) =>
    after?.clock_offset_seconds === 0 ? t('special.clockReset', { object }) : null,
  'application.readiness_added': ({ t }, { after }, object) =>
    typeof after?.met === 'number'
      ? t('special.readinessMet', { object, met: `${after.met}`, of: `${after.of}` })
      : null,
  'member.role_changed': (texts, { before, after }, object) =>
    before &&
    after &&
    texts.t('special.roleChanged', {
      object,
      before: roleText(texts, before.role),
      after: roleText(texts, after.role),
    }),
  'member.locations_changed': ({ t }, { after }, object) =>
    Array.isArray(after?.location_ids)
      ? t('special.limitedTo', { object, count: after.location_ids.length })
      : t('special.allLocations', { object }),
  'booking.found_by_name': (texts, change) =>
    foundText(texts, change, 'special.foundByName', 'special.foundManyByName'),
  'booking.found_by_phone': (texts, change) =>
    foundText(texts, change, 'special.foundByPhone', 'special.foundManyByPhone'),
  'bookings.imported': ({ t }, { after }) =>
    typeof after?.bookings === 'number' ? t('special.imported', { bookings: after.bookings }) : null,
  'customer.erased': ({ t }, { after }) =>
    typeof after?.bookings === 'number' ? t('special.customerErased', { bookings: after.bookings }) : null,
  'customer.exported': ({ t }, { after }) =>
    typeof after?.bookings === 'number' ? t('special.customerExported', { bookings: after.bookings }) : null,
  'automatic_completion.changed': ({ t }, { after }) =>
    typeof after?.complete_after_hours === 'number'
      ? t('special.completionOn', { hours: after.complete_after_hours })
      : t('special.completionOff'),
  'service.price_scheduled': (texts, { after }, object) => {
    const next: unknown = after?.scheduled_price;
    if (!isPrice(next) || !('valid_from' in next)) return null;
    const date = dateText(texts.format, next.valid_from);
    return texts.t('special.priceScheduled', { object, price: priceText(texts, next), date });
  },
  'customer_names.changed': ({ t }, { after }) =>
    t(after?.customer_names === true ? 'special.namesOn' : 'special.namesOff'),
  'customer_names.viewed': ({ t, format }, { after }) => {
    const [from, to] = [dateText(format, after?.date_from), dateText(format, after?.date_to)];
    const dates = from === to ? from : `${from} – ${to}`;
    return typeof after?.bookings === 'number'
      ? t('special.namesViewed', { bookings: after.bookings, view: String(after.view), dates })
      : null;
  },
  'booking.rescheduled': (texts, { before, after }, object) => {
    const { t, format } = texts;
    const service = isNamed(after) ? t('bookings.ofService', { service: after.service }) : null;
    const booking = service ?? referencePhrase(texts, object);
    const starts = before && after && { from: startText(format, before), to: startText(format, after) };
    return starts && t('special.rescheduled', { booking, ...starts });
  },
};

type FoundKey = `special.found${'' | 'Many'}By${'Name' | 'Phone'}`;

function foundText(texts: Texts, change: Change, one: FoundKey, many: FoundKey): string | null {
  const [found, ...others] = openedBookings(change);
  if (!found) return null;
  if (others.length > 0) return texts.t(many, { bookings: others.length + 1 });
  const booking = bookingPhrase(texts, found.values) ?? referencePhrase(texts, found.reference);
  return texts.t(one, { booking });
}

const roleText = (texts: Texts, role: unknown) => valueText('role', role, { ...texts, names: new Map() });

function updateOf(texts: Texts, change: Change, object: string): string {
  const { t, format } = texts;
  const differences = differencesOf(change);
  const [first] = differences;
  const single = differences.length === 1 && first ? singleChange(texts, first, change, object) : null;
  if (single) return single;
  const fields = differences.map(({ field }) => fieldName(t, field));
  return t('special.fieldsChanged', {
    object,
    fields: fields.length > 0 ? format.list(fields) : kindName(t, change.object_kind),
  });
}

type Price = { amount: number; currency: string };

function isPrice(value: unknown): value is Price {
  return typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value;
}

const priceText = ({ format }: Texts, { amount, currency }: Price) => formatPrice(amount, currency, format.language);

function priceChange(texts: Texts, before: unknown, after: unknown, object: string): string {
  const { t } = texts;
  if (!isPrice(after)) return t('special.priceRemoved', { object });
  if (!isPrice(before)) return t('special.priceSet', { object, after: priceText(texts, after) });
  const values = { object, before: priceText(texts, before), after: priceText(texts, after) };
  if (before.currency !== after.currency) return t('special.priceChanged', values);
  return t(after.amount > before.amount ? 'special.priceRaised' : 'special.priceLowered', values);
}

function singleChange(
  texts: Texts,
  { field, before, after }: Difference,
  { object_kind: kind }: Change,
  object: string,
): string | null {
  const { t, format } = texts;
  if (field === 'price') return priceChange(texts, before, after, object);
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const added = missingFrom(old, now);
  const removed = missingFrom(now, old);
  const [entry] = [...added, ...removed];
  if (!entry || added.length + removed.length !== 1) return null;
  const isAdded = added.length === 1;
  if (field === 'breaks')
    return t(isAdded ? 'special.breakAdded' : 'special.breakRemoved', { object, entry: weeklyText(texts, entry) });
  if (field === 'time_off')
    return t(isAdded ? 'special.timeOffAdded' : 'special.timeOffRemoved', {
      object,
      entry: timeOffText(format, entry),
    });
  if (field !== 'exceptions' || kind !== 'location') return null;
  const addedKey = isClosure(entry) ? 'special.closureAdded' : 'special.hoursAdded';
  const removedKey = isClosure(entry) ? 'special.closureRemoved' : 'special.hoursRemoved';
  return t(isAdded ? addedKey : removedKey, { object, entry: exceptionText(texts, entry) });
}

function missingFrom(others: Entries, entries: Entries): Entries {
  const known = new Set(others.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => !known.has(JSON.stringify(entry)));
}
