import { beforeAll, expect, test } from 'vitest';
import { resetSingleton } from '@/lib/platform/singleton';
import { repeats } from '@/tests/support/soak';
import { recordStatements } from '@/tests/support/statements';
import { callAsOwner } from './calls';
import { inputsOf, PROCEDURES } from './inputs';
import { makeWorlds, marksOf, rowsOf, type Worlds } from './world';

let worlds: Worlds;
let marks: string[];

beforeAll(async () => {
  process.env.WEBHOOKS_ALLOW_LOOPBACK = '1';
  // A timer of an earlier file in this process may have read the settings already.
  resetSingleton('env');
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
});

/** Matches a condition on the tenant, and captures its parameter. */
const FILTER = /(?:(?:\w+|"\w+")\.)*(?:tenant_id|"tenant_id"|\bt\.id|"tenants"\."id") = (\$\d+)(?:::text)?/g;

/** Returns a statement without its condition on the tenant with this index, or null if there is none. */
function without(text: string, index: number): string | null {
  let found = -1;
  const changed = text.replaceAll(FILTER, (filter, parameter: string) => {
    found += 1;
    // The parameter must stay, because the statement still gets its value.
    return found === index ? `${parameter}::text IS NOT NULL` : filter;
  });
  return found < index ? null : changed;
}

/** Removes the limit of a transaction to a tenant, so that only the conditions of its statements protect others. */
const unlimited = (text: string) => text.replace(/; SET LOCAL partner_booking\.tenant = '\w+'/, '');

/** A statement that a call sends, without one of its conditions on the tenant. */
type Mutant = { path: string; request: string; original: string; changed: string };

/** The procedures whose statements `npm test` changes. `npm run test:soak` changes those of all procedures. */
const SHORT =
  /^(team|audit|applications|keys|views)\.(list|create|issue|rename|delete|invite|set_role)$|^overview\.outside$/;

async function mutantsOf(type: 'query' | 'mutation', now: Date): Promise<Mutant[]> {
  const mutants: Mutant[] = [];
  const chosen = repeats(0, 1) ? PROCEDURES : PROCEDURES.filter(({ path }) => SHORT.test(path));
  for (const { path } of chosen.filter((one) => one.type === type)) {
    const seen = new Set<string>();
    for (const input of inputsOf(path, worlds.birch)) {
      const request = JSON.stringify(input ?? {});
      const { sent } = await recordStatements(() => callAsOwner(worlds.birch, path, request, now));
      for (const { text: original } of sent)
        for (let index = 0, changed = without(original, 0); changed !== null; changed = without(original, ++index)) {
          if (seen.has(changed)) continue;
          seen.add(changed);
          mutants.push({ path, request, original, changed });
        }
    }
  }
  return mutants;
}

/** Sends the request of a mutant, and returns what it shows of another tenant. */
async function leaksOf({ path, request, original, changed }: Mutant, now: Date, limit = (text: string) => text) {
  const rewrite = (text: string) => limit(text === original ? changed : text);
  const { result } = await recordStatements(() => callAsOwner(worlds.birch, path, request, now), rewrite);
  return marks.filter((mark) => !request.includes(mark) && result.body.includes(mark));
}

test('a read without a condition on the tenant shows nothing of another tenant', async () => {
  const now = new Date();
  const mutants = await mutantsOf('query', now);
  const leaking: string[] = [];
  let unprotected = 0;
  for (const mutant of mutants) {
    if ((await leaksOf(mutant, now)).length > 0) leaking.push(mutant.changed);
    if ((await leaksOf(mutant, now, unlimited)).length > 0) unprotected += 1;
  }
  // The policies do not limit reads of bookings (decision 27).
  expect(leaking.filter((text) => !/\sbookings\s/.test(text))).toEqual([]);
  // Without the policies, some of the same statements show rows of other tenants. Most still show none, because another
  // condition names a record of the caller's tenant.
  expect(unprotected).toBeGreaterThan(leaking.length);
});

test('a change without a condition on the tenant changes nothing of another tenant', async () => {
  const now = new Date();
  const before = await rowsOf(worlds.other, [worlds.birch, worlds.beech]);
  for (const mutant of await mutantsOf('mutation', now)) expect(await leaksOf(mutant, now)).toEqual([]);
  expect(await rowsOf(worlds.other, [worlds.birch, worlds.beech])).toEqual(before);
});
