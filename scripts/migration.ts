// `npm run migration -- NAME`: writes a migration for the difference between the existing migrations and
// prisma/schema.prisma. To compare them, applies the existing migrations in a temporary PostgreSQL server on this
// machine, so no other database is needed.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbedded } from '@/lib/platform/postgres/embedded';
import { makeMigration, migrationName } from './migration/make';
import { type Run, supervise } from './start/supervise';

/** Of a shell command that Ctrl-C ended. */
const INTERRUPTED = 130;

async function startScratchDatabase(run: Run): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partner-booking-migration-'));
  const secrets = { password: randomBytes(18).toString('base64url'), clusterId: randomBytes(6).toString('hex') };
  const starting = startEmbedded({ dataDir, secrets, log: console.log, signal: run.signal });
  run.onStop(async () => {
    const embedded = await starting.catch(() => null);
    await embedded?.destroy();
    await rm(dataDir, { recursive: true, force: true });
  });
  return (await starting).adminUrl;
}

async function migration(run: Run): Promise<number> {
  const name = migrationName(process.argv.slice(2).join(' '));
  const file = await makeMigration(process.cwd(), name, new Date(), await startScratchDatabase(run));
  console.log(
    file
      ? `Wrote ${file}. Review it, then apply it with npm run dev or npm start.`
      : 'prisma/schema.prisma has not changed, so no migration was written. If schema.prisma cannot express the change, create the directory of the migration and write its SQL by hand.',
  );
  return 0;
}

await supervise(migration, INTERRUPTED);
