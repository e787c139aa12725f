import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';

/**
 * Returns whether a program that npm does not install can be run. If it cannot, records that its tests do not run here,
 * which `npm test` counts and prints.
 * @param tests how many tests need the program
 */
export function hasProgram(command: string, tests: number): boolean {
  const missing = spawnSync(command, ['-v'], { stdio: 'ignore' }).error !== undefined;
  const file = process.env.NOT_RUN_FILE;
  if (missing && file) appendFileSync(file, `${JSON.stringify({ tests, reason: `${command} is not installed` })}\n`);
  return !missing;
}
