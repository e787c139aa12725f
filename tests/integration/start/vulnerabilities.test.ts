import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listComponents } from '@/scripts/package/components';
import { endLaunches, launch } from '@/tests/support/launcher';
import { SOAK } from '@/tests/support/soak';

let registry: Server | null = null;

afterEach(async () => {
  registry?.close();
  registry = null;
  await endLaunches();
});

/** Starts a registry that answers each audit with these advisories. Returns its URL. */
async function startRegistry(advisories: object): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    response.statusCode = request.url?.endsWith('/advisories/bulk') ? 200 : 404;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(response.statusCode === 200 ? advisories : {}));
  });
  registry = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function check(url: string): Promise<[number | null, string]> {
  const launched = launch({ npm_config_registry: url, GITHUB_ACTIONS: 'true' }, ['vulnerabilities']);
  return [await launched.ended(), launched.output()];
}

/** npm keeps what it has computed from an advisory of an id. */
const advisory = (id: number, severity: string) => ({
  id,
  url: `https://a.example/${id}`,
  title: 'A fault',
  severity,
  vulnerable_versions: '*',
  cwe: [],
  cvss: { score: 9 },
});

test('a high vulnerability of a package that a server uses fails the check, a low one is only listed', async () => {
  const low = { zod: [advisory(2, 'low')] };
  const [failed, output] = await check(await startRegistry({ ...low, next: [advisory(1, 'high')] }));
  expect(output).toMatch(/^high {5}next .*: A fault \(https:\/\/a\.example\/1\)/m);
  expect(output).toMatch(/^low {6}zod /m);
  expect(failed).toBe(1);
  if (!SOAK) return;
  registry?.close();
  const [passed, listed] = await check(await startRegistry(low));
  expect(listed).toMatch(/^low {6}zod /m);
  expect(passed).toBe(0);
}, 60_000);

test('a registry that does not answer is not mistaken for one without vulnerabilities', async () => {
  expect(await check('http://127.0.0.1:9/')).toEqual([
    0,
    expect.stringMatching(/^::warning::NOT CHECKED: the registry did not answer/m),
  ]);
  if (!SOAK) return;
  expect(await check(await startRegistry({}))).toEqual([
    0,
    expect.stringContaining('No package that a server uses has a known vulnerability.'),
  ]);
}, 60_000);

test('the list of components has the locked version of each package that a server uses, and no others', async () => {
  const { components } = JSON.parse(await listComponents(process.cwd())) as { components: Record<string, string>[] };
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<
      string,
      { name?: string; version: string; dev?: boolean; devOptional?: boolean; optional?: boolean }
    >;
  };
  const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl ?? '')));
  const next = lock.packages['node_modules/next']?.version;
  expect(listed).toContain(`pkg:npm/next@${next}`);
  const expected = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional, optional }]) => path && !dev && !devOptional && !optional,
  );
  expect(expected.length).toBeGreaterThan(100);
  for (const [path, { name: alias, version }] of expected) {
    const name = alias ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    expect(
      [...listed].some((purl) => purl.startsWith(`pkg:npm/${name}@${version}`)),
      name,
    ).toBe(true);
  }
  expect([...listed].some((purl) => purl.startsWith('pkg:npm/vitest@'))).toBe(false);
}, 60_000);
