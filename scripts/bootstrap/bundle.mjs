import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * esbuild's options for every program. Packages are bundled, too, because loading hundreds of files takes longer than
 * running them.
 * @type {import('esbuild').BuildOptions}
 */
export const PROGRAM = {
  bundle: true,
  // They are native, or read files beside their own.
  external: ['@node-rs/argon2', '@prisma/client', 'esbuild', 'inngest', 'next', 'pg-native'],
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // esbuild cannot follow the calls of `require` in the format that some packages have for Node.
  mainFields: ['module', 'main'],
  // The bundled CommonJS packages call `require` for built-in modules, but an ES module has no `require`.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module';\nconst require = requireOf(import.meta.url);",
  },
  logLevel: 'silent',
};

/** Precedes the list of a bundle's sources and their hash, in the last line of its file. */
const MARK = '\n// Made from ';

/** What decides about a bundle besides its sources. */
const ALWAYS = ['package-lock.json', 'scripts/bootstrap/bundle.mjs', 'tsconfig.json'];

/** @param {string} root @param {string[]} paths */
function hashOf(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const content = readFileSync(join(root, path));
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} root @param {string} file @returns {boolean} whether `file` is the bundle of the current sources */
function isCurrent(root, file) {
  if (!existsSync(file)) return false;
  const text = readFileSync(file, 'utf8');
  const at = text.lastIndexOf(MARK);
  if (at < 0) return false;
  const { paths, hash } = JSON.parse(text.slice(at + MARK.length));
  return paths.every((/** @type {string} */ path) => existsSync(join(root, path))) && hashOf(root, paths) === hash;
}

/** So that a command that starts meanwhile reads a whole file. */
function write(/** @type {string} */ file, /** @type {string} */ text) {
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

/**
 * Bundles the script of a command, unless the bundle exists and no source has changed.
 * @param {string} root
 * @param {string} name
 * @returns {Promise<string>} the path of the bundle
 */
export async function bundleCommand(root, name) {
  const file = join(root, '.cache', 'commands', `${name}.mjs`);
  if (isCurrent(root, file)) return file;
  const { build } = await import('esbuild');
  const began = Date.now();
  const { outputFiles, metafile } = await build({
    ...PROGRAM,
    absWorkingDir: root,
    entryPoints: [join('scripts', `${name}.ts`)],
    outfile: file,
    sourcemap: 'linked',
    sourcesContent: false,
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => !path.startsWith('node_modules/'));
  const paths = [...ALWAYS, ...inputs].sort();
  const changed = paths.some((path) => statSync(join(root, path)).ctimeMs >= began);
  mkdirSync(dirname(file), { recursive: true });
  for (const { path, text } of outputFiles.sort((a, b) => (a.path < b.path ? 1 : -1))) {
    // Without the mark, the next command bundles a source that was saved meanwhile.
    const mark = path === file && !changed ? `${MARK}${JSON.stringify({ paths, hash: hashOf(root, paths) })}\n` : '';
    write(path, text + mark);
  }
  return file;
}
