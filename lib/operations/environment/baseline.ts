import { createHash, randomUUID } from 'node:crypto';
import type pg from 'pg';
import { EnvironmentError } from './connection';

/** The first migration of 0.2.0. It replaces the migrations of 0.1.0, all of which have smaller names. */
const BASELINE = '20261202160000_baseline';

/** SHA-256 of the sorted names of all migrations of 0.1.0, one per line. */
const REPLACED = 'cbbd6a94088b41b23e6ab834e196f4007f03640bb96c38db7ea42d961b02ce36';

/**
 * Returns the applied migrations that `BASELINE` replaces. Empty for a new database and one of 0.2.0 or later.
 * @throws EnvironmentError if these are not all migrations of 0.1.0.
 */
export function replacedMigrations(applied: Set<string>): string[] {
  const replaced = [...applied].filter((name) => name < BASELINE).sort();
  if (replaced.length === 0) return [];
  if (createHash('sha256').update(replaced.join('\n')).digest('hex') === REPLACED) return replaced;
  throw new EnvironmentError(
    'This database belongs to an early state of version 0.1.0. Migrate it with the last version 0.1.0, and then with this version.',
  );
}

/** Records the baseline in place of the migrations that it replaces, in one transaction. The schema is the same. */
export async function markBaseline(client: pg.Client, applied: Set<string>): Promise<void> {
  if (replacedMigrations(applied).length === 0) return;
  await client.query('BEGIN');
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name COLLATE "C" < $1', [BASELINE]);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES ($1, $2, $3, now(), 1)`,
    [randomUUID(), REPLACED, BASELINE],
  );
  await client.query('COMMIT');
}
