import type { AuditChange } from '../../_components/api-types';
import { plural } from '../../_components/format';
import { formatPrice } from '../../catalog/_components/money';
import { bookingPhrase, isNamed, openedBookings, startText } from './booking-text';
import { type Difference, differencesOf, fieldName, toWords } from './format';
import { dateText, type Entries, entriesOf, exceptionText, isClosure, timeOffText, weeklyText } from './schedule-text';
import { valueText } from './values';

type Change = Pick<AuditChange, 'action' | 'object_kind' | 'object_id' | 'object_name' | 'before' | 'after'>;

/**
 * For each action, the part of the sentence that follows the person's name. `{}` stands for the object's name.
 */
const SENTENCES: Record<string, string> = {
  'application.clock_changed': 'changed the clock of {}',
  'application.created': 'created the application {}',
  'application.policy_changed': 'changed the policy for {}',
  'application.readiness_added': 'added a readiness file to {}',
  'application.resumed': 'resumed {}',
  'application.suspended': 'suspended {}',
  'automatic_completion.changed': 'changed the automatic completion of visits',
  'block.created': 'blocked time',
  'application.own_system_changed': 'changed whether an application is an own system',
  'block.deleted': 'deleted a block',
  'block.updated': 'changed a block',
  'booking.created': 'made booking {}',
  'booking.cancelled': 'canceled booking {}',
  'booking.completed': 'marked booking {} as completed',
  'booking.consent_restored': 'undid the withdrawal of consent for booking {}',
  'booking.consent_withdrawn': 'recorded the withdrawal of consent for booking {}',
  'booking.contact_viewed': 'viewed the contact details for booking {}',
  'booking.found_by_name': 'found booking {} by name',
  'booking.found_by_phone': 'found booking {} by phone number',
  'booking.no_show': 'marked booking {} as no-show',
  'booking.reopened': 'undid the completion or no-show of booking {}',
  'booking.rescheduled': 'rescheduled booking {}',
  'booking.updated': 'kept booking {} at its local time, because the time zone rules changed',
  'bookings.imported': 'imported bookings',
  'calendar.added': 'added a calendar',
  'calendar.removed': 'removed a calendar',
  'calendar.restored': 'restored a calendar',
  'calendar.updated': 'changed a calendar',
  'calendar_feed.created': 'created a calendar feed',
  'calendar_feed.replaced': 'replaced the URL of a calendar feed',
  'calendar_feed.revoked': 'revoked a calendar feed',
  'catalog.imported': 'imported the catalog',
  'contacts.anonymised': 'removed contact details after their retention period',
  'customer.erased': 'erased the data of a customer',
  'customer.exported': 'exported the data of a customer',
  'customer.searched': 'searched for the data of a customer',
  'customer_names.changed': 'changed whether customer names are shown',
  'customer_names.viewed': 'viewed customer names',
  'invitation.created': 'invited a member',
  'invitation.revoked': 'revoked an invitation',
  'key.issued': 'issued the key {}',
  'key.revoked': 'revoked the key {}',
  'key.rotated': 'rotated the key {}',
  'member.account_replaced': 'replaced the account of {}',
  'member.joined': 'joined the team',
  'member.locations_changed': 'changed the locations of {}',
  'member.removed': 'removed {} from the team',
  'member.role_changed': 'changed {}’s role',
  'member.second_factor_reset': 'removed {}’s second factor',
  'member.sessions_ended': 'signed {} out everywhere',
  'retention.changed': 'changed the retention settings',
  'sandbox.reset': 'reset the sandbox',
  'sandbox.reset_policy_changed': 'changed the sandbox reset schedule',
  'service.price_scheduled': 'scheduled a price of {}',
  'service.price_unscheduled': 'removed the scheduled price of {}',
  'tenant.changed': 'changed the business details',
  'tenant.created': 'created the business',
  'tenant.exported': 'exported the data of the business',
  'tenant.imported': 'imported the business from an export',
  'tenant.limits_changed': 'changed the limits of the business',
  'tenant.resumed': 'resumed the business',
  'tenant.second_factor_changed': 'changed the second-factor requirement',
  'tenant.suspended': 'suspended the business',
  'user.email_changed': 'changed their email address',
  'user.password_changed': 'changed their password',
  'user.recovery_codes_issued': 'created new recovery codes',
  'user.second_factor_added': 'added a second factor',
  'user.second_factor_removed': 'removed a second factor',
  'user.sessions_ended': 'ended sessions of their own',
  'webhook.changed': 'changed the webhook endpoint for {}',
  'webhook.created': 'created the webhook endpoint for {}',
  'webhook.disabled': 'disabled the webhook endpoint for {}',
  'webhook.paused': 'paused the webhook endpoint for {}',
  'webhook.replay_started': 'started a replay for {}',
  'webhook.replay_stopped': 'stopped a replay for {}',
  'webhook.resumed': 'resumed the webhook endpoint for {}',
  'webhook.secret_ended': 'deactivated a signing secret for {}',
  'webhook.secret_rotated': 'rotated the signing secret for {}',
  'webhook.test_sent': 'sent a test event to {}',
};

/** For each action that exports a list, the noun for one row of that list. */
const EXPORTED: Record<string, string> = {
  'audit.exported': 'change',
  'bookings.exported': 'booking',
  'requests.exported': 'request',
  'statistics.exported': 'statistics row',
};

const LIST = new Intl.ListFormat('en');

/**
 * Returns what a person did, as the rest of a sentence that begins with the person's name: `raised the price of Haircut
 * from €165.00 to €175.00`.
 */
export function sentenceOf(change: Change): string {
  const sentence = changeOf(change);
  return change.after?.undo_of === undefined ? sentence : `undid an earlier change: ${sentence}`;
}

function changeOf(change: Change): string {
  const { action, object_kind: kind, object_id: id, object_name: name } = change;
  const object = name ?? id;
  const known = SENTENCES[action];
  const exported = EXPORTED[action];
  if (exported !== undefined) return exportOf(change, exported);
  const special = SPECIAL[action]?.(change, object);
  if (special) return special;
  const booking = kind === 'booking' ? bookingPhrase(change.after) : null;
  if (known !== undefined && booking) return known.replace('booking {}', () => booking);
  if (known !== undefined) return known.replace('{}', () => object);
  if (action === `${kind}.updated`) return updateOf(change, object);
  if (['created', 'published', 'unpublished'].some((verb) => action === `${kind}.${verb}`))
    return `${action.slice(kind.length + 1)} the ${toWords(kind)} ${object}`;
  return `${toWords(action)}: ${object}`;
}

function exportOf({ after }: Change, noun: string): string {
  const rows = after?.rows;
  // The number of rows is recorded only when the export ends.
  return typeof rows === 'number' ? `exported ${plural(rows, noun)}` : `started an export of ${noun}s`;
}

/**
 * For some actions, a function that returns a sentence with the values of the change. The function returns null if the
 * entry does not have these values.
 */
const SPECIAL: Record<string, (change: Change, object: string) => string | null> = {
  'application.clock_changed': ({ after }, object) =>
    after?.clock_offset_seconds === 0 ? `set the clock of ${object} back to real time` : null,
  'application.readiness_added': ({ after }, object) =>
    typeof after?.met === 'number' ? `added a readiness file to ${object} with ${after.met} of ${after.of} met` : null,
  'member.role_changed': ({ before, after }, object) =>
    before && after && `changed the role of ${object} from ${roleText(before.role)} to ${roleText(after.role)}`,
  'member.locations_changed': ({ after }, object) =>
    Array.isArray(after?.location_ids)
      ? `limited ${object} to ${plural(after.location_ids.length, 'location')}`
      : `gave ${object} all locations`,
  'booking.found_by_name': (change) => foundText(change, 'name'),
  'booking.found_by_phone': (change) => foundText(change, 'phone number'),
  'bookings.imported': ({ after }) =>
    typeof after?.bookings === 'number' ? `imported ${plural(after.bookings, 'booking')}` : null,
  'customer.erased': ({ after }) => customerText('erased', after),
  'customer.exported': ({ after }) => customerText('exported', after),
  'automatic_completion.changed': ({ after }) =>
    typeof after?.complete_after_hours === 'number'
      ? `switched on the completion of visits after ${plural(after.complete_after_hours, 'hour')}`
      : 'switched off the automatic completion of visits',
  'service.price_scheduled': ({ after }, object) => {
    const next: unknown = after?.scheduled_price;
    return isPrice(next) && 'valid_from' in next
      ? `scheduled the price ${formatPrice(next.amount, next.currency)} of ${object} from ${dateText(next.valid_from)}`
      : null;
  },
  'customer_names.changed': ({ after }) =>
    `switched customer names in lists and schedules ${after?.customer_names === true ? 'on' : 'off'}`,
  'customer_names.viewed': ({ after }) => {
    const [from, to] = [dateText(after?.date_from), dateText(after?.date_to)];
    const place = after?.view === 'list' ? 'the list' : `the ${String(after?.view)} schedule`;
    const dates = from === to ? from : `${from} – ${to}`;
    return typeof after?.bookings === 'number'
      ? `viewed the customer names of ${plural(after.bookings, 'booking')} in ${after.view === 'today' ? 'today’s bookings' : place} (${dates})`
      : null;
  },
  'booking.rescheduled': ({ before, after }, object) => {
    const booking = isNamed(after) ? `the booking of ${after.service}` : `booking ${object}`;
    return before && after && `rescheduled ${booking} from ${startText(before)} to ${startText(after)}`;
  },
};

function foundText(change: Change, by: string): string | null {
  const [booking, ...others] = openedBookings(change);
  const opened = others.length > 0 ? plural(others.length + 1, 'booking') : bookingPhrase(booking?.values ?? null);
  return booking ? `searched by ${by} and opened ${opened ?? `booking ${booking.reference}`}` : null;
}

function customerText(verb: string, after: Change['after']): string | null {
  return typeof after?.bookings === 'number'
    ? `${verb} the data of a customer in ${plural(after.bookings, 'booking')}`
    : null;
}

const roleText = (role: unknown) => valueText('role', role, { names: new Map(), instantText: undefined });

function updateOf(change: Change, object: string): string {
  const differences = differencesOf(change);
  const [first] = differences;
  const single = differences.length === 1 && first ? singleChange(first, change, object) : null;
  if (single) return single;
  const fields = differences.map(({ field }) => fieldName(field));
  return `changed the ${fields.length > 0 ? LIST.format(fields) : toWords(change.object_kind)} of ${object}`;
}

type Price = { amount: number; currency: string };

function isPrice(value: unknown): value is Price {
  return typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value;
}

function priceChange(before: unknown, after: unknown, object: string): string {
  const text = ({ amount, currency }: Price) => formatPrice(amount, currency);
  if (!isPrice(after)) return `removed the price of ${object}`;
  if (!isPrice(before)) return `set the price of ${object} to ${text(after)}`;
  const verb = before.currency !== after.currency ? 'changed' : after.amount > before.amount ? 'raised' : 'lowered';
  return `${verb} the price of ${object} from ${text(before)} to ${text(after)}`;
}

/** Returns the sentence for a change of one field; null if a change of this field has no specific sentence. */
function singleChange({ field, before, after }: Difference, { object_kind: kind }: Change, object: string) {
  if (field === 'price') return priceChange(before, after, object);
  const [old, now] = [entriesOf(before), entriesOf(after)];
  const added = missingFrom(old, now);
  const removed = missingFrom(now, old);
  const [entry] = [...added, ...removed];
  if (!entry || added.length + removed.length !== 1) return null;
  const [verb, preposition] = added.length === 1 ? ['added', 'for'] : ['removed', 'of'];
  if (field === 'breaks') return `${verb} a break ${preposition} ${object}: ${weeklyText(entry)}`;
  if (field === 'time_off') return `${verb} time off ${preposition} ${object}: ${timeOffText(entry)}`;
  if (field !== 'exceptions' || kind !== 'location') return null;
  const noun = isClosure(entry) ? 'a closure' : 'special hours';
  return `${verb} ${noun} ${preposition} ${object}: ${exceptionText(entry)}`;
}

/** Returns the entries of `entries` that `others` does not contain. */
function missingFrom(others: Entries, entries: Entries): Entries {
  const known = new Set(others.map((entry) => JSON.stringify(entry)));
  return entries.filter((entry) => !known.has(JSON.stringify(entry)));
}
