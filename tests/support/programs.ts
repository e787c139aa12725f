import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/**
 * If npm does not install the program and it is missing, records that `tests` tests do not run here, which `npm test`
 * prints. The program must exit when it gets `flag`.
 */
export function hasProgram(command: string, tests: number, flag = '-v'): boolean {
  const missing = spawnSync(command, [flag], { stdio: 'ignore' }).error !== undefined;
  if (missing) recordNotRun(tests, `${command} is not installed`);
  return !missing;
}

/** The same record counts once, because a file may be loaded several times. */
export function recordNotRun(tests: number, reason: string): void {
  const file = process.env.NOT_RUN_FILE;
  if (file) appendFileSync(file, `${JSON.stringify({ tests, reason })}\n`);
}

/** Whether the code in all languages is tested. Compiling it takes too long for each run of `npm test`. */
export const allLanguages = process.env.SOAK === '1' || process.env.CLIENT_PACKAGES === 'all';
