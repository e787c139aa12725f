import type { parseSettings } from '@/lib/platform/env';
import { usesInngest } from '@/lib/platform/env';
import { urlsOf } from '@/lib/platform/postgres/hosts';
import { FILE_SETTINGS } from '@/lib/platform/setting-files';
import type { EnvironmentClaim } from '../environment/claim';
import { checkClock, checkDatabase, checkPooling, checkRole, checkSchema } from './database';
import { type Check, type Finding, type Named, runChecks, wrong } from './findings';
import { checkDisk, checkSettings } from './machine';
import { checkEgress, checkInngest, checkOrigin } from './network';

/** What to check. `webhook` and `backups` are options of the command. */
export type Subject = {
  source: Record<string, string | undefined>;
  settings: ReturnType<typeof parseSettings>;
  dataDir: string;
  /** The URLs of the database, or why it cannot be found. */
  database: { url: string; ownerUrl: string } | { problem: string };
  /** The environment and the secrets of the servers, or null if there is no secret yet. */
  claim: EnvironmentClaim | null;
  webhook?: string | undefined;
  backups?: string | undefined;
};

/** Checks a deployment. Returns the findings of every check; none of them contains a secret. */
export async function diagnose(subject: Subject): Promise<Named[]> {
  const { source, settings, dataDir, database, backups } = subject;
  const disks = [checkDisk('DATA_DIR', dataDir), ...(backups ? [checkDisk('The directory of backups', backups)] : [])];
  const checks: Check[] = [
    { name: 'settings', run: async () => checkSettings(source) },
    ...('url' in database
      ? databaseChecks(subject, database)
      : [{ name: 'database', run: async () => [notFound(database.problem)] }]),
    { name: 'disk', run: () => Promise.all(disks) },
    { name: 'origin', run: () => checkOrigin(originOf(settings), 'url' in database ? database.ownerUrl : null) },
  ];
  return await runChecks(checks, secretsOf(settings));
}

const originOf = ({ PUBLIC_ORIGIN, PORT }: Subject['settings']) => PUBLIC_ORIGIN ?? `http://localhost:${PORT}`;

const notFound = (problem: string): Finding => wrong(problem, 'Set DATABASE_URL or DATA_DIR, or start the server.');

function databaseChecks({ settings, claim, webhook }: Subject, urls: { url: string; ownerUrl: string }): Check[] {
  const allowLoopback = settings.WEBHOOKS_ALLOW_LOOPBACK === '1';
  const databaseUrl = urls.ownerUrl;
  return [
    { name: 'database', run: () => checkDatabase(urls, settings) },
    { name: 'role', run: () => checkRole(urls) },
    { name: 'schema', run: () => checkSchema(urls, claim) },
    { name: 'clock', run: () => checkClock(urls) },
    { name: 'pooler', run: () => checkPooling(settings) },
    { name: 'webhooks', run: () => checkEgress({ databaseUrl, given: webhook, allowLoopback }) },
    ...(usesInngest(settings) ? [{ name: 'inngest', run: () => checkInngest(databaseUrl, new Date()) }] : []),
  ];
}

/** Returns the secrets in the settings, and the passwords in the URLs. */
function secretsOf(settings: Subject['settings']): string[] {
  const values = FILE_SETTINGS.flatMap((name) => settings[name] ?? []);
  const passwords = values.flatMap((value) =>
    (urlsOf(value) ?? []).flatMap((url) => (URL.canParse(url) ? [new URL(url).password] : [])),
  );
  return [...values, ...passwords, ...passwords.map(decoded)].filter((text) => text !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
