// Only `npm run test:soak` compares every zone and every day with Python's zoneinfo, which reads the rules of the operating
// system: `npm run test:soak -- tests/unit/time-zones/oracle.test.ts`. It requires Python 3.9, and tzdata of the release in
// `rules.ts` or, in PYTHONTZPATH, its directory.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { canonicalZone, offsetAt, ZONE_RULES, zoneOf } from '@/lib/platform/time-zones';
import { repeats } from '@/tests/support/soak';

const oracle = z.object({
  version: z.string(),
  end: z.int(),
  zones: z.record(z.string(), z.array(z.tuple([z.int(), z.number()])).min(1)),
});

const HOUR = 60;

test('agrees with zoneinfo in every zone at every hour of three years', async () => {
  if (repeats(0, 1) === 0) return;
  const options = { maxBuffer: 64 * 1024 * 1024, timeout: 600_000 };
  const { stdout } = await promisify(execFile)('python3', ['tests/unit/time-zones/oracle.py', '2026', '2028'], options);
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

/** Every hour of a period, and its last minute. */
function* minutes(from: number, to: number) {
  for (let at = from; at < to; at += HOUR) yield at;
  yield to - 1;
}
