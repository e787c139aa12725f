import { randomBytes } from 'node:crypto';
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { boundedText } from '@/lib/contract/bounded-text';
import type { EnvironmentClaim } from '@/lib/operations/environment/claim';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import type { StartSettings } from './settings';

const text = boundedText(16 * 1024);

const fileSchema = z.object({
  environment: z.enum(['TEST', 'LIVE']),
  secret_key: text.min(32).optional(),
  postgres: z.object({ password: text.min(1), cluster_id: text.min(1) }),
});

type SecretsFile = z.infer<typeof fileSchema>;

/** Writes a file with mode 0600, atomically and durably. @throws StartError if the disk is full or it cannot be written */
export function writePrivate(path: string, value: unknown): void {
  writePrivateText(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Writes a file with mode 0600, atomically and durably. @throws StartError if the disk is full or it cannot be written */
export function writePrivateText(path: string, text: string): void {
  const temporary = `${path}.new`;
  try {
    const file = openSync(temporary, 'w', 0o600);
    try {
      chmodSync(temporary, 0o600);
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (error) {
    throw fileProblem(error, path) ?? error;
  }
}

function readFile(path: string): SecretsFile | null {
  if (!existsSync(path)) return null;
  try {
    return fileSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') throw new StartError(`No permission to read ${path}.`);
    throw new StartError(`${path} cannot be read; restore it from your backup.`);
  }
}

/** Returns the path of `secrets.json` if it contains this secret key, or null: SECRET_KEY takes precedence. */
export function fileWith(secretKey: string | undefined, { DATA_DIR }: StartSettings): string | null {
  const path = join(DATA_DIR, 'secrets.json');
  return secretKey !== undefined && readFile(path)?.secret_key === secretKey ? path : null;
}

export type Secrets = { secretKey: string; postgres: { password: string; clusterId: string } };

/** Returns what must match the database's claim. */
export function claimOf(settings: StartSettings, { secretKey }: Pick<Secrets, 'secretKey'>): EnvironmentClaim {
  const { ENVIRONMENT: environment, SECRET_KEY_PREVIOUS: previousKey, CELL: cell } = settings;
  return { environment, secretKey, previousKey, cell };
}

/**
 * Checks that there is a secret, before `openSecrets` would generate one that cannot decrypt the data. `which` follows
 * `secrets.json` in the error message.
 * @throws StartError if there is no secret
 */
export function requireSecrets({ DATA_DIR, SECRET_KEY }: StartSettings, which: string): void {
  const path = join(DATA_DIR, 'secrets.json');
  if (SECRET_KEY || existsSync(path)) return;
  throw new StartError(`${path} is missing. Copy the secrets.json ${which} to this path, or set SECRET_KEY.`);
}

/**
 * Returns a data directory's secrets. The first start generates them and writes them to `secrets.json` (mode 0600).
 * @throws StartError if the directory belongs to the other environment, if `secrets.json` is invalid, if `secrets.json`
 *   is missing although the directory has a database, or if SECRET_KEY is required but not set
 */
export function openSecrets({ DATA_DIR, ENVIRONMENT, DATABASE_URL, SECRET_KEY }: StartSettings): Secrets {
  if (ENVIRONMENT === 'LIVE' && DATABASE_URL && !SECRET_KEY) {
    // If this machine were lost, nobody could decrypt the database's encrypted columns.
    throw new StartError('SECRET_KEY must be set when DATABASE_URL is set in LIVE.');
  }
  const path = join(DATA_DIR, 'secrets.json');
  const found = readFile(path);
  if (!found && existsSync(join(DATA_DIR, 'postgres.path'))) {
    throw new StartError(
      `${path} is missing. Restore it from your backup, or remove ${DATA_DIR} to create a new database.`,
    );
  }
  if (found && found.environment !== ENVIRONMENT) {
    throw new StartError(
      `The data directory ${DATA_DIR} belongs to a ${found.environment} environment, but ENVIRONMENT is ${ENVIRONMENT}. Set DATA_DIR to another directory.`,
    );
  }
  if (found && !found.secret_key && !SECRET_KEY) {
    // A generated key could not decrypt data that was encrypted with the earlier SECRET_KEY.
    throw new StartError(`SECRET_KEY must be set, because it was set at the first start with ${DATA_DIR}.`);
  }
  const secrets: SecretsFile = {
    environment: ENVIRONMENT,
    secret_key: found?.secret_key ?? (SECRET_KEY ? undefined : randomBytes(32).toString('base64url')),
    postgres: found?.postgres ?? {
      password: randomBytes(24).toString('base64url'),
      cluster_id: randomBytes(6).toString('hex'),
    },
  };
  if (!found || found.secret_key !== secrets.secret_key) writePrivate(path, secrets);
  else chmodSync(path, 0o600);
  return {
    secretKey: SECRET_KEY ?? secrets.secret_key ?? '',
    postgres: { password: secrets.postgres.password, clusterId: secrets.postgres.cluster_id },
  };
}

/**
 * Returns the secret key for a command on the database of running servers. With DATABASE_URL and SECRET_KEY, it needs
 * no `secrets.json`, so it runs without a data directory, and concurrent commands do not create the file.
 * @throws StartError as `openSecrets` does
 */
export function secretsOfCommand(settings: StartSettings): Pick<Secrets, 'secretKey'> {
  const { DATABASE_URL, SECRET_KEY: secretKey } = settings;
  return DATABASE_URL && secretKey ? { secretKey } : openSecrets(settings);
}

/** Returns the claim of such a command. Throws as `secretsOfCommand` does. */
export function claimOfCommand(settings: StartSettings): EnvironmentClaim {
  return claimOf(settings, secretsOfCommand(settings));
}
