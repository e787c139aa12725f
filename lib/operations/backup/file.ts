import { StartError } from '@/lib/platform/postgres/start-error';
import type { Counts } from './format';

/**
 * Returns the file name from the arguments of a command.
 * @throws StartError unless there is exactly one argument.
 */
export function readFileArgument(command: string, args: string[]): string {
  const [path, ...more] = args;
  if (path && more.length === 0 && !path.startsWith('-')) return path;
  throw new StartError(`Specify one file: npm run ${command} -- FILE`);
}

/** Describes the size of a backup in words, such as `120 rows in 14 tables`. */
export function describeCounts(counts: Counts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${rows} rows in ${Object.keys(counts).length} tables`;
}
