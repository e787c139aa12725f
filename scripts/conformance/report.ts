import { AssertionError } from 'node:assert';

/** One thing that the contract says, and whether it holds. */
type Check = { scenario: string; section: string; title: string; passed: boolean; detail: string | null };

/** What the hostile run counted: operation → status → answers. */
export type HostileCounts = Record<string, Record<string, number>>;

/** Thrown in a scenario that has nothing to work with; the reason is shown, and nothing counts as failed. */
export class Skip extends Error {}

/** The result of a run, as it is written for machines. */
type Result = {
  passed: number;
  failed: number;
  skipped: string[];
  calls: number;
  bad_keys: number;
  checks: Check[];
  hostile: { requests: number; by_operation: HostileCounts } | null;
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
      if (!(error instanceof AssertionError)) throw error;
      detail = error.message.split('\n').slice(0, 12).join('\n');
    }
    this.#checks.push({ scenario: this.#scenario, section, title, passed: detail === null, detail });
    this.say(`  ${detail === null ? 'ok    ' : 'FAILED'} [${section}] ${title}`);
    if (detail !== null) this.say(detail.replaceAll(/^/gm, '           '));
    return detail === null;
  }

  /** Runs a scenario to its end: what it cannot go on without fails it or skips the rest, and the next one follows. */
  async guard(scenario: () => Promise<void>): Promise<void> {
    try {
      await scenario();
    } catch (error) {
      if (error instanceof Skip) {
        this.#skipped.push(`${this.#scenario}: ${error.message}`);
        this.say(`  skipped: ${error.message}`);
        return;
      }
      const detail = error instanceof Error ? error.message.split('\n').slice(0, 12).join('\n') : 'unknown';
      const title = 'the scenario runs to its end';
      this.#checks.push({ scenario: this.#scenario, section: 'A', title, passed: false, detail });
      this.say(`  FAILED [A] ${title}\n           ${detail}`);
    }
  }

  /** Prints the totals and returns the result for machines. */
  finish(calls: number, badKeys: number, hostile: HostileCounts | null): Result {
    const failed = this.#checks.filter(({ passed }) => !passed);
    const all = Object.values(hostile ?? {}).flatMap((statuses) => Object.values(statuses));
    const requests = all.reduce((sum, count) => sum + count, 0);
    this.say(`\n${this.#checks.length - failed.length} passed, ${failed.length} failed`);
    this.say(`${calls} calls, ${badKeys} with a bad key${hostile ? `, ${requests} hostile` : ''}`);
    for (const { section, title } of failed) this.say(`  [${section}] ${title}`);
    return {
      passed: this.#checks.length - failed.length,
      failed: failed.length,
      skipped: this.#skipped,
      calls,
      bad_keys: badKeys,
      checks: this.#checks,
      hostile: hostile && { requests, by_operation: hostile },
    };
  }
}
