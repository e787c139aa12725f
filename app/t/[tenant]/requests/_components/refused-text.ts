import type { Translator } from '@/app/_components/language';
import type { Formats } from '@/lib/platform/text/formats';
import { dateText, timeText } from '../../bookings/_components/display/format';
import type { RequestDetail } from './types';

type Refused = NonNullable<RequestDetail['refused']>;

/**
 * Describes in one line what a refused write requested, such as `Haircut at Salon Mitte on Tue, Nov 24, 2026 at 10:00
 * (Europe/Berlin), external reference INV-1`. Unknown parts are omitted. A record without a name is identified by its ID.
 */
export function refusedText(
  t: Translator<'requests.refused'>,
  format: Formats,
  refused: Refused | null,
  externalReference: string | null,
): string | null {
  const { service = null, location = null, specialist = null, date = null, start_time: time = null } = refused ?? {};
  const zone = time && location?.time_zone;
  const isKnown = [service, location, specialist, date, time].some((part) => part !== null);
  const values = {
    ...{ hasService: `${service !== null}`, service: service ? nameOf(service) : '' },
    ...{ hasSpecialist: `${specialist !== null}`, specialist: specialist ? nameOf(specialist) : '' },
    ...{ hasLocation: `${location !== null}`, location: location ? nameOf(location) : '' },
    ...{ hasDate: `${date !== null}`, date: date ? dateText(format, date) : '' },
    ...{
      hasTime: `${time !== null}`,
      time: time ? timeText(format, time) : '',
      hasZone: `${Boolean(zone)}`,
      zone: zone ?? '',
    },
  };
  // In the browser, a message that is empty with its values appears as its key.
  const what = isKnown ? t('what', values).trim() : '';
  const reference = externalReference && t('reference', { reference: externalReference });
  const text = [what, reference].filter(Boolean).join(', ');
  if (text === '') return null;
  return service ? text : text.charAt(0).toUpperCase() + text.slice(1);
}

function nameOf({ id, name }: { id: string; name: string | null }): string {
  return name ?? id;
}
