import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

// A test browser has nobody to report to and nothing to update.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the browser to test with: the configured one, an installed one, else the one that comes from npm. */
export async function browserPath(): Promise<{ executablePath: string; args: string[] }> {
  const given = process.env.CHROMIUM_PATH ?? INSTALLED.find((path) => existsSync(path));
  if (given) return { executablePath: given, args: QUIET };
  // In one process, closing a context ends the browser, and the next test has none.
  const args = [...chromium.args, ...QUIET].filter((arg) => arg !== '--single-process' && arg !== '--no-zygote');
  return { executablePath: await chromium.executablePath(), args: [...new Set(args)] };
}
