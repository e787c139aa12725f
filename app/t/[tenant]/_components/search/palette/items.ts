import type { Translator } from '@/app/_components/language';
import { tenantPath } from '@/app/_components/tenant-path';
import { readSearchedPhone } from '../../../bookings/_components/list/phone';
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

/** The messages that name the choices. */
export type ItemNames = { t: Translator<'shell'>; kind: Translator<'words.records'> };

/** Returns the user's other businesses, but only those with a name that contains each word of `text`. */
export function tenantItems(
  { t, kind }: ItemNames,
  { tenants, tenantId }: Pick<Who, 'tenants' | 'tenantId'>,
  text: string,
): Item[] {
  const words = text.toLowerCase().split(/\s+/);
  return tenants
    .filter(({ id, name }) => id !== tenantId && words.every((word) => name.toLowerCase().includes(word)))
    .map(({ id, name }) => ({
      href: tenantPath(id, '/'),
      label: t('palette.openBusiness', { name }),
      detail: kind('business'),
      tenant: true,
    }));
}

/**
 * Returns the choices for a phone number. Returns an empty list if the text is not a phone number, or if the member may
 * not view contacts. A text without a country code can also be an external reference. Further choices therefore search
 * the bookings and the requests for this reference.
 */
export function phoneItems(t: Translator<'shell'>, role: Viewer, text: string): Item[] {
  const phone = mayChangeBookings(role) ? readSearchedPhone(text) : null;
  if (!phone) return [];
  const { national } = phone;
  const items: Item[] = [
    {
      href: '/bookings',
      label: t('palette.findPhone', { phone: phone.phone ?? national ?? '' }),
      detail: t('palette.phone'),
      phone,
    },
  ];
  if (national === undefined) return items;
  items.push({
    href: bookingsHref({ reference: national, period: 'all' }),
    label: t('palette.findInBookings', { reference: national }),
    detail: t('sections.bookings'),
  });
  if (!mayViewPartners(role)) return items;
  const href = requestsHref({ reference: national, period: '30d' });
  return [
    ...items,
    { href, label: t('palette.findInRequests', { reference: national }), detail: t('sections.requests') },
  ];
}

type Found = Outputs['find']['records'][number];

const HREF_OF: Record<Found['kind'], (id: string, application: string | null) => string> = {
  request: requestHref,
  booking: bookingHref,
  delivery: (id, application) => `/applications/${application}/webhook?delivery=${id}`,
  reference: (reference) => requestsHref({ reference, period: '30d' }),
  key: (id, application) => `/applications/${application}/keys#${id}`,
  application: (id) => `/applications/${id}`,
  service: (id) => `/catalog/services/${id}`,
  specialist: (id) => `/catalog/specialists/${id}`,
  location: (id) => `/catalog/locations/${id}`,
};

/** Returns the choice that opens a record. */
export function foundItem({ kind: kindName }: Pick<ItemNames, 'kind'>, record: Found): Item {
  const { kind, id, name, application_id: application } = record;
  return { href: HREF_OF[kind](id, application), label: name, detail: kindName(kind) };
}
