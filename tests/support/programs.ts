import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/**
 * Returns whether a program that npm does not install can be run. If not, records that `tests` tests of `what` do not run
 * here, which `npm test` prints.
 * @param probe arguments with which the program exits with 0 at once. Some systems have a stub in place of a program, which
 *   fails.
 */
export function hasProgram(
  command: string,
  tests: number,
  what: string,
  probe: readonly string[] = ['--version'],
): boolean {
  const found = spawnSync(command, probe, { stdio: 'ignore' }).status === 0;
  if (!found) recordNotRun(tests, `${command}, required by ${what}, is not installed`);
  return found;
}

/** The same record counts once, because a file may be loaded several times. */
export function recordNotRun(tests: number, reason: string): void {
  const file = process.env.NOT_RUN_FILE;
  if (file) appendFileSync(file, `${JSON.stringify({ tests, reason })}\n`);
}

/** Whether the code in all languages is tested. Compiling it takes too long for each run of `npm test`. */
export const allLanguages = process.env.SOAK === '1' || process.env.CLIENT_PACKAGES === 'all';
