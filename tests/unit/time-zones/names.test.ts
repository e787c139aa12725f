import { expect, test } from 'vitest';
import { timeZone } from '@/lib/booking/catalog/edit/schemas';
import { canonicalZone, formatInstant, storedZone, zoneOf } from '@/lib/platform/time-zones';

// Canonical names as in ECMA-402: the names of zone.tab. Aliases are those of IANA's file `backward`.
const NAMES: [given: string, canonical: string][] = [
  ['Europe/Berlin', 'Europe/Berlin'],
  ['EUROPE/BERLIN', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  [' America/New York ', 'America/New_York'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['US/Pacific', 'America/Los_Angeles'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Yellowknife', 'America/Edmonton'],
  ['America/Montreal', 'America/Toronto'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Africa/Asmera', 'Africa/Asmara'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
  ['Europe/Oslo', 'Europe/Oslo'],
  ['Atlantic/Reykjavik', 'Atlantic/Reykjavik'],
  ['Iceland', 'Atlantic/Reykjavik'],
  ['GB', 'Europe/London'],
  ['Singapore', 'Asia/Singapore'],
  ['Utc', 'UTC'],
  ['Etc/UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['Etc/GMT+5', 'Etc/GMT+5'],
  // Names of the file `backward` that look like abbreviations.
  ['EST', 'America/Panama'],
  ['EST5EDT', 'America/New_York'],
  ['CET', 'Europe/Brussels'],
];

const REFUSED = [
  ...['PST', 'IST', 'AST', 'BST', 'CTT', 'JST', 'SystemV/EST5', 'US/Pacific-New', 'Factory', 'localtime'],
  ...[
    'GMT+5',
    '+05:00',
    'UTC+2',
    'Berlin',
    'Mars/Olympus',
    '',
    ' ',
    'posix/Europe/Berlin',
    'constructor',
    'x'.repeat(65),
  ],
];

test.each(NAMES)('%s is stored as %s', (given, canonical) => {
  expect(canonicalZone(given)).toBe(canonical);
  expect(timeZone.parse(given)).toBe(canonical);
  expect(zoneOf(given).name).toBe(canonical);
});

test.each(REFUSED)('"%s" is refused', (given) => {
  expect(canonicalZone(given)).toBeNull();
  expect(timeZone.safeParse(given).error?.issues.map(({ message }) => message)).toEqual(['must be an IANA time zone']);
});

test('a stored name that is unknown counts as UTC', () => {
  expect(formatInstant(storedZone('SystemV/EST5'), 0).rfc3339).toBe('1970-01-01T00:00:00+00:00');
});
