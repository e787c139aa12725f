import { sandboxId } from './ids';
import { EVERY_DAY, type LocationSeed, MONDAY_TO_FRIDAY, MONDAY_TO_SATURDAY, text, weekly } from './types';

/**
 * The locations of the sandbox. Their time zones lie west and east of UTC. They include a zone without daylight saving,
 * and Lord Howe Island, where daylight saving changes the offset by half an hour.
 */
export const LOCATIONS = [
  {
    key: 'mitte',
    number: 1,
    name: text('Musterlinde Berlin Mitte', 'Musterlinde Berlin-Mitte', 'Musterlinde Berlin-Mitte'),
    line1: 'Beispielstraße 12',
    city: 'Berlin',
    postalCode: '10115',
    country: 'DE',
    timeZone: 'Europe/Berlin',
    phone: '+493023125012',
    published: true,
    hours: [...weekly(MONDAY_TO_FRIDAY, '08:00', '20:00'), ...weekly([6], '09:00', '18:00')],
    exceptions: [
      { week: 2, weekday: 4, hours: [], note: 'Team training, closed all day' },
      { week: 4, weekday: 6, hours: [{ opens: '10:00', closes: '14:00' }], note: 'Street festival, shorter hours' },
    ],
  },
  {
    key: 'kreuzberg',
    number: 2,
    name: text('Musterlinde Kreuzberg Late', 'Musterlinde Kreuzberg Spät', 'Musterlinde Kreuzberg Nocturne'),
    line1: 'Musterweg 4',
    city: 'Berlin',
    postalCode: '10997',
    country: 'DE',
    timeZone: 'Europe/Berlin',
    phone: '+493023125047',
    published: true,
    // On Friday and Saturday, this location is open past midnight.
    hours: [
      ...weekly([1, 2, 3, 4], '10:00', '22:00'),
      ...weekly([5, 6], '12:00', '02:00'),
      ...weekly([7], '12:00', '20:00'),
    ],
    exceptions: [{ week: 3, weekday: 5, hours: [{ opens: '12:00', closes: '20:00' }], note: 'Closes early' }],
  },
  {
    key: 'brooklyn',
    number: 3,
    name: text('Musterlinde Brooklyn', 'Musterlinde Brooklyn', 'Musterlinde Brooklyn'),
    line1: '120 Sample Avenue',
    city: 'New York',
    postalCode: '11201',
    country: 'US',
    timeZone: 'America/New_York',
    phone: '+17185550142',
    published: true,
    hours: [...weekly(MONDAY_TO_FRIDAY, '07:00', '21:00'), ...weekly([6, 7], '09:00', '17:00')],
    exceptions: [
      { week: 2, weekday: 1, hours: [], note: 'Building maintenance' },
      { week: 3, weekday: 7, hours: [{ opens: '11:00', closes: '15:00' }], note: 'Shorter hours' },
    ],
  },
  {
    key: 'bengaluru',
    number: 4,
    name: text('Musterlinde Bengaluru', 'Musterlinde Bengaluru', 'Musterlinde Bangalore'),
    line1: '14 Namuna Road',
    city: 'Bengaluru',
    postalCode: '560001',
    country: 'IN',
    timeZone: 'Asia/Kolkata',
    // India has no phone numbers that are reserved for fiction.
    phone: null,
    published: true,
    // This location is closed at midday.
    hours: [...weekly(MONDAY_TO_SATURDAY, '09:30', '13:30'), ...weekly(MONDAY_TO_SATURDAY, '15:00', '20:00')],
    exceptions: [
      { week: 1, weekday: 6, hours: [{ opens: '09:30', closes: '13:30' }], note: 'Closed in the afternoon' },
      { week: 3, weekday: 3, hours: [], note: 'Local holiday' },
    ],
  },
  {
    key: 'lord-howe',
    number: 5,
    name: text('Musterlinde Island Retreat', 'Musterlinde Inselrefugium', 'Musterlinde Retraite insulaire'),
    line1: '3 Specimen Lane',
    city: 'Lord Howe Island',
    postalCode: '2898',
    country: 'AU',
    timeZone: 'Australia/Lord_Howe',
    phone: '+61255501042',
    published: true,
    // A guesthouse. Equal opening and closing times mean 24 hours.
    hours: weekly(EVERY_DAY, '00:00', '00:00'),
    exceptions: [{ week: 3, weekday: 2, hours: [{ opens: '10:00', closes: '16:00' }], note: 'Supply ship delivery' }],
  },
  {
    key: 'lyon',
    number: 6,
    name: text('Musterlinde Lyon', 'Musterlinde Lyon', 'Musterlinde Lyon'),
    line1: '8 rue du Modèle',
    city: 'Lyon',
    postalCode: '69002',
    country: 'FR',
    timeZone: 'Europe/Paris',
    phone: '+33465710042',
    published: false,
    hours: [...weekly(MONDAY_TO_FRIDAY, '09:00', '12:30'), ...weekly(MONDAY_TO_FRIDAY, '14:00', '19:00')],
    exceptions: [{ week: 2, weekday: 5, hours: [], note: 'Construction work' }],
  },
] as const satisfies readonly LocationSeed[];

export type LocationKey = (typeof LOCATIONS)[number]['key'];

/**
 * Returns the fixed id of a location.
 * @throws Error if there is no location with this key.
 */
export function locationId(key: LocationKey): string {
  const found = LOCATIONS.find((location) => location.key === key);
  if (!found) throw new Error(`no location ${key}`);
  return sandboxId('loc', found.number);
}
