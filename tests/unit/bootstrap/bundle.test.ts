import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleCommand } from '@/scripts/bootstrap/bundle.mjs';

/** Milliseconds after which a written file no longer counts as saved while the command is bundled. */
const SETTLED = 20;

let root = '';

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'bundle-'));
  await write({
    'package-lock.json': '{}',
    'tsconfig.json': '{"compilerOptions": {"paths": {"@/*": ["./*"]}}}',
    'scripts/bootstrap/bundle.mjs': '',
    'scripts/hello.ts': "import { name } from '@/lib/name';\nconsole.log('Hello', name);\n",
    'lib/name.ts': "export const name: string = 'Ada';\n",
  });
  symlinkSync(resolve('node_modules'), join(root, 'node_modules'));
});

afterEach(() => rmSync(root, { recursive: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  await delay(SETTLED);
}

/** Returns the output, and whether the command was bundled. */
async function run(): Promise<[output: string, bundled: boolean]> {
  const began = Date.now();
  const file = await bundleCommand(root, 'hello');
  const bundled = statSync(file).mtimeMs >= began - 5;
  await delay(SETTLED);
  return [execFileSync(process.execPath, [file], { encoding: 'utf8' }).trim(), bundled];
}

test('a command is bundled once, and again when one of its sources or packages has changed', async () => {
  expect(await run()).toEqual(['Hello Ada', true]);
  expect(await run()).toEqual(['Hello Ada', false]);
  await write({ 'lib/unrelated.ts': '' });
  expect(await run()).toEqual(['Hello Ada', false]);
  await write({ 'lib/name.ts': "export { name } from './other';\n", 'lib/other.ts': "export const name = 'Bo';\n" });
  expect(await run()).toEqual(['Hello Bo', true]);
  await write({ 'lib/other.ts': "export const name = 'Cy';\n" });
  expect(await run()).toEqual(['Hello Cy', true]);
  await write({ 'package-lock.json': '{"name": "other"}' });
  expect(await run()).toEqual(['Hello Cy', true]);
  rmSync(join(root, 'lib/other.ts'));
  await expect(bundleCommand(root, 'hello')).rejects.toThrow('lib/name.ts:1:21: ERROR: Could not resolve "./other"');
});

test('a stack trace names the line of the source', async () => {
  await write({ 'lib/name.ts': "\n\nexport const name: string = new Error('x').stack?.split('\\n')[1] ?? '';\n" });
  const file = await bundleCommand(root, 'hello');
  const output = execFileSync(process.execPath, ['--enable-source-maps', file], { encoding: 'utf8' });
  expect(output).toContain(`${join(root, 'lib/name.ts')}:3:`);
});
