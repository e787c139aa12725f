import { formatDate } from '../../bookings/_components/format';
import type { RequestDetail } from './types';

type Refused = NonNullable<RequestDetail['refused']>;

/**
 * Describes in one line what a refused write requested, such as `Haircut at Salon Mitte on Tue, Nov 24, 2026 at 10:00
 * (Europe/Berlin), external reference INV-1`. Unknown parts are omitted. A record without a name is identified by its ID.
 */
export function refusedText(refused: Refused | null, externalReference: string | null): string | null {
  const { service = null, location = null, specialist = null, date = null, start_time: time = null } = refused ?? {};
  const zone = time && location?.time_zone ? `(${location.time_zone})` : null;
  const parts = [
    service && nameOf(service),
    specialist && `with ${nameOf(specialist)}`,
    location && `at ${nameOf(location)}`,
    date && `on ${formatDate(date)}`,
    time && `at ${time}`,
    zone,
  ];
  const reference = externalReference && `external reference ${externalReference}`;
  const text = [parts.filter(Boolean).join(' '), reference].filter(Boolean).join(', ');
  return text === ''
    ? null
    : text.replace(/^(at|on|with|external) /, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

function nameOf({ id, name }: { id: string; name: string | null }): string {
  return name ?? id;
}
