import { readFileSync } from 'node:fs';
import { ZONE_RULES as RELEASE, ZONES as RELEASED } from './rules';

/** The zones are in the format of `rules.ts`. */
type Replaced = { version: string; zones: Record<string, string> };

/**
 * Tests of a change of rules run a real server with TEST_ZONE_RULES. LIVE does not start with it. Read from
 * `process.env`, because this module is loaded before the settings are.
 */
function replaced(): Replaced | null {
  const { ENVIRONMENT, TEST_ZONE_RULES: file } = process.env;
  // TEST is the default.
  return (ENVIRONMENT || 'TEST') === 'TEST' && file ? (JSON.parse(readFileSync(file, 'utf8')) as Replaced) : null;
}

const other = replaced();

/** Such as `2026f`. */
export const ZONE_RULES = other?.version ?? RELEASE;

/** In the format of `rules.ts`. */
export const ZONES = other ? RELEASED.split('\n').map(withOther).join('\n') : RELEASED;

function withOther(line: string): string {
  const [name = '', country = '', rules = '', aliases = ''] = line.split('|');
  return [name, country, other?.zones[name] ?? rules, aliases].join('|');
}

/** Returns whether the version `a` of the rules is older than `b`: 2026f, 2026g, 2027a. */
export function isOlderRules(a: string, b: string): boolean {
  return a < b;
}
