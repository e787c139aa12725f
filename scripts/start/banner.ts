import { type Credentials, credentialsFile } from './database';
import type { StartSettings } from './settings';

/** A server can listen on these, but a client cannot connect to them. */
const EVERYWHERE = new Set(['0.0.0.0', '::', '']);

/** Returns the origin of the server for clients on this machine. */
export function localOrigin({ HOST = '' }: Pick<StartSettings, 'HOST'>, port: number): string {
  const host = EVERYWHERE.has(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Output that is not a terminal may be a log, so `setup` is then the path of a file with the link. */
type SignInHint = { credentials: Credentials | null; setup: { link: string } | { file: string } | null };

/** Returns the text that `npm start` prints. Its curl command uses the first application's key, which has all scopes. */
export function banner(settings: StartSettings, port: number, { credentials, setup }: SignInHint): string {
  const local = localOrigin(settings, port);
  const lines = [
    '',
    `Partner Booking API (${settings.ENVIRONMENT}) is running on ${settings.PUBLIC_ORIGIN ?? local}`,
    '',
  ];
  const application = credentials?.applications[0];
  if (credentials && application) {
    lines.push(
      `Sign in as ${credentials.owner.email} with the password ${credentials.owner.password}`,
      `All sign-in details and API keys: ${credentialsFile(settings.DATA_DIR)}`,
      '',
      'To read the catalog as a partner, run:',
      `curl -s -H 'Authorization: Bearer ${application.api_key}' ${local}/api/partner/v1/catalog`,
      '',
    );
  } else if (setup) {
    lines.push(
      'link' in setup
        ? `There is no owner yet. Open this link to become the owner; the link works once, within an hour:\n${setup.link}`
        : `There is no owner yet. The link to become the owner is in ${setup.file}; the link works once, within an hour. Each start writes a new link.`,
      '',
    );
  } else if (settings.ENVIRONMENT === 'TEST') {
    lines.push(
      `The file ${credentialsFile(settings.DATA_DIR)} is missing. If another server uses this database, copy the file from its DATA_DIR. Otherwise, run npm run credentials, which creates new passwords and keys and revokes the old ones.`,
      '',
    );
  }
  return [...lines, 'Press Ctrl-C to stop.'].join('\n');
}
