import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { npmCommand } from '../bootstrap/install.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const TIMEOUT_MS = 120_000;

type Command = readonly string[];

/**
 * The package of a client. `folder` is below `clients`. Each program of `needs` must succeed before the package can be
 * built. `build` runs in a copy of the folder; `optional` only if its program is installed. `artifact` matches the built
 * file, or is null if the folder itself is what is published.
 */
export type ClientPackage = {
  name: string;
  folder: string;
  needs: readonly Command[];
  build: readonly Command[];
  optional?: Command;
  artifact: { folder: string; pattern: RegExp } | null;
};

/** Interpreters that may have the packages with which a Python package is built. */
const PYTHONS = ['python3', '/usr/bin/python3'];

const BUILD_TOOLS = 'import setuptools, wheel';

const SDIST = 'from setuptools import build_meta; print(build_meta.build_sdist("dist"))';

const pythonPackage = (python: string): ClientPackage => ({
  name: 'PyPI',
  folder: 'python',
  needs: [
    [python, '-c', BUILD_TOOLS],
    [python, '-m', 'pip', '--version'],
  ],
  build: [
    [python, '-m', 'pip', 'wheel', '--no-deps', '--no-index', '--no-build-isolation', '--wheel-dir', 'dist', '.'],
    [python, '-c', SDIST],
  ],
  artifact: { folder: 'dist', pattern: /\.whl$/ },
});

const COMPOSER = ['--no-interaction', '--no-plugins'];

/** The packages, in the order of the guide to clients. */
export async function clientPackages(): Promise<ClientPackage[]> {
  const npm = npmCommand();
  const found = await Promise.all(PYTHONS.map((one) => succeeds([one, '-c', BUILD_TOOLS])));
  return [
    {
      name: 'npm',
      folder: 'npm',
      needs: [],
      build: [
        ['tsc', '-p', '.'],
        [...npm, 'pack', '--silent', '--ignore-scripts'],
      ],
      artifact: { folder: '.', pattern: /\.tgz$/ },
    },
    pythonPackage(PYTHONS[Math.max(0, found.indexOf(true))] ?? 'python3'),
    {
      name: 'Composer',
      folder: 'php',
      needs: [
        ['php', '--version'],
        ['composer', '--version', ...COMPOSER],
      ],
      build: [['composer', 'validate', '--strict', '--no-check-version', ...COMPOSER]],
      artifact: null,
    },
    { name: 'Go', folder: 'go', needs: [['go', 'version']], build: [['go', 'vet', './...']], artifact: null },
    {
      name: 'Maven',
      folder: 'java',
      needs: [
        ['javac', '--version'],
        ['jar', '--version'],
      ],
      build: [
        ['sh', '-c', 'javac --release 17 -d target/classes $(find src -name "*.java")'],
        ['sh', '-c', 'jar --create --file target/partner-booking.jar -C target/classes .'],
      ],
      // Offline, Maven has no plugins to compile with, but it checks the project.
      optional: ['mvn', '--offline', '--quiet', 'validate'],
      artifact: { folder: 'target', pattern: /\.jar$/ },
    },
    {
      name: 'NuGet',
      folder: 'csharp',
      needs: [
        ['mcs', '--version'],
        ['mono', '--version'],
      ],
      build: [
        [
          'sh',
          '-c',
          'mkdir lib && mcs -langversion:7.2 -warnaserror -target:library -r:System.Net.Http -out:lib/PartnerBooking.dll *.cs',
        ],
      ],
      optional: ['dotnet', 'pack', '--configuration', 'Release'],
      artifact: { folder: 'lib', pattern: /\.dll$/ },
    },
  ];
}

/** Runs a command. The programs of this repository come first on the path, such as the compiler of the package for npm. */
export async function runTool([file = '', ...args]: Command, cwd = ROOT, env: Record<string, string> = {}) {
  const path = [join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter);
  // Composer refuses to run as root without the second variable, and Go would fetch a newer version of itself.
  const fixed = {
    PATH: path,
    COMPOSER_ALLOW_SUPERUSER: '1',
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GOTOOLCHAIN: 'local',
  };
  const options = { cwd, env: { ...process.env, ...fixed, ...env }, timeout: TIMEOUT_MS };
  return (await promisify(execFile)(file, args, options)).stdout;
}

async function succeeds(command: Command): Promise<boolean> {
  return runTool(command).then(
    () => true,
    () => false,
  );
}

/** Returns the program that is missing to build a package, or null. */
export async function missingTool({ needs }: ClientPackage): Promise<string | null> {
  for (const command of needs) if (!(await succeeds(command))) return command[0] ?? null;
  return null;
}

/**
 * Copies a package with its license into a new folder and builds it there. Returns the path of what is published or
 * installed.
 * @throws if a command fails
 */
export async function buildPackage(one: ClientPackage, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  cpSync(join(ROOT, 'clients', one.folder), folder, { recursive: true });
  cpSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  // The client in TypeScript is generated where the repository uses it.
  if (one.folder === 'npm') cpSync(join(ROOT, 'lib/contract/client.ts'), join(folder, 'src/client.ts'));
  for (const command of one.build) await runTool(command, folder);
  if (one.optional && (await succeeds([one.optional[0] ?? '', '--version']))) await runTool(one.optional, folder);
  if (!one.artifact) return folder;
  const { folder: within, pattern } = one.artifact;
  const [name] = readdirSync(join(folder, within)).filter((file) => pattern.test(file));
  if (!name) throw new Error(`The package for ${one.name} was not built.`);
  return join(folder, within, name);
}
