import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { POLICY } from './applications-people';
import { LOCATION, SERVICE, SPECIALIST } from './catalog-records';

/** Ids and other values of one tenant. The tests send them as inputs of procedures. */
export type Names = {
  applicationId: string;
  keyId: string;
  requestId: string;
  locationId: string;
  serviceId: string;
  specialistId: string;
  blockId: string;
  /** The audit entry of another block, which can be undone. */
  undoId: string;
  reference: string;
  /** A support member and an invitation. The tested procedures can remove them. */
  team: { userId: string; invitationId: string };
  /**
   * An application with an endpoint, a failed delivery, and a replay. `without` is an application without an endpoint.
   */
  webhook: { applicationId: string; deliveryId: string; replayId: string; without: string };
  /** The calendar feed of the business. */
  feedId: string;
  calendarId: string;
  /** The tenant's exported catalog, and the `basis` value that its import requires. */
  transfer: { text: string; basis: string };
};

/** The password of every member in these tests. */
export const PASSWORD = 'a password of all callers';

/** Input for the tRPC procedures of blocks. */
const BLOCK = { from: '2030-01-07T10:00', to: '2030-01-07T11:00', repeat: null, reason: 'Only of this tenant' };

const NO_EVENTS = 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n';
const CHOICES = { name: 'Only of this tenant', show_titles: false, block_when_stale: false };
const calendarOf = (specialistId: string) => ({
  subject: { specialist_id: specialistId, location_id: null },
  ...CHOICES,
});

type Entry = {
  /** The role that the procedure requires. */
  role: 'OWNER' | 'SUPPORT';
  /**
   * `a record`: the input names a record, so a member of another tenant gets a 404. `nothing`: the input names no
   * record, and the procedure applies to the caller's own tenant.
   */
  names: 'a record' | 'nothing';
  /** Returns an input with which the tenant's owner can call the procedure. */
  input: (names: Names) => object | undefined;
  /** The status of the owner's call. Default: 200. */
  status?: number;
};

/** A passkey response in the format that browsers send. It contains no challenge, so it is refused. */
const PASSKEY = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'e30', attestationObject: 'oA' },
  clientExtensionResults: {},
};

const none = () => undefined;
const newEmail = () => `${newId('usr')}@salon.example`;
const booking = ({ reference }: Names) => ({ reference });
const application = ({ applicationId }: Names) => ({ application_id: applicationId });

/** Returns the entries of `ENTRIES` for the procedures of one kind of catalog record. */
function recordEntries(path: string, record: object, idOf: (names: Names) => string): Record<string, Entry> {
  const one = (names: Names) => ({ id: idOf(names) });
  return {
    [`${path}.list`]: { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
    [`${path}.get`]: { role: 'SUPPORT', names: 'a record', input: one },
    [`${path}.outside`]: { role: 'SUPPORT', names: 'a record', input: one },
    [`${path}.unpublishing`]: { role: 'OWNER', names: 'a record', input: one },
    [`${path}.create`]: { role: 'OWNER', names: 'nothing', input: () => ({ record }) },
    [`${path}.update`]: {
      role: 'OWNER',
      names: 'a record',
      input: (names) => ({ ...one(names), expected_version: 1, record }),
    },
    [`${path}.set_published`]: {
      role: 'OWNER',
      names: 'a record',
      input: (names) => ({ ...one(names), expected_version: 2, published: false }),
    },
  };
}

const wanted = ({ serviceId, locationId }: Names) => ({ service_id: serviceId, location_id: locationId });
let starts = 0;

function nextStart(): string {
  starts += 1;
  return starts % 2 === 0 ? '16:00' : '16:30';
}

const hooked = ({ webhook }: Names) => ({ application_id: webhook.applicationId });
const endpoint = { url: 'http://127.0.0.1:3999/hooks', event_types: ['booking.created'] };
const since = () => new Date(Date.now() - 86_400_000).toISOString();

/** The procedures for the front desk. All other procedures refuse a front desk member. */
export const FRONT_DESK: ReadonlySet<string> = new Set([
  'session.change_password',
  'session.change_email',
  'session.me',
  'session.list',
  'session.mail_choices',
  'session.choose_mail',
  'session.choose_language',
  'session.end',
  'session.end_others',
  'session.confirm',
  'session.require_confirmed',
  'second_factor.get',
  'second_factor.proof_methods',
  'second_factor.start_totp',
  'second_factor.confirm_totp',
  'second_factor.remove_totp',
  'second_factor.start_passkey',
  'second_factor.add_passkey',
  'second_factor.remove_passkey',
  'second_factor.new_codes',
  'bookings.list',
  'blocks.list',
  'calendars.list',
  'bookings.day',
  'bookings.week',
  'bookings.get',
  'bookings.choices',
  'bookings.remember_location',
  'bookings.contact',
  'bookings.set_consent_withdrawn',
  'bookings.find_by_phone',
  'bookings.names_shown',
  'bookings.names',
  'bookings.find_by_name',
  'bookings.slots',
  'bookings.check_move',
  'bookings.reschedule',
  'bookings.change',
  'bookings.visits.list',
  'bookings.visits.change',
  'bookings.new_choices',
  'bookings.find_customer',
  'bookings.new_slots',
  'bookings.check_new',
  'bookings.create',
  'find.records',
  'views.list',
  'views.create',
  'views.rename',
  'views.delete',
  'catalog.choices',
  'catalog.services.categories',
  'catalog.services.next_price',
  'catalog.time_zones',
  'catalog.preview',
  'catalog.transfer.export',
  ...['services', 'locations', 'specialists'].flatMap((kind) =>
    ['list', 'get', 'outside'].map((procedure) => `catalog.${kind}.${procedure}`),
  ),
]);

/** How these tests call each procedure, by the path of the procedure. */
export const ENTRIES: Record<string, Entry> = {
  'session.change_password': {
    role: 'SUPPORT',
    names: 'nothing',
    // The calls of these tests need the same password again. team.test.ts tests the success of a change.
    input: () => ({ current_password: PASSWORD, new_password: PASSWORD }),
    status: 400,
  },
  // The server of these tests sends no mail. mail/address.test.ts tests the success.
  'session.change_email': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ email: 'new@salon.example', password: PASSWORD }),
    status: 503,
  },
  'session.me': { role: 'SUPPORT', names: 'nothing', input: none },
  'session.mail_choices': { role: 'SUPPORT', names: 'nothing', input: none },
  'session.choose_mail': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ kind: 'key_expiry', wanted: false }),
  },
  'session.choose_language': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ language: 'de', hour_cycle: null }),
  },
  'session.list': { role: 'SUPPORT', names: 'nothing', input: none },
  // sessions.test.ts tests the success.
  'session.end': { role: 'SUPPORT', names: 'nothing', input: () => ({ session_id: newId('ses') }), status: 404 },
  'session.end_others': { role: 'SUPPORT', names: 'nothing', input: none },
  'session.confirm': { role: 'SUPPORT', names: 'nothing', input: () => ({ password: PASSWORD }) },
  'session.require_confirmed': { role: 'SUPPORT', names: 'nothing', input: none },
  'applications.list': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'applications.get': { role: 'SUPPORT', names: 'a record', input: application },
  'applications.changes': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), since_version: 1 }),
  },
  'applications.create': { role: 'OWNER', names: 'nothing', input: () => POLICY },
  'applications.preview': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), ...POLICY }),
  },
  'applications.update': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), ...POLICY, expected_version: 1 }),
  },
  'applications.set_own_system': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), own_system: false }),
  },
  'applications.reset_clock': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => application(names),
  },
  'readiness.get': { role: 'SUPPORT', names: 'a record', input: (names) => application(names) },
  // Only LIVE has it.
  'readiness.add': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), file: 'e30.e30.e30' }),
    status: 404,
  },
  'applications.set_suspended': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), suspended: true }),
  },
  'calendars.list': {
    role: 'SUPPORT',
    names: 'nothing',
    input: ({ specialistId }) => ({ specialist_id: specialistId, location_id: null }),
  },
  'calendars.add': {
    role: 'OWNER',
    names: 'a record',
    // Nothing listens there, so the calendar is refused.
    input: ({ specialistId }) => ({ ...calendarOf(specialistId), url: 'http://127.0.0.1:3999/calendar.ics' }),
    status: 400,
  },
  'calendars.upload': {
    role: 'OWNER',
    names: 'a record',
    input: ({ specialistId }) => ({ ...calendarOf(specialistId), packed: gzipSync(NO_EVENTS).toString('base64') }),
  },
  'calendars.update': {
    role: 'OWNER',
    names: 'a record',
    input: ({ calendarId }) => ({ calendar_id: calendarId, ...CHOICES }),
  },
  'calendars.refresh': { role: 'OWNER', names: 'a record', input: ({ calendarId }) => ({ calendar_id: calendarId }) },
  'calendars.remove': { role: 'OWNER', names: 'a record', input: ({ calendarId }) => ({ calendar_id: calendarId }) },
  // The test of `calendars.remove` runs first.
  'calendars.restore': { role: 'OWNER', names: 'a record', input: ({ calendarId }) => ({ calendar_id: calendarId }) },
  'calendar_feeds.list': { role: 'OWNER', names: 'nothing', input: none },
  'calendar_feeds.create': {
    role: 'OWNER',
    names: 'a record',
    input: ({ specialistId }) => ({ subject: { kind: 'specialist', id: specialistId } }),
  },
  'calendar_feeds.replace': { role: 'OWNER', names: 'a record', input: ({ feedId }) => ({ feed_id: feedId }) },
  'calendar_feeds.revoke': { role: 'OWNER', names: 'a record', input: ({ feedId }) => ({ feed_id: feedId }) },
  'keys.list': { role: 'SUPPORT', names: 'a record', input: application },
  'keys.issue': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...application(names), name: 'Another', expires_at: null }),
  },
  'keys.rotate': {
    role: 'OWNER',
    names: 'a record',
    input: ({ keyId }) => ({ key_id: keyId, overlap: '24h' }),
  },
  'keys.revoke': { role: 'OWNER', names: 'a record', input: ({ keyId }) => ({ key_id: keyId }) },
  'blocks.list': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ specialist_id: null, location_id: null }),
  },
  'blocks.create': {
    role: 'OWNER',
    names: 'a record',
    input: ({ specialistId }) => ({ subject: { specialist_id: specialistId, location_id: null }, block: BLOCK }),
  },
  'blocks.update': {
    role: 'OWNER',
    names: 'a record',
    input: ({ blockId }) => ({ id: blockId, expected_version: 1, block: BLOCK }),
  },
  'blocks.delete': {
    role: 'OWNER',
    names: 'a record',
    // The test of `blocks.update` runs first and creates version 2.
    input: ({ blockId }) => ({ id: blockId, expected_version: 2 }),
  },
  'bookings.list': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'bookings.day': {
    role: 'SUPPORT',
    names: 'a record',
    input: ({ locationId }) => ({ location_id: locationId, date: '2026-09-14' }),
  },
  'bookings.week': {
    role: 'SUPPORT',
    names: 'a record',
    input: ({ locationId }) => ({ location_id: locationId, date: '2026-09-14' }),
  },
  'bookings.get': { role: 'SUPPORT', names: 'a record', input: booking },
  'bookings.choices': { role: 'SUPPORT', names: 'nothing', input: none },
  'bookings.remember_location': {
    role: 'SUPPORT',
    names: 'a record',
    input: ({ locationId }) => ({ location_id: locationId }),
  },
  'bookings.find_by_phone': { role: 'OWNER', names: 'nothing', input: () => ({ phone: '+49 30 5550 1234' }) },
  'bookings.transfer.check': { role: 'OWNER', names: 'nothing', input: () => ({ text: '{}' }) },
  // The basis belongs to no check.
  'bookings.transfer.import': {
    role: 'OWNER',
    names: 'nothing',
    input: () => ({ text: '{}', basis: 'none' }),
    status: 409,
  },
  'bookings.names_shown': { role: 'OWNER', names: 'nothing', input: none },
  'bookings.names': {
    role: 'OWNER',
    names: 'nothing',
    input: ({ reference }) => ({ view: 'list', references: [reference] }),
  },
  'bookings.find_by_name': { role: 'OWNER', names: 'nothing', input: () => ({ name: CUSTOMER.name }) },
  'bookings.contact': { role: 'OWNER', names: 'a record', input: booking },
  'bookings.set_consent_withdrawn': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...booking(names), withdrawn: true }),
  },
  'bookings.slots': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...booking(names), date: dayAhead() }),
  },
  'bookings.check_move': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...booking(names), date: dayAhead(), start_time: '15:00', specialist_id: null }),
  },
  'bookings.reschedule': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...booking(names), date: dayAhead(), start_time: '15:00', expected_version: 1 }),
  },
  'bookings.change': {
    role: 'OWNER',
    names: 'a record',
    // The test of `bookings.reschedule` runs first and creates version 2.
    input: (names) => ({ ...booking(names), action: 'cancel', expected_version: 2 }),
  },
  'bookings.visits.list': { role: 'OWNER', names: 'nothing', input: () => ({ date: null }) },
  'bookings.visits.change': {
    role: 'OWNER',
    names: 'a record',
    // Confirmed or canceled, the booking refuses, and the others would change.
    input: ({ reference }) => ({ action: 'reopen', bookings: [{ reference, expected_version: 1 }] }),
  },
  'bookings.visits.automatic': { role: 'OWNER', names: 'nothing', input: none },
  'bookings.visits.set_automatic': { role: 'OWNER', names: 'nothing', input: () => ({ hours: 24 }) },
  'bookings.new_choices': {
    role: 'OWNER',
    names: 'a record',
    input: ({ locationId }) => ({ location_id: locationId }),
  },
  'bookings.find_customer': { role: 'OWNER', names: 'nothing', input: () => ({ phone: '+49 30 5550 1234' }) },
  'bookings.new_slots': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...wanted(names), date: dayAhead() }),
  },
  'bookings.check_new': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...wanted(names), date: dayAhead(), start_time: '16:00' }),
  },
  'bookings.create': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({
      key: randomBytes(16).toString('hex'),
      ...wanted(names),
      date: dayAhead(),
      // The front desk and the owner make a booking one after the other.
      start_time: nextStart(),
      customer: CUSTOMER,
      price_amount: null,
    }),
  },
  'locations.list': { role: 'SUPPORT', names: 'nothing', input: none },
  'requests.list': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'requests.histogram': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'requests.get': { role: 'SUPPORT', names: 'a record', input: ({ requestId }) => ({ request_id: requestId }) },
  'requests.choices': { role: 'SUPPORT', names: 'nothing', input: none },
  'overview.errors': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'overview.traffic': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'overview.outside': { role: 'SUPPORT', names: 'nothing', input: none },
  'statistics.bookings': {
    role: 'OWNER',
    names: 'nothing',
    input: () => ({ from: '2026-01-01', to: '2026-12-31' }),
  },
  'overview.bookable': { role: 'SUPPORT', names: 'nothing', input: none },
  'overview.today': { role: 'SUPPORT', names: 'nothing', input: none },
  'overview.webhooks': { role: 'SUPPORT', names: 'nothing', input: none },
  'overview.attention': { role: 'SUPPORT', names: 'nothing', input: none },
  'catalog.choices': { role: 'SUPPORT', names: 'nothing', input: none },
  'catalog.time_zones': { role: 'SUPPORT', names: 'nothing', input: none },
  'catalog.preview': {
    role: 'SUPPORT',
    names: 'a record',
    input: ({ serviceId, locationId }) => ({ service_id: serviceId, location_id: locationId, date: '2030-01-07' }),
  },
  'catalog.transfer.export': { role: 'SUPPORT', names: 'nothing', input: none },
  'catalog.transfer.check': { role: 'OWNER', names: 'nothing', input: () => ({ text: '{}' }) },
  'catalog.transfer.import': { role: 'OWNER', names: 'nothing', input: ({ transfer }) => transfer },
  ...recordEntries('catalog.services', SERVICE, ({ serviceId }) => serviceId),
  ...recordEntries('catalog.locations', LOCATION, ({ locationId }) => locationId),
  ...recordEntries('catalog.specialists', SPECIALIST, ({ specialistId }) => specialistId),
  'catalog.services.categories': { role: 'SUPPORT', names: 'nothing', input: none },
  'catalog.bulk.set_published': {
    role: 'OWNER',
    names: 'a record',
    input: ({ serviceId }) => ({ kind: 'service', ids: [serviceId], published: false }),
  },
  'catalog.bulk.close': {
    role: 'OWNER',
    names: 'a record',
    input: ({ locationId }) => ({ location_ids: [locationId], from: '2030-01-01', to: '2030-01-02', note: null }),
  },
  'catalog.bulk.close_days': {
    role: 'OWNER',
    names: 'a record',
    input: ({ locationId }) => ({ location_ids: [locationId], days: [{ date: '2030-01-03', note: null }] }),
  },
  'catalog.holidays': {
    role: 'OWNER',
    names: 'nothing',
    input: () => ({ country: 'DE', region: 'BY', year: 2030 }),
  },
  'catalog.bulk.set_prices': {
    role: 'OWNER',
    names: 'a record',
    input: ({ serviceId }) => ({ changes: [{ id: serviceId, before: SERVICE.price, amount: 9_000 }] }),
  },
  'catalog.bulk.schedule_prices': {
    role: 'OWNER',
    names: 'a record',
    // The price that `set_prices` has set before.
    input: ({ serviceId }) => ({
      changes: [{ id: serviceId, before: { ...SERVICE.price, amount: 9_000 }, amount: 9_500 }],
      valid_from: dayAhead(30),
    }),
  },
  'catalog.bulk.unschedule_prices': {
    role: 'OWNER',
    names: 'a record',
    input: ({ serviceId }) => ({ ids: [serviceId] }),
  },
  'catalog.services.next_price': {
    role: 'SUPPORT',
    names: 'a record',
    input: ({ serviceId }) => ({ id: serviceId }),
  },
  'overview.progress': { role: 'SUPPORT', names: 'nothing', input: none },
  'webhooks.get': { role: 'SUPPORT', names: 'a record', input: hooked },
  'webhooks.endpoints': { role: 'SUPPORT', names: 'nothing', input: () => ({}) },
  'webhooks.attempts': {
    role: 'SUPPORT',
    names: 'a record',
    input: (names) => ({ ...hooked(names), time_zone: 'Europe/Berlin' }),
  },
  'webhooks.create': {
    role: 'OWNER',
    names: 'a record',
    input: ({ webhook }) => ({ application_id: webhook.without, ...endpoint }),
  },
  'webhooks.update': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...hooked(names), ...endpoint, expected_version: 1 }),
  },
  'webhooks.pause': { role: 'OWNER', names: 'a record', input: hooked },
  'webhooks.resume': { role: 'OWNER', names: 'a record', input: hooked },
  'webhooks.rotate': { role: 'OWNER', names: 'a record', input: (names) => ({ ...hooked(names), overlap_days: 1 }) },
  'webhooks.end_secret': { role: 'OWNER', names: 'a record', input: (names) => ({ ...hooked(names), number: 1 }) },
  'webhooks.test': { role: 'OWNER', names: 'a record', input: hooked },
  'webhooks.deliveries': { role: 'SUPPORT', names: 'a record', input: hooked },
  'webhooks.delivery': {
    role: 'SUPPORT',
    names: 'a record',
    input: (names) => ({ ...hooked(names), delivery_id: names.webhook.deliveryId }),
  },
  'webhooks.replay': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...hooked(names), delivery_id: names.webhook.deliveryId }),
  },
  'webhooks.replay_count': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...hooked(names), since: since() }),
  },
  'webhooks.replay_progress': { role: 'SUPPORT', names: 'a record', input: hooked },
  'webhooks.replay_stop': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...hooked(names), replay_id: names.webhook.replayId }),
  },
  'webhooks.replay_failed': {
    role: 'OWNER',
    names: 'a record',
    input: (names) => ({ ...hooked(names), since: since() }),
  },
  'webhooks.disabled': { role: 'SUPPORT', names: 'nothing', input: none },
  'audit.list': { role: 'OWNER', names: 'nothing', input: () => ({}) },
  'audit.refused_calls': { role: 'OWNER', names: 'nothing', input: () => ({}) },
  'audit.sign_ins': { role: 'OWNER', names: 'nothing', input: () => ({}) },
  'audit.undo': { role: 'OWNER', names: 'a record', input: ({ undoId }) => ({ entry_ids: [undoId] }) },
  'audit.choices': { role: 'OWNER', names: 'nothing', input: none },
  'privacy.names': { role: 'OWNER', names: 'nothing', input: none },
  'privacy.set_names': { role: 'OWNER', names: 'nothing', input: () => ({ shown: false }) },
  'privacy.get': { role: 'OWNER', names: 'nothing', input: none },
  'privacy.preview': { role: 'OWNER', names: 'nothing', input: () => ({ contact_days: 30 }) },
  'privacy.update': {
    role: 'OWNER',
    names: 'nothing',
    input: () => ({ request_log_days: 30, contact_days: 365, delivery_days: 30, history_days: 365 }),
  },
  'privacy.customer.find': { role: 'OWNER', names: 'nothing', input: () => ({ name: CUSTOMER.name }) },
  'privacy.customer.export': {
    role: 'OWNER',
    names: 'a record',
    input: ({ reference }) => ({ found_by: 'phone', references: [reference] }),
  },
  'privacy.customer.erase': {
    role: 'OWNER',
    names: 'a record',
    input: ({ reference }) => ({ found_by: 'phone', references: [reference], confirmation: 'ERASE' }),
  },
  'privacy.customer.erasures': { role: 'OWNER', names: 'nothing', input: none },
  'second_factor.get': { role: 'SUPPORT', names: 'nothing', input: none },
  'second_factor.proof_methods': { role: 'SUPPORT', names: 'nothing', input: none },
  'second_factor.start_totp': { role: 'SUPPORT', names: 'nothing', input: () => ({ password: PASSWORD }) },
  // The procedures below with the status 400 or 404 need a valid code, a valid passkey response, or a second factor,
  // which these tests do not have. second-factor.test.ts and tests/e2e/second-factor.spec.ts test their success.
  'second_factor.confirm_totp': { role: 'SUPPORT', names: 'nothing', input: () => ({ code: '12345' }), status: 400 },
  'second_factor.remove_totp': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ password: PASSWORD }),
    status: 404,
  },
  'second_factor.start_passkey': { role: 'SUPPORT', names: 'nothing', input: () => ({ password: PASSWORD }) },
  'second_factor.add_passkey': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ name: 'A', response: PASSKEY }),
    status: 400,
  },
  'second_factor.remove_passkey': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ password: PASSWORD, passkey_id: newId('psk') }),
    status: 404,
  },
  'second_factor.new_codes': {
    role: 'SUPPORT',
    names: 'nothing',
    input: () => ({ password: PASSWORD }),
    status: 404,
  },
  'team.list': { role: 'OWNER', names: 'nothing', input: none },
  'team.invite': { role: 'OWNER', names: 'nothing', input: () => ({ email: newEmail(), role: 'SUPPORT' }) },
  'team.revoke_invitation': {
    role: 'OWNER',
    names: 'a record',
    input: ({ team }) => ({ invitation_id: team.invitationId }),
  },
  'team.set_role': {
    role: 'OWNER',
    names: 'a record',
    input: ({ team }) => ({ user_id: team.userId, role: 'OWNER' }),
  },
  'team.require_second_factor': { role: 'OWNER', names: 'nothing', input: () => ({ required: false }) },
  // The status is 404, because the member has no second factor.
  'team.reset_second_factor': {
    role: 'OWNER',
    names: 'a record',
    input: ({ team }) => ({ user_id: team.userId }),
    status: 404,
  },
  'team.end_sessions': { role: 'OWNER', names: 'a record', input: ({ team }) => ({ user_id: team.userId }) },
  'team.remove': { role: 'OWNER', names: 'a record', input: ({ team }) => ({ user_id: team.userId }) },
  'views.list': { role: 'SUPPORT', names: 'nothing', input: () => ({ page: 'bookings' }) },
  'views.create': {
    role: 'SUPPORT',
    names: 'nothing',
    // Every caller can use this name, because a view's name must be unique only among the views of the same member.
    input: () => ({ page: 'bookings', name: 'Past', query: { period: 'past' } }),
  },
  // Several members make these calls, but only the member who saved a view can use it. The ids here therefore belong to
  // no view, and even the owner gets a 404. `saved-views.test.ts` covers the caller's own views.
  'views.rename': { role: 'SUPPORT', names: 'a record', input: () => ({ id: newId('viw'), name: 'New' }), status: 404 },
  'views.delete': { role: 'SUPPORT', names: 'a record', input: () => ({ id: newId('viw') }), status: 404 },
  'find.records': { role: 'SUPPORT', names: 'nothing', input: ({ webhook }) => ({ text: webhook.deliveryId }) },
  'environment.get': { role: 'SUPPORT', names: 'nothing', input: none },
  'environment.change_business': {
    role: 'OWNER',
    names: 'nothing',
    input: () => {
      const business = { business_name: 'Only of this tenant', time_zone: 'Europe/Berlin', locales: ['en'] };
      return { before: business, ...business };
    },
    status: 409,
  },
  // The status is 404, because these tenants are not the sandbox. tests/integration/sandbox covers the sandbox.
  // The servers of these tests have no mail server.
  'environment.test_mail': { role: 'OWNER', names: 'nothing', input: none, status: 503 },
  'environment.set_reset_policy': { role: 'OWNER', names: 'nothing', input: () => ({ policy: 'DAILY' }), status: 404 },
  'environment.reset_now': { role: 'OWNER', names: 'nothing', input: () => ({ tenant_name: 'Tenant' }), status: 404 },
};
