import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { licensesOf, packagesOf } from '@/scripts/package/licenses';
import { writeProvenance } from '@/scripts/package/provenance';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { packages } = z
  .object({
    packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), optional: z.boolean().optional() })),
  })
  .parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
const used = Object.entries(packages).filter(([path, { dev }]) => path !== '' && !dev);

test('the licenses name every package that a server uses, and contain the text of nearly all', () => {
  const text = licensesOf(
    process.cwd(),
    used.map(([path]) => path),
  );
  const [, ...blocks] = text.split(`${'='.repeat(80)}\n`);
  const names = blocks.filter((_, index) => index % 2 === 0).join('');
  const without = blocks.filter((_, index) => blocks[index + 1]?.includes('contains no text of it'));
  for (const [path, { optional }] of used) {
    if (optional) continue;
    const { name, version } = JSON.parse(readFileSync(`${path}/package.json`, 'utf8'));
    expect(`\n${names}`, path).toMatch(new RegExp(`\\n${name.replaceAll('.', '\\.')} ${version}`));
  }
  expect(without.join('').split('\n').filter(Boolean).length).toBeLessThan(40);
  // The fonts, a package inside of Next.js, and programs without a file of their own.
  for (const part of [
    'SIL OPEN FONT LICENSE',
    'next 16',
    'dist/compiled/',
    '\nPostgreSQL\n',
    '\nICU\n',
    'OpenSSL License',
  ])
    expect(text).toContain(part);
});

test('the list of components gives the directories of packages', () => {
  const components = [{ properties: [{ name: 'cdx:npm:package:path', value: 'node_modules/next' }] }, {}];
  expect(packagesOf(JSON.stringify({ components }))).toEqual(['node_modules/next']);
});

test('the provenance states sources and checksums, with which a changed file is found', () => {
  mkdirSync(join(folder, '.next'));
  const files = { 'package.json': '{"version":"1.2.3"}', 'sbom.cdx.json': '{}', '.next/commit': `${'a'.repeat(40)}\n` };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  symlinkSync('sbom.cdx.json', join(folder, 'link'));
  symlinkSync('.next', join(folder, 'directory'));
  writeProvenance(process.cwd(), folder);
  const read = () => readFileSync(join(folder, 'provenance.json'), 'utf8');
  const statement = JSON.parse(read());
  expect(statement.subject.map(({ name }: { name: string }) => name)).toEqual(['files.sha256', 'sbom.cdx.json']);
  expect(statement.predicate.buildDefinition).toMatchObject({
    externalParameters: { version: '1.2.3', commit: 'a'.repeat(40) },
    resolvedDependencies: [{ digest: { gitCommit: 'a'.repeat(40) } }, { name: 'package-lock.json' }],
  });
  const sum = (name: string) => execFileSync('sha256sum', [join(folder, name)], { encoding: 'utf8' }).split(' ')[0];
  expect(statement.subject[0].digest.sha256).toBe(sum('files.sha256'));
  const listed = readFileSync(join(folder, 'files.sha256'), 'utf8').trim().split('\n');
  expect(listed.map((line) => line.split('  ')[1])).toEqual(['.next/commit', 'link', 'package.json', 'sbom.cdx.json']);
  const check = () => execFileSync('sha256sum', ['--check', '--status', 'files.sha256'], { cwd: folder });
  check();
  const before = read();
  writeProvenance(process.cwd(), folder);
  expect(read()).toBe(before);
  writeFileSync(join(folder, 'sbom.cdx.json'), '{"changed":1}');
  expect(check).toThrow();
});
