import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { recordNotRun } from './programs';

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

// They let the browser run as root and without a GPU, and disable background traffic.
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

type Browser = { executablePath: string; args: string[] };

function installedBrowser(): Browser | null {
  const given = process.env.CHROMIUM_PATH ?? INSTALLED.find((path) => existsSync(path));
  return given ? { executablePath: given, args: QUIET } : null;
}

/**
 * CHROMIUM_PATH, or the browser in the npm package, whose version the lock file states. It runs only on Linux and x64,
 * so other machines use an installed one.
 */
export async function browserPath(): Promise<Browser> {
  const isPackaged = process.platform === 'linux' && process.arch === 'x64' && !process.env.CHROMIUM_PATH;
  return (isPackaged ? null : installedBrowser()) ?? packagedBrowser();
}

/**
 * The npm package's browser and, if there is one, the installed one of another version. If there is none, records that
 * `tests` tests about `about` do not run with it.
 */
export async function bothBrowsers(tests: number, about: string): Promise<Browser[]> {
  const installed = installedBrowser();
  if (!installed) recordNotRun(tests, `no second Chromium for ${about} is installed`);
  return [await packagedBrowser(), ...(installed ? [installed] : [])];
}

/**
 * One process renders all pages: each further process costs a fifth of a second of processor time, and compiles the
 * scripts of the pages again.
 */
const ONE_RENDERER = '--renderer-process-limit=1';

/** In MB. A page allocates more while it loads, so the default of 1 MB is collected dozens of times. */
const YOUNG_SPACE = '--js-flags=--min-semi-space-size=32';

/** A process that is started in advance. */
const SPARE = 'SpareRendererForSitePerProcess';

async function packagedBrowser(): Promise<Browser> {
  // In a single process, closing a context would end the browser.
  const args = [...chromium.args, ...QUIET, ONE_RENDERER, YOUNG_SPACE]
    .filter((arg) => arg !== '--single-process' && arg !== '--no-zygote')
    // Chromium reads only the last option of this name.
    .map((arg) => (arg.startsWith('--disable-features=') ? `${arg},${SPARE}` : arg));
  return { executablePath: await chromium.executablePath(), args: [...new Set(args)] };
}
