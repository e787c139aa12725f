import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
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
  'dev',
  'test',
  'test-node',
  'watch',
  'soak',
  'mutants',
  'migration',
  'bench',
  'check',
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
  'clients',
  'vulnerabilities',
  'zones',
  'package',
  'package-clients',
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

/**
 * Returns the path of a command's script, or null if there is no such command or script. A folder written by
 * `npm run package` has bundled scripts (`.mjs`), which need no installation.
 * @param {string} name
 */
function scriptOf(name) {
  const base = join(ROOT, 'scripts', name);
  if (!COMMANDS.includes(name)) return null;
  return [`${base}.mjs`, `${base}.ts`].find((file) => existsSync(file)) ?? null;
}

/**
 * Runs the script of a command in this process. A script that is not bundled needs the packages and the database
 * client, so these are first installed and generated if they are missing or outdated.
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
  const refusal = name === 'start' ? downgradeProblem(ROOT, process.env) : null;
  if (refusal) {
    console.error(refusal);
    process.exitCode = 1;
    return;
  }
  if (script.endsWith('.mjs')) {
    await import(pathToFileURL(script).href);
    return;
  }
  let problem;
  try {
    problem = await prepare(name);
  } catch (error) {
    problem = sentence(error);
  }
  if (problem) {
    console.error(problem);
    process.exitCode = 1;
    return;
  }
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(ROOT, 'tsconfig.json') });
  await import(pathToFileURL(script).href);
}
