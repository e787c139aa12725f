import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DAY, FIRST_YEAR, formatInstant, parseDay, zoneOf } from '@/lib/platform/time-zones';
import { ZONES } from '@/lib/platform/time-zones/rules';

/** For TEST_ZONE_RULES. */
export type OtherRules = {
  version: string;
  file: string;
  remove: () => Promise<void>;
};

const RULES = new Map(ZONES.split('\n').map((line) => [line.split('|')[0] ?? '', line.split('|')[2] ?? '']));

/** With different offsets, in the order of their names. */
export function zoneNames(count: number): string[] {
  const step = Math.floor(RULES.size / count);
  return [...RULES.keys()].filter((_, index) => index % step === 0).slice(0, count);
}

/** Some zones add `minutes` to their offset from the date `from` on, and never change their clocks again. */
export async function writeRules(
  version: string,
  from: string,
  zones: readonly { name: string; minutes: number }[],
): Promise<OtherRules> {
  const directory = await mkdtemp(join(tmpdir(), 'rules-'));
  const file = join(directory, 'rules.json');
  const changed = zones.map(({ name, minutes }) => [name, withChange(name, parseDay(from) * DAY, minutes)]);
  await writeFile(file, JSON.stringify({ version, zones: Object.fromEntries(changed) }));
  return { version, file, remove: () => rm(directory, { recursive: true }) };
}

/** In the format of `rules.ts`: the changes before `at`, and one more at `at`. */
function withChange(name: string, at: number, minutes: number): string {
  let rules = RULES.get(name) ?? '';
  while (rules.startsWith('=')) rules = RULES.get(rules.slice(1)) ?? '';
  const [first = '0', ...rest] = rules.split(' ');
  const kept = [first];
  let last = parseDay(`${FIRST_YEAR}-01-01`) * DAY;
  for (let index = 0; index + 1 < rest.length; index += 2) {
    const next = last + Number.parseInt(rest[index] ?? '', 36);
    if (next >= at) break;
    kept.push(rest[index] ?? '', rest[index + 1] ?? '');
    last = next;
  }
  const local = formatInstant(zoneOf(name), at);
  const offset = Date.parse(`${local.date}T${local.time}Z`) / 60_000 - at;
  return [...kept, (at - last).toString(36), String(offset + minutes)].join(' ');
}
