import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from '@/lib/platform/postgres/start-error';
import { runQuietly } from '../bootstrap/run.mjs';

/** The migration that was written; `empty` when the schema already equals the migrations. */
export type Migration = { file: string; empty: boolean };

/**
 * Returns the name of a migration as its directory has it: `Add a motto` → `add_a_motto`.
 * @throws StartError when nothing usable is left
 */
export function migrationName(words: string): string {
  const name = words
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
  if (/^[a-z][a-z0-9_]*$/.test(name)) return name;
  throw new StartError('Give the migration a name of letters and digits: npm run migration -- add_motto');
}

/** Returns a timestamp as the names of migrations begin with, in UTC: `20261121083000`. */
function timestampOf(now: Date): string {
  return now.toISOString().replaceAll(/\D/g, '').slice(0, 14);
}

/**
 * Writes the migration that turns what `prisma/migrations` make into what `prisma/schema.prisma` says.
 * @param root the directory of `prisma.config.ts`
 * @param databaseUrl a server on which a shadow database can be created; its own database stays as it is
 * @throws StartError with Prisma's words when the schema is invalid
 */
export async function makeMigration(root: string, name: string, now: Date, databaseUrl: string): Promise<Migration> {
  const scratch = await mkdtemp(join(tmpdir(), 'migration-'));
  try {
    const output = join(scratch, 'migration.sql');
    await diff(root, output, databaseUrl);
    const sql = await readFile(output, 'utf8');
    const directory = join('prisma', 'migrations', `${timestampOf(now)}_${name}`);
    await mkdir(join(root, directory));
    await writeFile(join(root, directory, 'migration.sql'), sql);
    return { file: join(directory, 'migration.sql'), empty: /^\s*(--.*\s*)?$/.test(sql) };
  } finally {
    await rm(scratch, { recursive: true });
  }
}

/** Writes the SQL between the migrations and the schema to `output`. */
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
