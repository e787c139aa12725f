import { AppError } from '@/lib/contract/errors/app-error';
import { log } from './log';
import { singleton } from './singleton';
import { isOlderRules, ZONE_RULES } from './time-zones';

/** The SQLSTATE of a booking whose instants were derived with other rules (the trigger `bookings_rules_in_force`). */
export const OTHER_RULES = 'PBZ01';

const RETRY_AFTER_SECONDS = 5;

/** The newest rules with which bookings are derived. Both are null in a database that no start has prepared. */
type InForce = { zone_rules: string | null; zone_rules_derived_at: Date | null };

const FIND = 'SELECT zone_rules, zone_rules_derived_at FROM environment';

type Client = { query: (sql: string) => Promise<{ rows: InForce[] }> };

type State = { problem: string | null; logged: string | null };

const state = () => singleton('rules-in-force', (): State => ({ problem: null, logged: null }));

/** Reads and returns the rules in force, and remembers whether this process may sell with its own. */
export async function readRulesInForce(client: Client): Promise<InForce> {
  const { rows } = await client.query(FIND);
  const found = rows[0] ?? { zone_rules: null, zone_rules_derived_at: null };
  state().problem = problemOf(found);
  return found;
}

/** Like `readRulesInForce`, for a server: logs once why it must not sell. */
export async function watchRulesInForce(client: Client): Promise<void> {
  await readRulesInForce(client);
  const current = state();
  if (current.problem !== null && current.problem !== current.logged) log().error(current.problem);
  current.logged = current.problem;
}

function problemOf({ zone_rules: inForce, zone_rules_derived_at: derivedAt }: InForce): string | null {
  if (inForce === null) return null;
  if (isOlderRules(ZONE_RULES, inForce))
    return `This server has the time zone rules ${ZONE_RULES}, but the database uses ${inForce}. Install a release with the rules ${inForce} or newer.`;
  if (isOlderRules(inForce, ZONE_RULES))
    return `This server has the time zone rules ${ZONE_RULES}, but the bookings were derived with ${inForce}. Restart the server, so that it derives them again.`;
  return derivedAt === null ? `The bookings are being derived again with the time zone rules ${inForce}.` : null;
}

/** Returns why this process must not sell: its rules are not in force, or bookings are still derived. Or null. */
export function rulesProblem(): string | null {
  return state().problem;
}

/** Returns the refusal of a request that reads or takes slots while this process must not sell. */
export function refusedByRules(cause?: unknown): AppError {
  return new AppError('service_unavailable', { retryAfter: RETRY_AFTER_SECONDS, cause });
}
