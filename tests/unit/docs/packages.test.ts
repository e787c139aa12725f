import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { servedFile } from '@/lib/contract/docs/files';
import { sampleNames, samplePath } from '@/lib/contract/docs/samples';

const text = (path: string) => readFileSync(path, 'utf8');
const { version } = JSON.parse(text('package.json')) as { version: string };

/** Where each package states its version, its license, and its README. A Go module states them elsewhere. */
const PACKAGES: [folder: string, manifest: string, version: RegExp, license: RegExp | null][] = [
  ['npm', 'package.json', /"version": "([^"]+)"/, /"license": "MIT"/],
  ['python', 'pyproject.toml', /^version = "([^"]+)"/m, /^license = \{ text = "MIT" \}/m],
  ['php', 'composer.json', /"version": "([^"]+)"/, /"license": "MIT"/],
  ['go', 'README.md', /clients\/go@v(\S+)/, null],
  ['java', 'pom.xml', /<version>([^<]+)<\/version>/, /<name>MIT<\/name>/],
  ['csharp', 'PartnerBooking.csproj', /<Version>([^<]+)<\/Version>/, /<PackageLicenseExpression>MIT</],
];

test.each(PACKAGES)(
  'the package in clients/%s has the version of the product, a license, and a short README',
  (...one) => {
    const [folder, manifest, pattern, license] = one;
    const stated = text(`clients/${folder}/${manifest}`);
    expect(pattern.exec(stated)?.[1]).toBe(version);
    if (license) expect(stated).toMatch(license);
    const readme = text(`clients/${folder}/README.md`);
    expect(readme.split('\n').length).toBeLessThanOrEqual(41);
    for (const word of [
      /install|get |add |require|<dependency>/,
      /createBooking|create_booking/i,
      /verify/i,
      /\/docs\/changelog/,
    ])
      expect(readme).toMatch(word);
  },
);

test('every folder of clients is a package, and its files are those that pages show and serve', () => {
  const folders = readdirSync('clients', { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual(PACKAGES.map(([folder]) => folder).sort());
  const sources = sampleNames()
    .map(samplePath)
    .filter((path) => path.startsWith('clients/'));
  const others = PACKAGES.map(([folder]) => folder).filter(
    (folder) => !sources.some((path) => path.includes(`/${folder}/`)),
  );
  expect(others).toEqual(['npm']);
  const deployment = { origin: 'https://host.example', environment: 'TEST', keyPrefix: 'pbk_test_' } as const;
  const marker = /^ *(?:#|\/\/) (?:end)?region \w+\n(?:(?<=\n\n.*\n)\n)?/gm;
  for (const path of sources) {
    const served = servedFile(`/docs/samples/${path.split('/').at(-1)}`, deployment)?.text;
    expect(served, path).toBe(text(path).replaceAll(marker, ''));
    expect(served?.split('\n').length, path).toBeLessThan(400);
  }
});
