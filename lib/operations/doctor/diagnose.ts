import type { parseSettings } from '@/lib/platform/env';
import { inngestSettings, smtpSettings, usesInngest } from '@/lib/platform/env';
import { urlsOf } from '@/lib/platform/postgres/hosts';
import { describeRelease, release } from '@/lib/platform/release';
import { FILE_SETTINGS } from '@/lib/platform/setting-files';
import type { EnvironmentClaim } from '../environment/claim';
import { checkClock, checkDatabase, checkPooling, checkRole, checkSchema, type Urls } from './database';
import { type Check, type Finding, type Named, ok, runChecks, wrong } from './findings';
import { checkDisk, checkNode, checkSettings } from './machine';
import { checkEgress, checkInngest, checkMail, checkOrigin } from './network';
import { checkZones } from './zones';

export type Subject = {
  source: Record<string, string | undefined>;
  settings: ReturnType<typeof parseSettings>;
  dataDir: string;
  /** A problem states why the URLs are unknown. */
  database: Urls | { problem: string };
  /** Null if there is no secret yet. */
  claim: EnvironmentClaim | null;
  /** `--webhook`: a URL to check instead of the active endpoints. */
  webhook?: string | undefined;
  /** `--backups`: a directory that must be writable and have free space. */
  backups?: string | undefined;
};

/** Runs every check of a deployment. No finding contains a secret. */
export async function diagnose(subject: Subject): Promise<Named[]> {
  const { source, settings, dataDir, database, backups } = subject;
  const disks = [checkDisk('DATA_DIR', dataDir), ...(backups ? [checkDisk('The backup directory', backups)] : [])];
  const checks: Check[] = [
    { name: 'release', run: async () => [ok(`This is ${describeRelease(release())}.`)] },
    { name: 'node', run: async () => [checkNode(process.versions.node, new Date())] },
    { name: 'settings', run: async () => checkSettings(source) },
    ...('url' in database
      ? databaseChecks(subject, database)
      : [{ name: 'database', run: async () => [notFound(database.problem)] }]),
    { name: 'disk', run: () => Promise.all(disks) },
    { name: 'mail', run: () => checkMail(smtpSettings(settings)) },
    { name: 'origin', run: () => checkOrigin(originOf(settings), 'url' in database ? database.directUrl : null) },
  ];
  return await runChecks(checks, secretsOf(settings));
}

const originOf = ({ PUBLIC_ORIGIN, PORT }: Subject['settings']) => PUBLIC_ORIGIN ?? `http://localhost:${PORT}`;

const notFound = (problem: string): Finding => wrong(problem, 'Set DATABASE_URL or DATA_DIR, or start the server.');

function databaseChecks({ settings, claim, webhook }: Subject, urls: Urls): Check[] {
  const allowLoopback = settings.WEBHOOKS_ALLOW_LOOPBACK === '1';
  const databaseUrl = urls.directUrl;
  return [
    { name: 'database', run: () => checkDatabase(urls, settings) },
    { name: 'role', run: () => checkRole(urls) },
    { name: 'schema', run: () => checkSchema(urls, claim) },
    { name: 'clock', run: () => checkClock(urls) },
    { name: 'time zones', run: () => checkZones(urls) },
    { name: 'pooler', run: () => checkPooling(settings) },
    { name: 'webhooks', run: () => checkEgress({ databaseUrl, given: webhook, allowLoopback }) },
    ...(usesInngest(settings) ? [{ name: 'inngest', run: () => checkInngest(inngestSettings(settings)) }] : []),
  ];
}

function secretsOf(settings: Subject['settings']): string[] {
  const values = FILE_SETTINGS.flatMap((name) => settings[name] ?? []);
  const passwords = values.flatMap((value) =>
    (urlsOf(value) ?? [value]).flatMap((url) => (URL.canParse(url) ? [new URL(url).password] : [])),
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
