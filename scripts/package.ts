// `npm run package -- FOLDER`: writes everything that a server needs at run time to a new folder.
import { existsSync, mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { build } from 'esbuild';
import { fileProblem, StartError } from '@/lib/platform/postgres/start-error';
import { describeRelease, readRelease } from '@/lib/platform/release';
import { PROGRAM } from './bootstrap/bundle.mjs';
import { COMMANDS, DEVELOPMENT } from './bootstrap/main.mjs';
import { listComponents } from './package/components';
import { sizeOf, writeFolder } from './package/folder';
import { licensesOf, packagesOf } from './package/licenses';
import { writeProvenance } from './package/provenance';
import { tracePackages } from './package/trace';
import { ensureBuild } from './start/build';
import { type Run, supervise } from './start/supervise';

const ROOT = process.cwd();

const say = (line: string) => console.log(line);

/** @throws StartError if the arguments are not exactly one folder, or if the folder is not empty */
function readFolder(args: string[]): string {
  const [folder] = args;
  if (!folder || args.length > 1) throw new StartError('Specify a folder: npm run package -- FOLDER');
  const path = resolve(ROOT, folder);
  if (existsSync(path) && readdirSync(path).length > 0)
    throw new StartError(`${path} is not empty. Specify an empty or new folder.`);
  return path;
}

/** Bundles the scripts of commands, because a packaged folder has neither sources nor a compiler. Returns the paths. */
async function bundleCommands(root: string, commands: string[], outdir: string): Promise<string[]> {
  await build({
    absWorkingDir: root,
    entryPoints: commands.map((command) => ({ in: `scripts/${command}.ts`, out: command })),
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    chunkNames: 'parts/[name]-[hash]',
    ...PROGRAM,
  });
  return commands.map((command) => join(outdir, `${command}.mjs`));
}

/** Writes next.config.ts as JavaScript, which Next.js loads without its native compiler. */
async function bundleConfig(root: string, folder: string): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['next.config.ts'],
    outfile: join(folder, 'next.config.mjs'),
    ...PROGRAM,
  });
}

async function writePackage(run: Run): Promise<number> {
  const folder = readFolder(process.argv.slice(2));
  const commands = COMMANDS.filter((command) => !DEVELOPMENT.includes(command));
  await ensureBuild(ROOT, say, run.signal, 'tests');
  say('Packaging …');
  // An interrupted run leaves no incomplete folder under the final name.
  const temporary = `${folder}.${process.pid}`;
  const bundles = resolve(ROOT, '.cache', `package-${process.pid}`);
  run.onStop(async () => {
    for (const path of [temporary, bundles]) rmSync(path, { recursive: true, force: true });
  });
  try {
    mkdirSync(dirname(folder), { recursive: true });
    const entries = await bundleCommands(ROOT, commands, bundles);
    const components = await listComponents(ROOT);
    writeFolder({
      root: ROOT,
      folder: temporary,
      bundles,
      commands,
      packages: await tracePackages(ROOT, entries),
      components,
      licenses: licensesOf(ROOT, packagesOf(components)),
    });
    await bundleConfig(ROOT, temporary);
    writeProvenance(ROOT, temporary);
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(temporary, folder);
  } catch (error) {
    throw fileProblem(error, folder) ?? error;
  }
  say(
    `${folder}: ${describeRelease(readRelease(folder))}, ${sizeOf(folder)} MB. To start the server there: node scripts/launch.mjs start`,
  );
  return 0;
}

await supervise(writePackage, 130);
