import { z } from 'zod';
import { FIRST_YEAR, LAST_YEAR } from '@/lib/platform/time-zones';
import { ALIASES, FIXED_COUNTRIES, UTC_NAMES } from './names';

/** Of the npm package `moment-timezone`. */
export const packedFile = z.object({ version: z.string(), zones: z.array(z.string()), links: z.array(z.string()) });
const metaFile = z.object({
  countries: z.record(z.string(), z.object({ name: z.string() })),
  zones: z.record(z.string(), z.object({ countries: z.array(z.string()).min(1) })),
});

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWX';
const FROM = Date.UTC(FIRST_YEAR) / 60_000;
const TO = Date.UTC(LAST_YEAR + 1) / 60_000;

/** Base 60 with at most one digit after the point. */
function base60(text: string): number {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const digit = (one: string) => {
    const value = DIGITS.indexOf(one);
    if (value < 0) throw new Error('the package has a number with an unknown digit');
    return value;
  };
  let value = 0;
  for (const one of whole) value = value * 60 + digit(one);
  if (fraction) value += digit(fraction) / 60;
  return text.startsWith('-') ? -value : value;
}

/**
 * The first offset in minutes, then pairs of minutes since the previous change (base 36) and the new offset. Seconds
 * occur only before `FIRST_YEAR`; a later one is an error.
 */
function rulesOf(zone: string): string {
  const [name = '', , offsetsText = '', indices = '', deltas = ''] = zone.split('|');
  const offsets = offsetsText.split(' ').map((text) => -base60(text));
  const ends = deltas === '' ? [] : deltas.split(' ').map(base60);
  const out: string[] = [];
  let last: number | null = null;
  let at = Number.NEGATIVE_INFINITY;
  let written = FROM;
  for (const [index, digit] of [...indices].entries()) {
    const offset = offsets[DIGITS.indexOf(digit)];
    const until = ends[index];
    const to = until === undefined ? TO : (index === 0 ? 0 : at) + until;
    const begins = at;
    at = Math.round(to * 60) / 60;
    if (offset === undefined) throw new Error(`the package has no offset for ${name}`);
    if (at <= FROM || begins >= TO || offset === last) continue;
    if (!Number.isInteger(offset) || (begins > FROM && !Number.isInteger(begins)))
      throw new Error(`${name} has rules with seconds`);
    if (last !== null) out.push((begins - written).toString(36));
    if (last !== null) written = begins;
    out.push(String(offset));
    last = offset;
  }
  return out.join(' ');
}

/** `zones` are the names that `zone.tab` of IANA lists. */
function canonicalNames(groups: readonly string[][], zones: ReadonlySet<string>): Map<string, string> {
  const canonical = new Map<string, string>();
  for (const group of groups) {
    const listed = group.filter((name) => zones.has(name));
    for (const name of group) {
      const [only, ...others] = listed;
      const fixed = /^Etc\/GMT[+-]([1-9]|1[0-4])$/.test(name) ? name : undefined;
      const found =
        (zones.has(name) ? name : ALIASES[name]) ??
        (UTC_NAMES.has(name) ? 'UTC' : fixed) ??
        (others.length === 0 ? only : undefined);
      if (found === undefined) throw new Error(`${name} has several canonical names: add it to scripts/zones/names.ts`);
      canonical.set(name, found);
    }
  }
  return canonical;
}

/** Returns the text of `lib/platform/time-zones/rules.ts` for the data and the license of the package. */
export function packRules(packed: unknown, meta: unknown, source: string, license: string): string {
  const { version, zones, links } = packedFile.parse(packed);
  const { countries, zones: listed } = metaFile.parse(meta);
  const rules = new Map(zones.map((zone) => [zone.slice(0, zone.indexOf('|')), rulesOf(zone)]));
  const groups = new Map([...rules.keys()].map((name) => [name, [name]]));
  for (const link of links) {
    const [target = '', alias = ''] = link.split('|');
    groups.get(target)?.push(alias);
    rules.set(alias, rules.get(target) ?? '');
  }
  const canonical = canonicalNames([...groups.values()], new Set(Object.keys(listed)));
  const names = [...new Set(canonical.values())].sort();
  const first = new Map<string, string>();
  const lines = names.map((name) => {
    const own = rules.get(name);
    if (!own) throw new Error(`${name} has no rules`);
    const shared = first.get(own);
    // A reference is only shorter than rules with changes.
    const text = shared && own.includes(' ') ? `=${shared}` : own;
    if (!shared) first.set(own, name);
    const aliases = [...canonical].filter(([alias, to]) => to === name && alias !== name).map(([alias]) => alias);
    return [name, FIXED_COUNTRIES[name] ?? listed[name]?.countries[0] ?? '', text, aliases.sort().join(' ')].join('|');
  });
  const used = new Set(lines.map((line) => line.split('|')[1]));
  const named = Object.entries(countries)
    .filter(([code]) => used.has(code))
    .map(([code, { name }]) => `${code}|${name}`);
  const notice = license.trim().split(/\r?\n/).join('\n');
  return `// Generated by \`npm run check:zones -- --write\`. Never edited by hand.
/*
Time zone data of the IANA Time Zone Database, as compiled by ${source}:

${notice}
*/

/** The release of the IANA Time Zone Database. */
export const ZONE_RULES = '${version}';

/** The npm package that the data comes from. */
export const ZONE_SOURCE = '${source}';

/** Zones: name, country, rules, and other names (\`scripts/zones/pack.ts\` states the format of rules). */
export const ZONES = \`${lines.join('\n')}\`;

/** Countries of zones: ISO 3166 code and name. */
export const ZONE_COUNTRIES = \`${named.sort().join('\n')}\`;
`;
}
