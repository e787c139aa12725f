import type { AuditChange } from '../../_components/api-types';
import { deliveryHref, webhookHref } from '../../applications/[id]/webhook/_components/query';
import { isNamed, openedBookings, startText } from './booking-text';
import { timeOffText } from './schedule-text';
import type { Texts } from './texts';

type Target = Pick<
  AuditChange,
  'action' | 'object_kind' | 'object_id' | 'object_name' | 'object_application_id' | 'before' | 'after'
>;
type Values = Record<string, unknown>;
type Names = ReadonlyMap<string, string>;

const valuesOf = ({ before, after }: Pick<Target, 'before' | 'after'>): Values => ({ ...before, ...after });

function subjectOf(values: Values): string | null {
  const id = values.specialist_id ?? values.location_id;
  return typeof id === 'string' ? id : null;
}

const text = (value: unknown) => (typeof value === 'string' ? value : null);

type Named = { texts: Texts; values: Values; names: Names; change: Pick<Target, 'after'> };

/** For each kind of object without a stored name, a function that reads its name from the entry. */
const NAMES: Record<string, (named: Named) => string | null> = {
  block: ({ texts: { t, format }, values, names }) => {
    const time = values.from === undefined ? [] : [timeOffText(format, values)];
    return [names.get(subjectOf(values) ?? '') ?? t('objects.blockedTime'), ...time].join(', ');
  },
  booking: ({ texts: { t, format }, change }) => {
    const opened = openedBookings(change);
    if (opened.length > 1) return t('bookings.several', { count: opened.length });
    const booking = opened[0]?.values ?? change.after;
    return isNamed(booking) ? `${booking.service}, ${startText(format, booking)}` : null;
  },
  calendar: ({ values: { name } }) => text(name),
  calendar_feed: ({ texts: { t }, values, names }) => {
    const subject = subjectOf(values);
    if (subject === null) return t('objects.businessFeed');
    return t('objects.feed', { subject: names.get(subject) ?? subject });
  },
  invitation: ({ values: { email } }) => text(email),
};

/** Returns the name of the changed object; null if neither the object nor the entry has a name. */
export function objectName(
  texts: Texts,
  change: Pick<Target, 'object_kind' | 'object_name' | 'before' | 'after'>,
  names: Names = new Map(),
): string | null {
  const named = { texts, values: valuesOf(change), names, change };
  return change.object_name ?? NAMES[change.object_kind]?.(named) ?? null;
}

/** For each action on the business, the page on which it is made. */
const BUSINESS: Record<string, string> = {
  bookings: '/bookings',
  contacts: '/privacy',
  customer_names: '/privacy',
  retention: '/privacy',
  statistics: '/statistics',
  'tenant.second_factor_changed': '/team',
};

const ofSubject = (values: Values) =>
  text(values.specialist_id)
    ? `/catalog/specialists/${values.specialist_id}`
    : `/catalog/locations/${values.location_id}`;

const PAGES: Record<string, (change: Target) => string | null> = {
  application: ({ object_id: id }) => `/applications/${id}`,
  audit_log: () => '/audit',
  block: () => '/catalog/blocks',
  booking: ({ object_id: id }) => `/bookings/${id}`,
  calendar: (change) => (subjectOf(valuesOf(change)) === null ? null : ofSubject(valuesOf(change))),
  calendar_feed: () => '/calendar-feeds',
  catalog: () => '/catalog',
  delivery: ({ object_application_id: application, object_id: id }) => application && deliveryHref(application, id),
  invitation: () => '/team',
  key: ({ object_application_id: application, object_id: id }) =>
    application && `/applications/${application}/keys#${id}`,
  location: ({ object_id: id }) => `/catalog/locations/${id}`,
  request_log: () => '/requests',
  service: ({ object_id: id }) => `/catalog/services/${id}`,
  specialist: ({ object_id: id }) => `/catalog/specialists/${id}`,
  tenant: ({ action }) => BUSINESS[action] ?? BUSINESS[action.slice(0, action.indexOf('.'))] ?? '/environment',
  user: () => '/team',
  webhook_endpoint: ({ object_id: id }) => webhookHref(id),
};

/** These objects have a name as long as they exist. */
const NAMED = ['application', 'key', 'location', 'service', 'specialist', 'webhook_endpoint'];

/** Returns the URL of the page that shows the changed object; null if the object no longer exists. */
export function objectHref(change: Target): string | null {
  if (change.object_name === null && NAMED.includes(change.object_kind)) return null;
  return PAGES[change.object_kind]?.(change) ?? null;
}
