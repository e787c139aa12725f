import { AssertionError } from 'node:assert';
import { contractPath } from '@/lib/contract/sections';

/** One thing that the contract says, and whether it holds. */
type Check = { scenario: string; section: string; title: string; passed: boolean; detail: string | null };

/** Operation → status → answers. */
type ByOperation = Record<string, Record<string, number>>;

/** The hostile run: how many different malformed requests, and every answer by operation and status. */
export type HostileCounts = { malformed: number; byOperation: ByOperation };

/** Thrown in a scenario that has nothing to work with; the reason is shown, and nothing counts as failed. */
export class Skip extends Error {}

/** A request got no answer: what was asked of it fails. */
export class NoAnswer extends Error {}

/** Ends a scenario whose reason is already reported. */
class Aborted extends Error {}

/** What is said of an error; never the suite's own source, which says nothing to who reads the report. */
function detailOf(error: unknown): string {
  if (error instanceof AssertionError && error.generatedMessage && error.operator === '==') return 'it does not';
  if (!(error instanceof Error)) return 'unknown';
  const known = error instanceof AssertionError || error instanceof NoAnswer;
  return known ? error.message.split('\n').slice(0, 12).join('\n') : `the answer could not be judged (${error.name})`;
}

/** The result of a run, as it is written for machines. */
type Result = {
  passed: number;
  failed: number;
  skipped: string[];
  calls: number;
  bad_keys: number;
  checks: Check[];
  hostile: { requests: number; malformed: number; by_operation: ByOperation } | null;
};

/** Collects checks and prints each as it is known: what holds, what does not, and the section of the contract. */
export class Report {
  readonly #checks: Check[] = [];
  readonly #skipped: string[] = [];
  #scenario = '';

  constructor(readonly say: (line: string) => void) {}

  /** Starts a scenario. */
  begin(name: string): void {
    this.#scenario = name;
    this.say(`\n${name}`);
  }

  /** Makes one check; an assertion that fails in it is the detail. Returns whether it held. */
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

  /** Returns what a scenario cannot go on without; when that fails, it is a failed check and the scenario ends. */
  async need<T>(section: string, title: string, make: () => Promise<T>): Promise<T> {
    try {
      return await make();
    } catch (error) {
      if (error instanceof Skip) throw error;
      this.#note(section, title, detailOf(error));
      throw new Aborted();
    }
  }

  /** Notes that something could not be checked, and why. */
  skip(section: string, title: string, reason: string): void {
    this.#skipped.push(`${this.#scenario}: [${section}] ${title}: ${reason}`);
    this.say(`  skipped [${section}] ${title}: ${reason}`);
  }

  #note(section: string, title: string, detail: string | null): void {
    this.#checks.push({ scenario: this.#scenario, section, title, passed: detail === null, detail });
    this.say(`  ${detail === null ? 'ok    ' : 'FAILED'} [${section}] ${title}`);
    if (detail !== null) this.say(detail.replaceAll(/^/gm, '           '));
  }

  /** Runs a scenario to its end: what it cannot go on without fails it or skips the rest, and the next one follows. */
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
      this.#note(section, 'the scenario runs to its end', detailOf(error));
    }
  }

  /** Prints the totals and returns the result for machines. */
  finish(calls: number, badKeys: number, hostile: HostileCounts | null): Result {
    const failed = this.#checks.filter(({ passed }) => !passed);
    const all = Object.values(hostile?.byOperation ?? {}).flatMap((statuses) => Object.values(statuses));
    const requests = all.reduce((sum, count) => sum + count, 0);
    this.say(`\n${this.#checks.length - failed.length} passed, ${failed.length} failed`);
    this.say(
      `${calls} calls, ${badKeys} with a bad key${hostile ? `, ${requests} hostile, ${hostile.malformed} of them malformed` : ''}`,
    );
    for (const { section, title } of failed) this.say(`  [${section}] ${title} (${contractPath(section)})`);
    return {
      passed: this.#checks.length - failed.length,
      failed: failed.length,
      skipped: this.#skipped,
      calls,
      bad_keys: badKeys,
      checks: this.#checks,
      hostile: hostile && { requests, malformed: hostile.malformed, by_operation: hostile.byOperation },
    };
  }
}
