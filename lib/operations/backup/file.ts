import { StartError } from '@/lib/platform/postgres/start-error';
import type { Counts } from './format';

/** Returns the file name from the arguments of a command. @throws StartError unless there is exactly one argument. */
export function readFileArgument(command: string, args: string[]): string {
  const [path, ...more] = args;
  if (path && more.length === 0 && !path.startsWith('-')) return path;
  throw new StartError(`Specify one file: npm run ${command} -- FILE`);
}

/** Describes which secrets a restore requires. `file` is the path of `secrets.json`, or null if SECRET_KEY is set. */
export function describeSecrets(file: string | null, rotating: boolean): string {
  if (rotating)
    return 'A rotation of SECRET_KEY is not complete. Restoring this backup requires both SECRET_KEY and SECRET_KEY_PREVIOUS: keep copies of both keys in another place.';
  return file === null
    ? 'Restoring this backup requires SECRET_KEY: keep a copy of that key in another place.'
    : `Restoring this backup requires ${file}: keep a copy of that file in another place.`;
}

/** Describes the tables of the schema that a backup does not contain. */
export function describeOthers(others: string[]): string {
  return `The backup does not contain these tables, because they do not belong to this system: ${others.join(', ')}.`;
}

/** Describes the size of a backup, such as `120 rows in 14 tables`. */
export function describeCounts(counts: Counts): string {
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return `${rows} rows in ${Object.keys(counts).length} tables`;
}
