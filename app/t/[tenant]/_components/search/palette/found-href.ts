import { bookingHref } from '../../../bookings/_components/query';
import { requestHref, requestsHref } from '../../../requests/_components/query';
import type { Outputs } from '../../api-types';

/** A record that the command palette can open. */
export type Found = Outputs['find']['records'][number];

/** The displayed name of each kind of record. */
export const KIND_NAMES: Record<Found['kind'], string> = {
  request: 'Request',
  booking: 'Booking',
  delivery: 'Delivery',
  reference: 'Requests with this reference',
  key: 'Key',
  application: 'Application',
  service: 'Service',
  specialist: 'Specialist',
  location: 'Location',
};

/** Returns the URL of the page that shows a record. */
export function foundHref({ kind, id, application_id: application }: Found): string {
  const pages: Record<Found['kind'], string> = {
    request: requestHref(id),
    booking: bookingHref(id),
    delivery: `/applications/${application}/webhook?delivery=${id}`,
    reference: requestsHref({ reference: id, period: '30d' }),
    key: `/applications/${application}/keys#${id}`,
    application: `/applications/${id}`,
    service: `/catalog/services/${id}`,
    specialist: `/catalog/specialists/${id}`,
    location: `/catalog/locations/${id}`,
  };
  return pages[kind];
}
