import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '@/lib/platform/env';

const PAGES = ['', 'docs', 'docs/decisions'].flatMap(pagesIn);

function pagesIn(folder: string): string[] {
  return readdirSync(folder || '.').flatMap((name) => (name.endsWith('.md') ? [join(folder, name)] : []));
}

/** Returns the anchors that code hosts generate for a page's headings. */
function anchorsOf(page: string): string[] {
  const headings = [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('the table of settings lists every setting exactly once and nothing else', () => {
  const page = readFileSync('docs/deployment.md', 'utf8');
  const section = page.slice(page.indexOf('## Settings'), page.indexOf('## Two processes'));
  const listed = [...section.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...SETTING_NAMES].sort());
});

test.each(PAGES)('every relative link of %s has a target', (page) => {
  const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  for (const link of links.filter((one) => !/^(https?:|\/)/.test(one))) {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    expect(() => readdirSync(dirname(target)).includes(target) || readFileSync(target), link).not.toThrow(/ENOENT/);
    if (anchor) expect(anchorsOf(target), link).toContain(anchor);
  }
});

const PATH = /`((?:\.github|\.ci|app|deploy|docs|inngest|lib|prisma|public|scripts|tests)\/[^`\s]+)`/g;

test.each(PAGES)('every path in %s exists, except those with a placeholder', (page) => {
  const paths = [...readFileSync(page, 'utf8').matchAll(PATH)].map(([, path = '']) => path);
  for (const path of paths.filter((one) => !/[<…{*]/.test(one))) expect(existsSync(path), path).toBe(true);
});

describe('CONTRIBUTING.md', () => {
  const page = readFileSync('CONTRIBUTING.md', 'utf8');
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.trim());
  const commands = blocks.flatMap((code) => code.split('\n'));

  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

  test('every npm script and every file in a command exists', () => {
    expect(commands.length).toBeGreaterThan(10);
    for (const command of commands) {
      const [, script, file] =
        /^(?:(?:SCREENSHOTS|WORKERS|EXAMPLES|SOAK_SHARE)=[\d.]+ )*(?:npm (?:run )?([a-z:]+)|npx (?:tsx|biome check --write) (\S+))/.exec(
          command,
        ) ?? [];
      if (script) expect(scripts, command).toHaveProperty([script]);
      else expect(existsSync(file ?? ''), command).toBe(true);
      for (const path of command.match(/\btests\/\S+/g) ?? []) expect(existsSync(path), command).toBe(true);
    }
  });
});

test('the map in README.md lists the rooms of lib in the order that the imports check enforces', () => {
  const [, map = ''] = /^lib\/ .*\n([\s\S]*?)^inngest\//m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const listed = [...map.matchAll(/^ {2}([a-z-]+)\/ /gm)].map(([, room]) => room);
  const config = readFileSync('.dependency-cruiser.cjs', 'utf8');
  const [, rooms = ''] = /const ROOMS = \[([^\]]+)\]/.exec(config) ?? [];
  expect(listed).toEqual([...rooms.matchAll(/'([a-z-]+)'/g)].map(([, room]) => room));
  expect(readdirSync('lib').sort()).toEqual([...listed].sort());
});
