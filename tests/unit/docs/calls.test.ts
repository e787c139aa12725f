import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsOf } from '@/lib/contract/docs/calls';
import { openApi } from '@/lib/contract/docs/reference';
import { sampleNames, samplePath } from '@/lib/contract/docs/samples';
import type { Parameter } from '@/lib/contract/docs/schema-rows';
import { OPERATIONS } from '@/lib/contract/operations';
import { CLIENT_FILE } from '@/scripts/client/source';
import { allLanguages, hasProgram, recordNotRun } from '@/tests/support/programs';

const run = promisify(execFile);
const document = openApi({ origin: 'https://host.example', environment: 'TEST', keyPrefix: 'pbk_test_' });

/** The calls of every operation, as their pages show them. */
const CALLS = OPERATIONS.flatMap((operation) => {
  const item = document.paths[operation.path] as { parameters: unknown[] } & Record<string, Record<string, never>>;
  const shared = document.components.parameters as Record<string, Parameter>;
  const described = item[operation.method.toLowerCase()] as unknown as {
    parameters: unknown[];
    requestBody?: { content: { 'application/json': { example: unknown } } };
  };
  const parameters = [...item.parameters, ...described.parameters].map((one) => {
    const name = (one as { $ref?: string }).$ref?.split('/').at(-1);
    return name ? (shared[name] as Parameter) : (one as Parameter);
  });
  const body = described.requestBody?.content['application/json'].example;
  return callsOf(operation, parameters, body).map((call) => ({ id: operation.id, ...call }));
});

let directory = '';

beforeAll(async () => {
  await mkdir('.cache', { recursive: true });
  directory = await mkdtemp('.cache/calls-');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const of = (language: string) => CALLS.filter((one) => one.language === language);

test('every operation has a call in each language, with its values', () => {
  for (const { id } of OPERATIONS)
    expect(CALLS.filter((one) => one.id === id).map(({ language }) => language)).toEqual([
      'ts',
      'python',
      'php',
      'go',
      'java',
      'csharp',
    ]);
  for (const { code } of CALLS) expect(code).not.toMatch(/undefined|\[object|\{\w+\}\/|\0/);
  const [create] = of('go').filter(({ id }) => id === 'createBooking');
  expect(create?.code).toContain('"consent_to_contact": true,');
});

test('the style sheet shows the code of every tab: curl and each language', async () => {
  const css = await readFile('public/docs/docs.css', 'utf8');
  const tabs = 1 + new Set(CALLS.map(({ language }) => language)).size;
  const shown = Array.from(
    { length: tabs },
    (_, i) => `input:nth-of-type(${i + 1}):checked) > .code:nth-of-type(${i + 1})`,
  );
  expect(shown.filter((selector) => !css.includes(selector))).toEqual([]);
});

test('the calls in TypeScript compile with the client', async () => {
  await copyFile(CLIENT_FILE, join(directory, 'client.ts'));
  const files = await Promise.all(
    of('ts').map(async ({ id, code }) => {
      const file = join(directory, `${id}.ts`);
      await writeFile(file, code);
      return file;
    }),
  );
  const options = [
    ...['--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions', '--ignoreConfig'],
    ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler', '--types', 'node'],
  ];
  const compiler = 'node_modules/typescript7/bin/tsc';
  const { stdout } = await run(process.execPath, [compiler, ...options, ...files]).catch(
    (failed: { stdout: string }) => failed,
  );
  expect(stdout).toBe('');
}, 60_000);

if (hasProgram('python3', 1, 'the calls in Python'))
  test('the calls in Python compile', async () => {
    const code = JSON.stringify(of('python').map((one) => one.code));
    await run('python3', [
      '-c',
      'import json,sys\nfor one in json.loads(sys.argv[1]): compile(one, "call", "exec")',
      code,
    ]);
  });

/** Languages whose calls are compiled together with the client. Each example gets a class of its own. */
const COMPILED = [
  {
    language: 'java',
    extension: 'java',
    command: 'javac',
    args: () => ['-d', directory],
    client: /^(Partner|PartnerError|Json)\.java$/,
  },
  {
    language: 'csharp',
    extension: 'cs',
    command: 'mcs',
    args: () => [
      '-langversion:7.2',
      '-r:System.Net.Http',
      '-main:createBooking',
      `-out:${join(directory, 'calls.exe')}`,
    ],
    client: /^(Partner|PartnerError|Json)\.cs$/,
  },
];

if (!allLanguages) recordNotRun(4, 'npm run check:clients compiles the calls in Java, C#, PHP, and Go');

const LANGUAGES = allLanguages ? COMPILED : [];

test.each(LANGUAGES.filter(({ language, command }) => hasProgram(command, 1, `the calls in ${language}`)))(
  'the calls in $language compile with the client',
  async (one) => {
    const clients = sampleNames().filter((name) => one.client.test(name));
    const calls = await Promise.all(
      of(one.language).map(async ({ id, code }) => {
        const file = join(directory, `${id}.${one.extension}`);
        await writeFile(file, code.replace('class Example', `class ${id}`));
        return file;
      }),
    );
    await run(one.command, [...one.args(), ...clients.map(samplePath), ...calls]);
  },
  60_000,
);

if (allLanguages && hasProgram('php', 1, 'the calls in PHP'))
  test('the calls in PHP compile', async () => {
    const code = of('php').map((one) => one.code.replace('<?php', ''));
    await writeFile(join(directory, 'calls.php'), `<?php\nif (false) {\n${code.join('\n')}\n}\n`);
    await run('php', ['-l', join(directory, 'calls.php')]);
  }, 60_000);

if (allLanguages && hasProgram('go', 1, 'the calls in Go', ['version']))
  test('the calls in Go compile', async () => {
    await mkdir(join(directory, 'partnerbooking'), { recursive: true });
    await writeFile(join(directory, 'go.mod'), 'module booking\n\ngo 1.19\n');
    await copyFile(samplePath('partner.go'), join(directory, 'partnerbooking/partner.go'));
    await Promise.all(
      of('go').map(async ({ id, code }) => {
        await mkdir(join(directory, id), { recursive: true });
        await writeFile(join(directory, id, 'main.go'), code);
      }),
    );
    await run('go', ['vet', './...'], { cwd: directory });
  }, 60_000);
