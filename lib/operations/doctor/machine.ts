import { access, constants, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseSettings, SETTING_NAMES, SettingsError } from '@/lib/platform/env';
import { FILE_SETTINGS, fileNameOf } from '@/lib/platform/setting-files';
import { type Finding, ok, warning, wrong } from './findings';

type Settings = ReturnType<typeof parseSettings>;
type Source = Record<string, string | undefined>;

/** Free bytes. Below `wrong`, PostgreSQL or a backup may soon fail. */
const BYTES = { wrong: 256 * 2 ** 20, warning: 2 * 2 ** 30 };

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Returns a warning if LIVE may be reached without a proxy, which stops hostile requests (docs/threat-model.md), or null. */
export function exposure({ ENVIRONMENT, HOST = '', TRUSTED_PROXIES }: Settings): Finding | null {
  if (ENVIRONMENT !== 'LIVE' || TRUSTED_PROXIES > 0 || LOOPBACK.test(HOST)) return null;
  return warning(
    `The server listens on ${HOST || 'all addresses'}, and TRUSTED_PROXIES is 0. Its port is for a trusted network only.`,
    'Put a proxy with deploy/nginx/booking.conf or deploy/caddy/Caddyfile in front, and set TRUSTED_PROXIES=1 and HOST=127.0.0.1.',
  );
}

/** Checks that a server can start with these settings, and that they fit a deployment behind a proxy. */
export function checkSettings(source: Source): Finding[] {
  let settings: Settings;
  try {
    settings = parseSettings(source);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return [wrong(error.message, 'Correct the setting. See docs/settings.md.')];
  }
  const origin = settings.PUBLIC_ORIGIN;
  const findings: Finding[] = [];
  const exposed = exposure(settings);
  if (exposed) findings.push(exposed);
  if (settings.ENVIRONMENT === 'LIVE' && !origin?.startsWith('https://'))
    findings.push(
      warning(
        `PUBLIC_ORIGIN is ${origin ?? 'not set'}, so invitation links do not use https, and sign-ins are not encrypted.`,
        'Set PUBLIC_ORIGIN to the https origin of the proxy, such as https://booking.example.',
      ),
    );
  if (origin?.startsWith('https://') && settings.TRUSTED_PROXIES === 0)
    findings.push(
      warning(
        'TRUSTED_PROXIES is 0, so all requests through the proxy seem to come from the address of the proxy and share one limit on failed authentications.',
        'Set TRUSTED_PROXIES=1 if one proxy is in front of the server.',
      ),
    );
  return findings.length > 0 ? findings : [ok(`The settings are valid (${settings.ENVIRONMENT}).`)];
}

/** Lines without an entry, which have odd numbers, have ended. */
const NODE_ENDS = new Map([
  ['20', '2026-04-30'],
  ['22', '2027-04-30'],
  ['24', '2028-04-30'],
  ['26', '2029-04-30'],
]);

/** Checks that the release line of Node.js still receives security fixes. */
export function checkNode(version: string, now: Date): Finding {
  const end = NODE_ENDS.get(version.split('.')[0] ?? '');
  if (end && now.toISOString().slice(0, 10) <= end) return ok(`Node.js ${version} is maintained until ${end}.`);
  return warning(
    `Node.js ${version} no longer receives security fixes${end ? ` (since ${end})` : ''}.`,
    'Install the newest LTS version of Node.js.',
  );
}

/** Returns the settings that are valid together, so that the other checks can run. */
export function validSettings(source: Source): Settings {
  const accepted = (part: Source) => {
    try {
      return parseSettings(part);
    } catch {
      return null;
    }
  };
  let valid: Source = {};
  for (const name of SETTING_NAMES) {
    const file = FILE_SETTINGS.find((one) => one === name);
    const own = [name, ...(file ? [fileNameOf(file)] : [])].flatMap((one) => (source[one] ? [[one, source[one]]] : []));
    const more: Source = { ...valid, ...Object.fromEntries(own) };
    if (accepted(more)) valid = more;
  }
  return accepted(source) ?? parseSettings(valid);
}

/** Checks that a directory, or its nearest existing parent, is writable and has free space. `what` names it. */
export async function checkDisk(what: string, path: string, bytes = BYTES): Promise<Finding> {
  for (let directory = resolve(path); ; directory = dirname(directory)) {
    try {
      await access(directory, constants.W_OK);
      const { bavail, bsize } = await statfs(directory);
      return describeSpace(what, directory, bavail * bsize, bytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' && dirname(directory) !== directory) continue;
      return wrong(
        `${what} (${directory}) is not writable (${code}).`,
        `Make the directory writable for this user: chown "$(id -un)" ${directory}`,
      );
    }
  }
}

function describeSpace(what: string, path: string, free: number, bytes: typeof BYTES): Finding {
  const text = `${what} has ${(free / 2 ** 30).toFixed(1)} GiB free (${path}).`;
  const fix = `Delete unneeded files or enlarge the disk. To show the disk usage: df -h ${path}`;
  if (free < bytes.wrong) return wrong(text, fix);
  return free < bytes.warning ? warning(text, fix) : ok(text);
}
