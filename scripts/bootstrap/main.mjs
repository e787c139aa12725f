import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { bundleCommand } from './bundle.mjs';
import { downgradeProblem } from './downgrade.mjs';
import { generate, isGenerated } from './generate.mjs';
import { install, isInstalled } from './install.mjs';
import { withLock } from './lock.mjs';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
/** Commands that need the sources and the development packages. */
export const DEVELOPMENT = [
  'dev',
  'test',
  'test-node',
  'watch',
  'soak',
  'mutants',
  'migration',
  'bench',
  'check',
  'clients',
  'vulnerabilities',
  'zones',
  'package',
  'package-clients',
];

/** The commands of the launcher. The script of a command is `scripts/<command>.ts`. */
export const COMMANDS = [
  'start',
  'credentials',
  'password',
  'backup',
  'restore',
  'drill',
  'migrate',
  'doctor',
  'rotate-secret',
  'tenant',
  'cells',
  'conformance',
  ...DEVELOPMENT,
];

const say = (/** @type {string} */ line) => console.log(line);

/**
 * Installs the packages and generates the database client, each only if needed. If another command in the same
 * repository is doing this work, waits until that command has finished. Returns an error message, or null on success.
 * @param {string} name a command
 */
async function prepare(name) {
  const all = DEVELOPMENT.includes(name);
  if (isInstalled(ROOT, all) && isGenerated(ROOT)) return null;
  const work = async () => {
    const problem = isInstalled(ROOT, all) ? null : await install(ROOT, say, all);
    return problem || isGenerated(ROOT) ? problem : await generate(ROOT, say);
  };
  return await withLock(
    ROOT,
    'prepare',
    () => say('Waiting for another command in this directory to finish installing …'),
    work,
  );
}

/** @param {unknown} error @returns {string} one sentence if the cause is known, otherwise the stack trace */
function sentence(error) {
  const { code, path, stack } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'ENOSPC') return `The disk is full${path ? ` (writing ${path})` : ''}.`;
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
    return `No permission to write ${path ?? 'in the project directory'}.`;
  return stack ?? String(error);
}

/** A folder of `npm run package` has bundles (`.mjs`), which need no installation. @param {string} name */
function scriptOf(name) {
  const base = join(ROOT, 'scripts', name);
  if (!COMMANDS.includes(name)) return null;
  return [`${base}.mjs`, `${base}.ts`].find((file) => existsSync(file)) ?? null;
}

/** Of a file system that may not be written. */
const READ_ONLY = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Makes a TypeScript script loadable, which Node 20 cannot run: bundles that of a command, because compiling each of its
 * files at every start takes a second. The development commands, which find files relative to their sources, are
 * compiled when they are imported, and so is a command whose bundle cannot be written.
 * @param {string} name
 * @param {string} script
 * @returns {Promise<string>} the path to import
 */
async function compile(name, script) {
  if (!DEVELOPMENT.includes(name))
    try {
      return await bundleCommand(ROOT, name);
    } catch (error) {
      if (!READ_ONLY.includes(/** @type {NodeJS.ErrnoException} */ (error).code ?? '')) throw error;
    }
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(ROOT, 'tsconfig.json') });
  return script;
}

/**
 * Runs the script of a command in this process. A script of a clone needs the packages and the database client, so these
 * are first installed and generated if they are missing or outdated.
 * @param {string} name
 * @param {string[]} args
 */
export async function launch(name, args) {
  const script = scriptOf(name);
  if (script === null) {
    console.error(`Unknown command. Commands: ${COMMANDS.filter(scriptOf).join(', ')}.`);
    process.exitCode = 1;
    return;
  }
  // Paths in settings, such as DATA_DIR, are relative to the repository.
  process.chdir(ROOT);
  process.argv = [process.execPath, script, ...args];
  let problem = name === 'start' ? downgradeProblem(ROOT, process.env) : null;
  let file = script;
  try {
    if (!problem && script.endsWith('.ts')) {
      problem = await prepare(name);
      if (!problem) file = await compile(name, script);
    }
  } catch (error) {
    problem = sentence(error);
  }
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  process.setSourceMapsEnabled(true);
  await import(pathToFileURL(file).href);
}
