import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  canonicalZone,
  formatInstant,
  localToInstant,
  offsetAt,
  ZONE_RULES,
  zoneChoices,
  zoneOf,
} from '@/lib/platform/time-zones';
import { hasProgram, recordNotRun } from '@/tests/support/programs';
import { SOAK } from '@/tests/support/soak';

// Rules of the releases of the IANA Time Zone Database up to 2026f, and rules that software often has wrong. The source of
// a row is the entry of that release in IANA's file NEWS.
const RULES: [zone: string, local: string, offset: string, source: string][] = [
  ['America/Vancouver', '2027-01-15T10:00', '-07:00', '2026b: British Columbia moved to permanent -07 on 2026-03-09'],
  ['America/Vancouver', '2026-03-08T01:30', '-08:00', '2026b: before its last change'],
  ['America/Edmonton', '2027-01-15T10:00', '-06:00', '2026c: Alberta moved to permanent -06 on 2026-06-18'],
  ['America/Yellowknife', '2027-01-15T10:00', '-06:00', '2026c: as Alberta'],
  ['America/Inuvik', '2027-01-15T10:00', '-06:00', '2026d: Northwest Territories moved to permanent -06'],
  ['America/Winnipeg', '2027-01-15T10:00', '-05:00', '2026e: Manitoba moves to permanent -05 on 2026-10-31'],
  ['America/Rainy_River', '2027-01-15T10:00', '-05:00', '2026e: northwestern Ontario follows Manitoba'],
  ['Africa/Casablanca', '2027-07-15T10:00', '+00:00', '2026c: Morocco moves to permanent +00 on 2026-09-20'],
  ['Africa/El_Aaiun', '2027-07-15T10:00', '+00:00', '2026c: as Morocco'],
  ['America/Havana', '2027-01-15T10:00', '-04:00', '2026f: Cuba stays on -04 through 2027-11-07'],
  ['America/Havana', '2027-11-08T10:00', '-05:00', '2026f: Cuba falls back on 2027-11-07'],
  ['Europe/Chisinau', '2027-03-28T02:30', '+02:00', '2026a: Moldova uses EU transition times'],
  ['Europe/Chisinau', '2027-03-28T04:30', '+03:00', '2026a: Moldova uses EU transition times'],
  ['Europe/Berlin', '2027-07-01T12:00', '+02:00', 'EU'],
  ['Europe/Berlin', '2055-07-01T12:00', '+02:00', 'EU, after the table'],
  ['Europe/Berlin', '2055-12-01T12:00', '+01:00', 'EU, after the table'],
  ['America/New_York', '2060-03-14T01:30', '-05:00', 'second Sunday of March, after the table'],
  ['America/New_York', '2060-03-14T03:30', '-04:00', 'second Sunday of March, after the table'],
  ['Australia/Sydney', '2061-10-02T03:30', '+11:00', 'first Sunday of October, after the table'],
  ['America/Mexico_City', '2027-07-01T12:00', '-06:00', '2022f: no daylight saving'],
  ['Asia/Almaty', '2027-01-15T10:00', '+05:00', '2024a: one zone in Kazakhstan'],
  ['America/Asuncion', '2027-07-01T12:00', '-03:00', '2025a: Paraguay stays at -03'],
  ['Asia/Kathmandu', '2027-01-15T10:00', '+05:45', 'quarter hour'],
  ['Australia/Eucla', '2027-01-15T10:00', '+08:45', 'quarter hour'],
  ['Pacific/Kiritimati', '2027-01-15T10:00', '+14:00', 'largest offset'],
];

test.each(RULES)('%s at %s is %s (%s)', (name, local, offset) => {
  const zone = zoneOf(name);
  const [date = '', time = ''] = local.split('T');
  const instant = localToInstant(zone, date, time);
  expect(instant).not.toBeNull();
  expect(formatInstant(zone, instant ?? 0).rfc3339).toBe(`${local}:00${offset}`);
});

test('skipped and repeated local times follow the rules of the release', () => {
  expect(localToInstant(zoneOf('America/Vancouver'), '2027-03-14', '02:30')).not.toBeNull();
  expect(localToInstant(zoneOf('Europe/Chisinau'), '2027-03-28', '03:30')).toBeNull();
  expect(localToInstant(zoneOf('Europe/Chisinau'), '2027-03-28', '04:00')).toBe(Date.UTC(2027, 2, 28, 1) / 60_000);
  expect(localToInstant(zoneOf('America/New_York'), '2060-03-14', '02:30')).toBeNull();
  // The first pass of the repeated hour.
  expect(localToInstant(zoneOf('Europe/Berlin'), '2060-10-31', '02:30')).toBe(Date.UTC(2060, 9, 31, 0, 30) / 60_000);
});

test('pickers get every canonical name once, with the offset of today, the country, and the other names', () => {
  const choices = zoneChoices(new Date('2027-01-15T12:00:00Z'));
  const names = choices.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual([...names].sort());
  expect(choices.find(({ name }) => name === 'Asia/Kolkata')).toEqual({
    ...{ name: 'Asia/Kolkata', offset: '+05:30', country: 'India', country_code: 'IN', other_names: ['Asia/Calcutta'] },
  });
  expect(choices.find(({ name }) => name === 'America/Vancouver')?.offset).toBe('-07:00');
});

// Only `npm run test:soak` compares every zone and every day with Python's zoneinfo, which reads the rules of the operating
// system: `npm run test:soak -- tests/unit/time-zones/rules.test.ts`. It requires Python 3.9, and tzdata of the release in
// `rules.ts` or, in PYTHONTZPATH, its directory.
const oracle = z.object({
  version: z.string(),
  end: z.int(),
  zones: z.record(z.string(), z.array(z.tuple([z.int(), z.number()])).min(1)),
});

const HOUR = 60;

/** Every hour of a period, and its last minute. */
function* minutes(from: number, to: number) {
  for (let at = from; at < to; at += HOUR) yield at;
  yield to - 1;
}

if (!SOAK) recordNotRun(1, 'only npm run test:soak compares all time zones with Python');
else if (hasProgram('python3', 1, 'the comparison of all time zones'))
  test('agrees with zoneinfo in every zone at every hour of three years', async () => {
    const options = { maxBuffer: 64 * 1024 * 1024, timeout: 600_000 };
    const { stdout } = await promisify(execFile)(
      'python3',
      ['tests/unit/time-zones/oracle.py', '2026', '2028'],
      options,
    );
    const { version, end, zones } = oracle.parse(JSON.parse(stdout));
    expect(version).toBe(ZONE_RULES);
    const unknown = Object.keys(zones).filter((name) => canonicalZone(name) === null);
    expect(unknown.filter((name) => !['Factory', 'localtime'].includes(name))).toEqual([]);
    const differences: string[] = [];
    for (const [name, changes] of Object.entries(zones)) {
      const canonical = canonicalZone(name);
      if (canonical === null) continue;
      const zone = zoneOf(canonical);
      for (const [index, [from, offset]] of changes.entries()) {
        const to = changes[index + 1]?.[0] ?? end;
        for (const at of minutes(from, to)) {
          if (offsetAt(zone, at) !== offset) differences.push(`${name} ${new Date(at * 60_000).toISOString()}`);
        }
      }
    }
    expect(differences).toEqual([]);
  }, 900_000);
