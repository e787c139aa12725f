import { AssertionError } from 'node:assert';
import { contractPath } from '@/lib/contract/sections';

/** `title` is a statement from the contract. `detail` describes a failure. */
type Check = { scenario: string; section: string; title: string; passed: boolean; detail: string | null };

/** Status 0 means no response. */
type ByOperation = Record<string, Record<string, number>>;

/** `malformed`: different ones that got a response. */
export type HostileCounts = { malformed: number; byOperation: ByOperation };

/** Skips a scenario, which is not a failure. The message is printed. */
export class Skip extends Error {}

/** The current check fails. */
export class NoResponse extends Error {}

/** Ends a scenario after a failure that has already been reported. */
class Aborted extends Error {}

/** A message that `assert.ok` generated contains the suite's source code. */
function detailOf(error: unknown): string {
  if (error instanceof AssertionError && error.generatedMessage && error.operator === '==')
    return 'the condition is false';
  if (!(error instanceof Error)) return 'unknown';
  const known = error instanceof AssertionError || error instanceof NoResponse;
  return known
    ? error.message.split('\n').slice(0, 12).join('\n')
    : `the response could not be checked (${error.name})`;
}

export type Result = {
  passed: number;
  failed: number;
  skipped: string[];
  calls: number;
  bad_keys: number;
  checks: Check[];
  hostile: { requests: number; malformed: number; by_operation: ByOperation } | null;
};

/** Collects and prints the results of checks, with their sections of the contract. */
export class Report {
  readonly #checks: Check[] = [];
  readonly #skipped: string[] = [];
  #scenario = '';

  constructor(readonly say: (line: string) => void) {}

  begin(name: string): void {
    this.#scenario = name;
    this.say(`\n${name}`);
  }

  /** Runs one check and returns whether it passed. An error of `holds` fails the check. @throws Skip if `holds` throws it */
  async check(section: string, title: string, holds: () => unknown): Promise<boolean> {
    let detail: string | null = null;
    try {
      await holds();
    } catch (error) {
      if (error instanceof Skip) throw error;
      detail = detailOf(error);
    }
    this.#note(section, title, detail);
    return detail === null;
  }

  /** Runs a step without which the scenario cannot continue. If it fails, ends the scenario. */
  async need<T>(section: string, title: string, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if (error instanceof Skip) throw error;
      this.#note(section, title, detailOf(error));
      throw new Aborted();
    }
  }

  skip(section: string, title: string, reason: string): void {
    this.#skipped.push(`${this.#scenario}: [${section}] ${title}: ${reason}`);
    this.say(`  skipped [${section}] ${title}: ${reason}`);
  }

  #note(section: string, title: string, detail: string | null): void {
    this.#checks.push({ scenario: this.#scenario, section, title, passed: detail === null, detail });
    this.say(`  ${detail === null ? 'ok    ' : 'FAILED'} [${section}] ${title}`);
    if (detail !== null) this.say(detail.replaceAll(/^/gm, '           '));
  }

  /** Runs a scenario and catches its errors, so that the next scenario can run. */
  async guard(section: string, scenario: () => Promise<void>): Promise<void> {
    try {
      await scenario();
    } catch (error) {
      if (error instanceof Aborted) {
        this.say('  the rest of this scenario is not checked');
        return;
      }
      if (error instanceof Skip) {
        this.#skipped.push(`${this.#scenario}: ${error.message}`);
        this.say(`  skipped: ${error.message}`);
        return;
      }
      this.#note(section, 'the scenario completes', detailOf(error));
    }
  }

  /** Returns the machine-readable result. */
  finish(calls: number, badKeys: number, hostile: HostileCounts | null): Result {
    const failed = this.#checks.filter(({ passed }) => !passed).length;
    const all = Object.values(hostile?.byOperation ?? {}).flatMap((statuses) => Object.values(statuses));
    const requests = all.reduce((sum, count) => sum + count, 0);
    return {
      passed: this.#checks.length - failed,
      failed,
      skipped: this.#skipped,
      calls,
      bad_keys: badKeys,
      checks: this.#checks,
      hostile: hostile && { requests, malformed: hostile.malformed, by_operation: hostile.byOperation },
    };
  }

  /** Prints the totals and the failed checks. */
  sum({ passed, failed, calls, bad_keys, checks, hostile }: Result): void {
    this.say(`\n${passed} passed, ${failed} failed`);
    this.say(
      `${calls} calls, ${bad_keys} with a bad key${hostile ? `, ${hostile.requests} hostile requests, ${hostile.malformed} of them malformed` : ''}`,
    );
    for (const { section, title } of checks.filter((one) => !one.passed))
      this.say(`  [${section}] ${title} (${contractPath(section)})`);
  }
}
