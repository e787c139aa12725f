import type pg from 'pg';
import { type Move, moveOf, type Told } from '@/lib/booking/bookings/derive-again';
import { LOCAL_COLUMNS } from '@/lib/booking/local-times';
import { textOf } from '@/lib/platform/sql';
import { canonicalZone, DAY, isOlderRules, ZONE_RULES } from '@/lib/platform/time-zones';
import { withClient } from '../environment/connection';
import type { Urls } from './database';
import { type Finding, ok, warning, wrong } from './findings';

const NAMES = `
  SELECT time_zone AS name, id FROM locations UNION ALL SELECT time_zone, id FROM tenants ORDER BY id LIMIT 100000`;

const MAX_NAMED = 5;

const IN_FORCE = 'SELECT zone_rules FROM environment';

/** States which time zone rules run, and finds locations and businesses whose stored time zone is unknown. */
export async function checkZones({ directUrl }: Urls): Promise<Finding[]> {
  const [names, inForce] = await withClient(directUrl, async (client) => [
    (await client.query<{ name: string; id: string }>(NAMES)).rows,
    await rulesInForce(client),
  ]);
  const unknown = names.filter(({ name }) => canonicalZone(name) === null).map(({ id }) => id);
  const others = otherRules(inForce);
  if (unknown.length === 0) {
    if (others) return [others];
    return [ok(`The time zone rules are those of ${ZONE_RULES}. Every stored time zone is known.`)];
  }
  const named = `${unknown.slice(0, MAX_NAMED).join(', ')}${unknown.length > MAX_NAMED ? ', …' : ''}`;
  const text = `The time zone of ${unknown.length} locations or businesses is unknown to the rules ${ZONE_RULES}: ${named}. Such a location counts as closed.`;
  return [wrong(text, 'Select a time zone for each of them in the Control Center.'), ...(others ? [others] : [])];
}

async function rulesInForce(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ zone_rules: string | null }>(IN_FORCE);
  return rows[0]?.zone_rules ?? null;
}

function otherRules(inForce: string | null): Finding | null {
  if (inForce === null || inForce === ZONE_RULES) return null;
  if (isOlderRules(ZONE_RULES, inForce))
    return wrong(
      `The time zone rules of this version are ${ZONE_RULES}, but the database uses ${inForce}. A server of this version is not ready.`,
      `Install a version with the time zone rules ${inForce} or newer.`,
    );
  return warning(
    `The time zone rules of this version are ${ZONE_RULES}, and the database still uses ${inForce}. The next start moves bookings to their local time.`,
    'To see which, run npm run doctor -- --zones.',
  );
}

const PAGE = 2_000;
const MAX_EXAMPLES = 5;

const UPCOMING = `
  SELECT b.reference, b.starts_at, b.ends_at, b.time_zone, ${textOf(LOCAL_COLUMNS)} FROM bookings b
  WHERE b.status = 'confirmed' AND b.claim_id IS NOT NULL AND b.starts_at > $1 AND b.reference > $2
  ORDER BY b.reference LIMIT ${PAGE}`;

/** Returns lines that state which bookings a start of this version would move, by their reference only. */
export async function describeMoves(directUrl: string, now: Date): Promise<string[]> {
  return withClient(directUrl, async (client) => {
    const inForce = await rulesInForce(client);
    const rules = `Time zone rules of this version: ${ZONE_RULES}. In force in the database: ${inForce ?? 'none yet'}.`;
    if (inForce !== null && isOlderRules(ZONE_RULES, inForce))
      return [rules, 'This version moves nothing: a server with older rules is not ready.'];
    const { counts, examples } = await movesOf(client, now);
    const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
    if (total === 0) return [rules, 'No booking would move.'];
    return [
      rules,
      `${total} bookings would keep their local start and move to other instants, or end at another local time:`,
      ...[...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([zone, count]) => `  ${zone}: ${count}`),
      'For example:',
      ...examples,
    ];
  });
}

async function movesOf(client: pg.Client, now: Date) {
  const counts = new Map<string, number>();
  const examples: string[] = [];
  // No change of rules moves a local time by more than a day.
  const since = new Date(now.getTime() - DAY * 60_000);
  for (let after = ''; ; ) {
    const { rows } = await client.query<Told & { reference: string }>(UPCOMING, [since, after]);
    for (const row of rows) {
      const move = moveOf(row, now);
      if (!move) continue;
      counts.set(move.zone, (counts.get(move.zone) ?? 0) + 1);
      if (examples.length >= MAX_EXAMPLES) continue;
      examples.push(`  ${row.reference}: ${row.date} ${row.start_time} ${move.zone}, ${whatMoves(row, move)}`);
    }
    after = rows.at(-1)?.reference ?? after;
    if (rows.length < PAGE) return { counts, examples };
  }
}

function whatMoves({ starts_at }: Told, { minutes, end }: Move): string {
  if (minutes === 0) return `ends at ${end.time}`;
  return `from ${starts_at.toISOString()} to ${new Date(starts_at.getTime() + minutes * 60_000).toISOString()}`;
}
