import { tenantPath } from '@/app/_components/tenant-path';
import { readSearchedPhone } from '../../../bookings/_components/phone';
import { bookingHref, bookingsHref } from '../../../bookings/_components/query';
import type { SearchedPhone } from '../../../bookings/_components/types';
import { requestHref, requestsHref } from '../../../requests/_components/query';
import type { Outputs } from '../../api-types';
import { mayChangeBookings, mayViewPartners, type Viewer } from '../../roles';
import type { Who } from '../../shell/who';

/**
 * One choice of the command palette. If `phone` is set, the choice searches for the bookings with this phone number. If
 * `tenant` is set, the choice opens another business of the user.
 */
export type Item = { href: string; label: string; detail: string; phone?: SearchedPhone; tenant?: true };

/** Returns the user's other businesses, but only those with a name that contains each word of `text`. */
export function tenantItems({ tenants, tenantId }: Pick<Who, 'tenants' | 'tenantId'>, text: string): Item[] {
  const words = text.toLowerCase().split(/\s+/);
  return tenants
    .filter(({ id, name }) => id !== tenantId && words.every((word) => name.toLowerCase().includes(word)))
    .map(({ id, name }) => ({ href: tenantPath(id, '/'), label: `Open ${name}`, detail: 'Business', tenant: true }));
}

/**
 * Returns the choices for a phone number. Returns an empty list if the text is not a phone number, or if the member may
 * not view contacts. A text without a country code can also be an external reference. Further choices therefore search
 * the bookings and the requests for this reference.
 */
export function phoneItems(role: Viewer, text: string): Item[] {
  const phone = mayChangeBookings(role) ? readSearchedPhone(text) : null;
  if (!phone) return [];
  const { national } = phone;
  const items: Item[] = [
    { href: '/bookings', label: `Find bookings for ${phone.phone ?? national}`, detail: 'Phone number', phone },
  ];
  if (national === undefined) return items;
  items.push({
    href: bookingsHref({ reference: national, period: 'all' }),
    label: `Find reference ${national} in bookings`,
    detail: 'Bookings',
  });
  if (!mayViewPartners(role)) return items;
  const href = requestsHref({ reference: national, period: '30d' });
  return [...items, { href, label: `Find reference ${national} in requests`, detail: 'Requests' }];
}

type Found = Outputs['find']['records'][number];

/** For each kind of record, its displayed name and the URL of its page. */
const KINDS: Record<Found['kind'], { detail: string; href: (id: string, application: string | null) => string }> = {
  request: { detail: 'Request', href: requestHref },
  booking: { detail: 'Booking', href: bookingHref },
  delivery: { detail: 'Delivery', href: (id, application) => `/applications/${application}/webhook?delivery=${id}` },
  reference: {
    detail: 'Requests with this reference',
    href: (reference) => requestsHref({ reference, period: '30d' }),
  },
  key: { detail: 'Key', href: (id, application) => `/applications/${application}/keys#${id}` },
  application: { detail: 'Application', href: (id) => `/applications/${id}` },
  service: { detail: 'Service', href: (id) => `/catalog/services/${id}` },
  specialist: { detail: 'Specialist', href: (id) => `/catalog/specialists/${id}` },
  location: { detail: 'Location', href: (id) => `/catalog/locations/${id}` },
};

/** Returns the choice that opens a record. */
export function foundItem({ kind, id, name, application_id: application }: Found): Item {
  const { detail, href } = KINDS[kind];
  return { href: href(id, application), label: name, detail };
}
