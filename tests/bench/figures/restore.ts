import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { drillBackup } from '@/lib/operations/backup/drill';
import { writeBackup } from '@/lib/operations/backup/dump';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import type { Outcome } from '../figure';
import { dayFromNow, emptyBookings, fillDays, makeSalon } from '../salon';
import { sized } from '../size';
import type { Stage } from '../stage';

const SPECIALISTS = 50;
/** With 50 specialists and 40 bookings a day for each specialist, the backup has 1,000,000 bookings. */
const DAYS = sized(500, 10);
/** The table is filled with one statement per `STEP` days of bookings. */
const STEP = sized(50, 10);

/** Measures how long a restore of a backup with 1,000,000 bookings takes, in milliseconds, and the backup itself. */
export async function measureRestore(stage: Stage): Promise<Outcome> {
  const { pool } = await import('@/lib/platform/db');
  await stage.stopServers();
  await emptyBookings(pool());
  const salon = await makeSalon(stage, SPECIALISTS);
  stage.log('Filling the table with a million bookings (a minute or two) …');
  for (let filled = 0; filled < DAYS; filled += STEP)
    await fillDays(pool(), salon, salon.specialistIds, dayFromNow(filled).at, STEP);
  const claim = { environment: 'TEST', secretKey: process.env.SECRET_KEY ?? '' } as const;
  await claimEnvironment(stage.databaseUrl, claim);
  const { signal } = new AbortController();
  const directory = await mkdtemp(join(tmpdir(), 'restore-'));
  const path = join(directory, 'backup.gz');
  try {
    const began = performance.now();
    await writeBackup(stage.databaseUrl, path, claim, signal);
    const written = (performance.now() - began) / 1000;
    const { counts, seconds } = await drillBackup(stage.databaseUrl, path, claim, signal);
    const bytes = (await stat(path)).size;
    return {
      value: seconds * 1000,
      rows: [],
      notes: [`${counts.bookings} bookings, ${(bytes / 2 ** 20).toFixed(0)} MiB, written in ${written.toFixed(0)} s`],
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
