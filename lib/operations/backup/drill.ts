import type pg from 'pg';
import { StartError } from '@/lib/platform/postgres/start-error';
import {
  openWith,
  type Place,
  placeIn,
  SEALED_TABLES,
  type SealedColumn,
  type SealingKey,
  sealingKey,
} from '@/lib/platform/secrets';
import { type EnvironmentClaim, refuseOthers } from '../environment/claim';
import { withClient } from '../environment/connection';
import { applyMigrations } from '../environment/migrations';
import type { Counts } from './format';
import { loadBackup, verifyBackup } from './load';
import { withScratchDatabase } from './scratch';

/** `opened`: the number of values that were decrypted. `seconds`: from the verification of the file to the last index. */
export type Drill = { counts: Counts; createdAt: string; opened: number; seconds: number };

/**
 * Restores a backup into a scratch database beside the one in `ownerUrl`, as `npm run restore` does, and checks it: the
 * HMAC, every number of rows, every constraint, and with a sample that the secrets decrypt what the backup contains.
 * Drops the scratch database. Servers can run meanwhile.
 * @throws StartError if the backup cannot be restored, or like `withScratchDatabase`.
 */
export async function drillBackup(
  ownerUrl: string,
  path: string,
  claim: EnvironmentClaim,
  signal: AbortSignal,
  root = process.cwd(),
): Promise<Drill> {
  const started = performance.now();
  await verifyBackup(path, claim);
  return withScratchDatabase(ownerUrl, signal, async (scratchUrl) => {
    await applyMigrations(scratchUrl, root);
    const { counts, createdAt } = await loadBackup(scratchUrl, path, claim, signal);
    const seconds = Math.ceil((performance.now() - started) / 1000);
    await refuseOthers(scratchUrl, claim);
    const opened = await withClient(scratchUrl, (client) => openSample(client, claim));
    return { counts, createdAt, opened, seconds };
  });
}

/** Rows per table. A wrong secret, or rows at the wrong place, would fail on any of them. */
const SAMPLE = 1_000;

type Value = string | number | boolean | Buffer;

/** Of up to 1,000 random rows per table. @throws StartError that names the column of a value that no secret can decrypt */
async function openSample(client: pg.Client, claim: EnvironmentClaim): Promise<number> {
  const { environment, secretKey, previousKey } = claim;
  const keys = [secretKey, previousKey].flatMap((secret) => (secret ? [sealingKey(secret, environment)] : []));
  let opened = 0;
  for (const { table, key, columns } of SEALED_TABLES) {
    const names = [...key, ...columns].map((name) => `"${name}"`).join(', ');
    const { rows } = await client.query<Record<string, Value | null>>(
      `SELECT ${names} FROM "${table}" ORDER BY random() LIMIT ${SAMPLE}`,
    );
    for (const row of rows) {
      const id = key.map((name) => row[name] ?? '');
      for (const column of columns) {
        const sealed = row[column];
        if (!Buffer.isBuffer(sealed)) continue;
        requireOpen(keys, sealed, placeIn(`${table}.${column}` as SealedColumn, ...id));
        opened += 1;
      }
    }
  }
  return opened;
}

function requireOpen(keys: readonly SealingKey[], sealed: Buffer, place: Place): void {
  try {
    openWith(keys, sealed, place);
  } catch (error) {
    throw new StartError((error as Error).message, { cause: error });
  }
}
