import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/**
 * Returns whether a program that npm does not install can be run. If it cannot, records that its tests do not run here,
 * which `npm test` counts and prints.
 * @param tests how many tests need the program
 */
export function hasProgram(command: string, tests: number): boolean {
  const missing = spawnSync(command, ['-v'], { stdio: 'ignore' }).error !== undefined;
  if (missing) recordNotRun(tests, `${command} is not installed`);
  return !missing;
}

/** Records tests that do not run here. The same record counts once, because a file may be loaded several times. */
export function recordNotRun(tests: number, reason: string): void {
  const file = process.env.NOT_RUN_FILE;
  if (file) appendFileSync(file, `${JSON.stringify({ tests, reason })}\n`);
}
