import { recordStatements, type Sent } from '@/tests/support/statements';

/** Matches an SQL condition that limits a statement to one tenant, and captures the parameter with the tenant's id. */
export const OF_TENANT = /(?:(?:\w+|"\w+")\.)*(?:tenant_id|"tenant_id"|\bt\.id|"tenants"\."id") = (\$\d+)(?:::text)?/g;

/** Like `OF_TENANT`, but also matches a condition on the application: an application belongs to one tenant. */
export const OF_APPLICATION = new RegExp(OF_TENANT.source.replace('(?:tenant_id', '(?:application_id|tenant_id'), 'g');

/** Sends a request. */
type Send = () => Promise<{ status: number; body: string }>;

/** Returns the SQL text to send instead of the given text. */
type Rewrite = (text: string) => string;

/** The text of a statement, and the same text without one of the conditions on the tenant. */
export type Mutant = { original: string; changed: string };

/**
 * Returns the statement `text` with one condition replaced by a condition that is always true. Replaces the match of
 * `filter` at `index`, counted from 0. Returns null if there is no such match.
 */
function without(text: string, filter: RegExp, index: number): string | null {
  let found = -1;
  const changed = text.replaceAll(filter, (condition, parameter: string) => {
    found += 1;
    // The placeholder must remain in the text, because a value is still sent for it.
    return found === index ? `${parameter}::text IS NOT NULL` : condition;
  });
  return found < index ? null : changed;
}

/**
 * Sends a request, and records the SQL statements that the server executes for it. Returns one mutant of a statement
 * for each condition in it that `filter` matches (see `Mutant`). Omits mutants in `seen`, and adds the returned mutants
 * to it.
 */
export async function mutantsOf(send: Send, filter: RegExp, seen: Set<string>, rewrite?: Rewrite): Promise<Mutant[]> {
  const { sent } = await recordStatements(send, rewrite);
  const mutants: Mutant[] = [];
  for (const { text: original } of sent)
    for (let index = 0, changed = without(original, filter, 0); changed !== null; index += 1) {
      if (!seen.has(changed)) mutants.push({ original, changed });
      seen.add(changed);
      changed = without(original, filter, index + 1);
    }
  return mutants;
}

/**
 * Removes the setting that limits a transaction to a tenant. Then only the conditions of the transaction's statements
 * protect other tenants.
 */
const unlimited: Rewrite = (text) => text.replace(/(set_config\('partner_booking\.tenant', )'\w+'/g, "$1''");

/** Turns a COMMIT into a ROLLBACK, so that a test can make the same change several times. */
export const undone: Rewrite = (text) => (text === 'COMMIT' ? 'ROLLBACK' : text);

const unchanged: Rewrite = (text) => text;

/**
 * `reply` is the reply to a request for which the server executed a mutant (see `Mutant`). `rows` contains the result
 * of each execution of the mutant.
 */
type Outcome = { reply: string; rows: string[] };

/** Sends a request. Makes the server execute the mutant instead of `original`. Applies `rewrite` to every statement. */
export async function runMutant(send: Send, { original, changed }: Mutant, rewrite = unchanged): Promise<Outcome> {
  const { result, sent } = await recordStatements(send, (text) => rewrite(text === original ? changed : text));
  return { reply: replyOf(result), rows: rowsOf(sent, original) };
}

const replyOf = ({ status, body }: Awaited<ReturnType<Send>>) =>
  `${status} ${body.replaceAll(/"request_id":"\w+"/g, '')}`;

const rowsOf = (sent: readonly Sent[], original: string) =>
  sent.flatMap((one) => (one.text === original ? [String(one.result)] : []));

/**
 * How many comparisons in a row must find a difference before a mutant counts as different under the row-level
 * security policies. One comparison is not enough, because a job can change data between its two requests.
 */
const MAX_TRIES = 5;

/** Returns what a mutant is compared with: the outcome of each original statement of a request. */
export async function originalsOf(send: Send, undo: boolean): Promise<(original: string) => Outcome> {
  const { result, sent } = await recordStatements(send, undo ? undone : unchanged);
  const reply = replyOf(result);
  return (original) => ({ reply, rows: rowsOf(sent, original) });
}

/**
 * Sends the request with the mutant, and with the mutant without the row-level security policies. Returns for each of the
 * two whether its number of rows differs from that of the original or, for a read, the reply. With the policies, each of
 * several comparisons must find a difference.
 * @param expected the outcome of the original statement.
 * @param undo true for a write, which is then undone.
 * @param wanted the results to find out. The others are false.
 * @throws Error if the mutant is not sent.
 */
export async function differences(
  send: Send,
  mutant: Mutant,
  expected: Outcome,
  undo: boolean,
  wanted: { limited: boolean; unlimited: boolean },
) {
  const rewrite = undo ? undone : unchanged;
  const isDifferent = async (from: Outcome, rewriteMutant: Rewrite) => {
    const found = await runMutant(send, mutant, rewriteMutant);
    if (found.rows.length === 0) throw new Error(`not sent: ${mutant.original}`);
    return found.rows.join() !== from.rows.join() || (!undo && found.reply !== from.reply);
  };
  let limited = wanted.limited && (await isDifferent(expected, rewrite));
  for (let left = MAX_TRIES - 1; limited && left > 0; left -= 1)
    limited = await isDifferent(await runMutant(send, { ...mutant, changed: mutant.original }, rewrite), rewrite);
  return { limited, unlimited: wanted.unlimited && (await isDifferent(expected, (text) => unlimited(rewrite(text)))) };
}
