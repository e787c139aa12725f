import { parseArgs } from 'node:util';
import { StartError } from '@/lib/platform/postgres/start-error';
import type { Counts } from './format';

/** Returns the file name from the arguments of a command. @throws StartError unless there is exactly one argument. */
export function readFileArgument(command: string, args: string[]): string {
  const [path, ...more] = args;
  if (path && more.length === 0 && !path.startsWith('-')) return path;
  throw new StartError(`Specify one file: npm run ${command} -- FILE`);
}

/** `keep`: the number of backups that stay in the directory `path`, or null for all. `copy`: a program, or null. */
export type BackupOptions = { path: string; keep: number | null; copy: string | null };

const MAX_KEPT = 10_000;

/** Reads the arguments of `npm run backup`. @throws StartError that names the mistake. */
export function readBackupOptions(args: string[]): BackupOptions {
  const { values, positionals } = parsed(args);
  const [path, ...more] = positionals;
  if (!path || more.length > 0) throw new StartError(USAGE);
  const keep = values.keep === undefined ? null : Number(values.keep);
  if (keep !== null && !(Number.isInteger(keep) && keep >= 1 && keep <= MAX_KEPT))
    throw new StartError(`--keep must be a whole number from 1 to ${MAX_KEPT}.`);
  if (values.copy === '') throw new StartError('--copy must be the path of a program.');
  return { path, keep, copy: values.copy ?? null };
}

const USAGE =
  'Specify one file or directory: npm run backup -- FILE, or npm run backup -- DIRECTORY --keep NUMBER --copy PROGRAM';

function parsed(args: string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args, allowPositionals: true, options: { keep: text, copy: text } });
  } catch {
    throw new StartError(USAGE);
  }
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
