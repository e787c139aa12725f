import { StartError } from '@/lib/platform/postgres/start-error';
import type { Counts } from './format';

/**
 * Returns the one file that a command was given.
 * @throws StartError when it was given none, or more
 */
export function readFileArgument(command: string, args: string[]): string {
  const [path, ...more] = args;
  if (path && more.length === 0 && !path.startsWith('-')) return path;
  throw new StartError(`One file is needed: npm run ${command} -- FILE`);
}

/** Returns how much a backup holds, in words. */
export function amount(counts: Counts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${rows} rows of ${Object.keys(counts).length} tables`;
}
