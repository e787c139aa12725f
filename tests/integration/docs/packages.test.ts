import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { BASE_PATH } from '@/lib/contract/operations';
import { npmCommand } from '@/scripts/bootstrap/install.mjs';
import { buildPackage, type ClientPackage, clientPackages, missingTool, runTool } from '@/scripts/client/packages';
import { makeBusiness } from '@/tests/support/factories';
import { recordNotRun } from '@/tests/support/programs';
import { sharedServer } from '@/tests/support/shared';
import { ROOT } from './blocks';

const TIMEOUT = 180_000;
/** The compiler that is ten times as fast. */
const TSC = join(ROOT, 'node_modules/typescript7/bin/tsc');
const VECTORS = join(ROOT, 'docs/partner/webhook-vectors.json');
const MODULE = 'example.com/partner-booking-api/clients/go';

type Command = readonly string[];

/** How a partner installs a package and runs a program with it, whose name has no extension. */
type Use = {
  extension: string;
  files?: (built: string) => Record<string, string>;
  install: (built: string, program: string) => readonly Command[];
  run: (built: string, program: string) => Command;
  env?: Record<string, string>;
  /** Returns the program that the code of the README is a part of. */
  readme: (code: string) => string;
};

const USES: Record<string, Use> = {
  npm: {
    extension: 'mjs',
    files: () => ({ 'package.json': '{ "type": "module" }' }),
    install: (built) => [[...npmCommand(), 'install', '--offline', '--no-audit', '--no-fund', '--silent', built]],
    run: (_, program) => [process.execPath, `${program}.mjs`, VECTORS],
    readme: (code) => ts.transpile(code, { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 }),
  },
  python: {
    extension: 'py',
    install: (built) => [['python3', '-m', 'zipfile', '-e', built, 'site']],
    run: (_, program) => ['python3', '-B', `${program}.py`, VECTORS],
    env: { PYTHONPATH: 'site' },
    readme: (code) => code,
  },
  php: {
    extension: 'php',
    files: (url) => ({
      'composer.json': JSON.stringify({
        repositories: [{ type: 'path', url, options: { symlink: false } }, { 'packagist.org': false }],
        require: { 'partner-booking/client': '*' },
      }),
    }),
    install: () => [['composer', 'install', '--no-interaction', '--no-plugins', '--quiet']],
    run: (_, program) => ['php', `${program}.php`, VECTORS],
    readme: (code) => `<?php\n${code}`,
  },
  go: {
    extension: 'go',
    files: (built) => ({
      'go.mod': `module partner\n\ngo 1.19\n\nrequire ${MODULE} v0.0.0\n\nreplace ${MODULE} => ${built}\n`,
    }),
    install: (_, program) => [['go', 'build', '-o', program, `${program}.go`]],
    run: (_, program) => [`./${program}`, VECTORS],
    readme: (code) => {
      const [imports, body] = partsOf(code);
      const standard = ['context', 'errors', 'fmt', 'log', 'net/url', 'os', 'time'].map((name) => `import "${name}"\n`);
      const given = 'ctx, key := context.Background(), fmt.Sprint("of-the-readme-", time.Now().UnixNano())';
      const after = 'if err != nil { log.Fatal(err) }\nfmt.Println(created.Booking.Reference)';
      return `package main\n\n${standard.join('')}${imports}\nfunc main() {\n${given}\n${body}\n${after}\n}\n`;
    },
  },
  java: {
    extension: 'java',
    install: (built, program) => [['javac', '-cp', built, `${program}.java`]],
    run: (built, program) => ['java', '-cp', `${built}:.`, program, VECTORS],
    readme: (code) => {
      const [imports, body] = partsOf(code);
      return `${imports}\nclass Readme { public static void main(String[] args) throws Exception {\n${body}\n} }\n`;
    },
  },
  csharp: {
    extension: 'cs',
    install: (built, program) => [
      ['cp', built, 'PartnerBooking.dll'],
      ['mcs', '-langversion:7.2', '-r:PartnerBooking.dll', `-out:${program}.exe`, `${program}.cs`],
    ],
    run: (_, program) => ['mono', `${program}.exe`, VECTORS],
    readme: (code) => {
      const [imports, body] = partsOf(code);
      const run = `static async System.Threading.Tasks.Task Run() {\n${body}\n}`;
      return `${imports}\nclass Readme {\n${run}\nstatic void Main() { Run().GetAwaiter().GetResult(); }\n}\n`;
    },
  },
};

/** Returns the imports and the statements after the blank line that follows them. */
function partsOf(code: string): [string, string] {
  const [imports = '', ...statements] = code.split('\n\n');
  return [imports, statements.join('\n\n')];
}

/** Languages in which the name of a class is that of its file. */
const programOf = (name: string, { extension }: Use) =>
  ['java', 'cs'].includes(extension) ? name.charAt(0).toUpperCase() + name.slice(1) : name;

/** What the program of every language prints. */
const EXPECTED = `me TEST
next true
created confirmed 1
repeated true
lost confirmed
taken 409 booking_unavailable slot_taken
moved 2
conflict 409 booking_version_conflict
cancelled 3
redirect 307 redirected
digest 2 true
events 4
webhook true false
`;

/** Starts a server that redirects every request to the API. */
async function redirecting() {
  const server = createServer(({ url = '' }, response) => {
    response.writeHead(307, { location: `${sharedServer().origin}${url}` }).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** Each of their programs is compiled. */
const COMPILED = new Set(['go', 'java', 'csharp']);

/** Returns the code of a package's README that makes a booking. */
async function readmeOf(folder: string): Promise<string> {
  const text = await readFile(join(ROOT, 'clients', folder, 'README.md'), 'utf8');
  const codes = [...text.matchAll(/```(?:ts|python|php|go|java|csharp)\n([\s\S]*?)```/g)].map(([, code = '']) => code);
  return codes[0]?.split(/^.*In a receiver.*$/m)[0] ?? '';
}

/**
 * Installs the built package in a new directory, and runs the program and the code of the README there. Returns the output of the
 * program. The code of the README must book.
 */
async function journey({ folder }: ClientPackage, built: string, directory: string): Promise<string> {
  const use = USES[folder] as Use;
  const moved = await redirecting();
  const [program, readme] = [programOf('journey', use), programOf('readme', use)];
  const fileOf = (name: string) => `${name}.${use.extension}`;
  try {
    await copyFile(join(ROOT, 'tests/integration/docs/journeys', fileOf(program)), join(directory, fileOf(program)));
    await writeFile(join(directory, fileOf(readme)), use.readme(await readmeOf(folder)));
    for (const [name, text] of Object.entries(use.files?.(built) ?? {})) await writeFile(join(directory, name), text);
    const outputs: string[] = [];
    for (const name of [program, readme]) {
      if (name === program || COMPILED.has(folder))
        for (const command of use.install(built, name)) await runTool(command, directory);
      const { key } = await makeBusiness();
      const api = { API: sharedServer().origin + BASE_PATH, API_KEY: key, MOVED: moved.origin + BASE_PATH };
      outputs.push(await runTool(use.run(built, name), directory, { ...api, ...use.env }));
    }
    expect(outputs[1]?.trim()).toMatch(/^pbr_\w{26}$/);
    return outputs[0] ?? '';
  } finally {
    moved.stop();
  }
}

const PACKAGES = await clientPackages();

for (const one of PACKAGES) {
  const missing = await missingTool(one);
  if (missing) {
    recordNotRun(1, `the package for ${one.name} needs ${missing}`);
    continue;
  }
  test(
    `the package for ${one.name} is built, installed, and books`,
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'package-'));
      try {
        const built = await buildPackage(one, join(directory, 'built'));
        const consumer = join(directory, 'consumer');
        await mkdir(consumer);
        expect(await journey(one, built, consumer)).toBe(EXPECTED);
        if (one.folder === 'npm') await expectTypes(consumer);
      } finally {
        await rm(directory, { recursive: true, force: true });
      }
    },
    TIMEOUT,
  );
}

/** The package for npm has types for every setting of the compiler, and declares what it throws. */
async function expectTypes(consumer: string): Promise<void> {
  await writeFile(
    join(consumer, 'types.ts'),
    `import { type Booking, partnerClient } from 'partner-booking';
export const read = (): Promise<{ booking: Booking }> => partnerClient({ baseUrl: '', apiKey: '' }).readBooking('pbr_1');
// @ts-expect-error: a create needs an idempotency key
export const wrong = () => partnerClient({ baseUrl: '', apiKey: '' }).createBooking({} as never);
`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  await runTool([process.execPath, TSC, ...options, 'types.ts'], consumer);
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  const installed = join(consumer, 'node_modules/partner-booking');
  expect(JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))).toMatchObject({ version });
  for (const name of ['LICENSE', 'README.md', 'src/client.ts', 'dist/client.d.ts'])
    expect(await readFile(join(installed, name), 'utf8'), name).not.toBe('');
}
