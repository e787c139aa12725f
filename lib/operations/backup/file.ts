import { StartError } from '@/lib/platform/postgres/start-error';
import type { Counts } from './format';

/**
 * Returns the file argument of a command.
 * @throws StartError unless there is exactly one argument
 */
export function readFileArgument(command: string, args: string[]): string {
  const [path, ...more] = args;
  if (path && more.length === 0 && !path.startsWith('-')) return path;
  throw new StartError(`One file is needed: npm run ${command} -- FILE`);
}

/** Returns the number of rows and tables of a backup as text. */
export function amount(counts: Counts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${rows} rows of ${Object.keys(counts).length} tables`;
}
