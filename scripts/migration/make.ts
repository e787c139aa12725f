import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';
import { runQuietly } from '../bootstrap/run.mjs';

/**
 * Returns a migration's directory name: `Add a motto` → `add_a_motto`.
 * @throws StartError if the name does not start with a letter, or contains characters other than letters, digits,
 *   spaces, hyphens, and underscores
 */
export function migrationName(words: string): string {
  const name = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (/^[a-z][a-z0-9_]*$/.test(name)) return name;
  throw new StartError(
    'Specify a name of lowercase letters, digits, and underscores that starts with a letter: npm run migration -- add_motto',
  );
}

/** `20261121083000` in UTC. */
function timestampOf(at: Date): string {
  return at.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/** Migrations are applied in the order of their names, and the newest one's author may have had a clock that was ahead. */
async function nextPrefix(migrations: string, now: Date): Promise<string> {
  const newest = (await readdir(migrations))
    .filter((name) => /^\d{14}_/.test(name))
    .sort()
    .at(-1);
  const last = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(newest ?? '');
  if (!last || timestampOf(now) > last[0]) return timestampOf(now);
  const [year = 0, month = 1, ...rest] = last.slice(1).map(Number);
  return timestampOf(new Date(Date.UTC(year, month - 1, ...rest) + 1_000));
}

/**
 * Writes a migration for the difference between `prisma/migrations` and `prisma/schema.prisma`. Returns its path
 * relative to `root`, or null if there is none. The user of `databaseUrl` may create databases, because Prisma needs a
 * shadow database.
 * @throws StartError with Prisma's message if the schema is invalid
 */
export async function makeMigration(
  root: string,
  name: string,
  now: Date,
  databaseUrl: string,
): Promise<string | null> {
  const scratch = await mkdtemp(join(tmpdir(), 'migration-'));
  try {
    const output = join(scratch, 'migration.sql');
    await diff(root, output, databaseUrl);
    const sql = await readFile(output, 'utf8');
    if (/^\s*(--.*\s*)?$/.test(sql)) return null;
    const prefix = await nextPrefix(join(root, 'prisma', 'migrations'), now);
    const directory = join('prisma', 'migrations', `${prefix}_${name}`);
    await mkdir(join(root, directory));
    await writeFile(join(root, directory, 'migration.sql'), sql);
    return join(directory, 'migration.sql');
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function diff(root: string, output: string, databaseUrl: string): Promise<void> {
  const cli = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const between = ['--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
  const { code, output: text } = await runQuietly(
    process.execPath,
    [cli, 'migrate', 'diff', ...between, '--script', '--output', output],
    { cwd: root, env: { ...process.env, DATABASE_URL: databaseUrl, NO_COLOR: '1', FORCE_COLOR: '0' } },
  );
  if (code !== 0) throw new StartError(text.replace(/^Loaded Prisma config.*\n/m, '').trim());
}
