import { type Credentials, credentialsFile } from './database';
import type { StartSettings } from './settings';

/** Addresses to listen on that are no addresses to call. */
const EVERYWHERE = new Set(['0.0.0.0', '::', '']);

/** Returns the origin under which this very machine reaches the server. */
export function localOrigin({ HOST = '' }: StartSettings, port: number): string {
  const host = EVERYWHERE.has(HOST) ? 'localhost' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** How somebody gets in: the sandbox's sign-ins, or the link that makes the first owner of LIVE. */
type WayIn = { credentials: Credentials | null; setupLink: string | null };

/**
 * Returns what a person reads when everything runs. The first application may do everything everywhere, so its key
 * makes the one line to copy work.
 */
export function banner(settings: StartSettings, port: number, { credentials, setupLink }: WayIn): string {
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
      `All sign-ins and keys: ${credentialsFile(settings.DATA_DIR)}`,
      '',
      'The catalog, as a partner reads it:',
      `curl -s -H 'Authorization: Bearer ${application.api_key}' ${local}/api/partner/v1/catalog`,
      '',
    );
  } else if (setupLink) {
    lines.push('It has no owner yet. Whoever opens this link becomes it; it works once, for an hour:', setupLink, '');
  } else if (settings.ENVIRONMENT === 'TEST') {
    lines.push(`There is no ${credentialsFile(settings.DATA_DIR)} with sign-ins and keys for this database.`, '');
  }
  return [...lines, 'Ctrl-C stops it.'].join('\n');
}
