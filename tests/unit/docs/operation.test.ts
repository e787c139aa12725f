import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { MAX_ENTRIES } from '@/lib/access/applications/applications';
import { MAX_PASSKEYS } from '@/lib/access/owners/passkeys';
import { MAX_OF_DAY, MAX_OF_DAYS } from '@/lib/booking/bookings/day';
import { MAX_IMPORT_MIB, MAX_ROWS } from '@/lib/booking/bookings/import/document';
import { MAX_CLOSED_DAYS } from '@/lib/booking/catalog/edit/bulk';
import { MAX_EXCEPTIONS, MAX_TIME_OFF, MAX_WEEKLY } from '@/lib/booking/catalog/edit/hours';
import { MAX_CHECKED } from '@/lib/booking/catalog/edit/outside';
import { MAX_RECORDS } from '@/lib/booking/catalog/edit/records';
import { MAX_OFFERINGS } from '@/lib/booking/catalog/edit/references';
import { MAX_WORKPLACES } from '@/lib/booking/catalog/edit/schemas';
import { MAX_IMPORT_TIME } from '@/lib/booking/catalog/edit/write';
import { MAX_TENANTS } from '@/lib/booking/catalog/snapshot';
import { MAX_DEPTH, MAX_DOCUMENT_MIB, MAX_LIST, MAX_VALUES, MAX_WRITTEN } from '@/lib/booking/catalog/transfer/json';
import { MAX_DAYS } from '@/lib/contract/availability';
import { MAX_EXPORTED } from '@/lib/control-center/exports/limit';
import { MAX_VIEWS } from '@/lib/control-center/views/views';
import { SETTING_NAMES } from '@/lib/platform/env';
import { MAX_REPLAY, MAX_REPLAY_DAYS } from '@/lib/webhooks/replay';
import { MAX_ATTEMPTS } from '@/lib/webhooks/schedule';
import { MAX_LIVE_SECRETS } from '@/lib/webhooks/secrets';

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
  const page = readFileSync('docs/settings.md', 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
  expect(listed.sort()).toEqual([...SETTING_NAMES].sort());
});

// The rows of the table in docs/limits.md, and the limits in the code that each row must state.
const LIMITS: Record<string, number[]> = {
  'Locations, services, and specialists of a business': [MAX_RECORDS],
  'Offerings of a business (specialist × service × location)': [MAX_OFFERINGS],
  'Locations of a specialist': [MAX_WORKPLACES],
  'Weekly hours of a location, of a specialist at a location, and breaks of a specialist': [MAX_WEEKLY],
  'Dated exceptions of a location, and of a specialist at a location': [MAX_EXCEPTIONS],
  'Times off of a specialist': [MAX_TIME_OFF],
  'Imported catalog': [MAX_DOCUMENT_MIB, MAX_DEPTH, MAX_LIST, MAX_VALUES, MAX_WRITTEN],
  'Imported bookings': [MAX_ROWS, MAX_IMPORT_MIB],
  'Duration of an import, for which a proxy must wait': [MAX_IMPORT_TIME / 1000],
  'Future bookings that a change of the catalog is compared with': [MAX_CHECKED],
  'Dates that are closed at several locations together': [MAX_CLOSED_DAYS],
  'Networks, and origins, of an application': [MAX_ENTRIES],
  'Bookings on a day schedule': [MAX_OF_DAY],
  'Bookings on a week schedule': [MAX_OF_DAYS],
  'Rows of a CSV export': [MAX_EXPORTED],
  'Saved views of a member, per page': [MAX_VIEWS],
  'Passkeys of a member': [MAX_PASSKEYS],
  'Days from `date` to `date_to` in an availability request': [MAX_DAYS],
  'Deliveries of one replay': [MAX_REPLAY, MAX_REPLAY_DAYS],
  'Attempts of a delivery': [MAX_ATTEMPTS],
  'Valid secrets of an endpoint': [MAX_LIVE_SECRETS],
  'Businesses whose catalogs a process keeps in memory': [MAX_TENANTS],
};

test('the table of limits states the limits of the code', () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const section = page.slice(page.indexOf('## Limits of the data'), page.indexOf('## Overload'));
  const rows = [...section.matchAll(/^\| (?!Limit)(\S.*) \| (.*\d.*) \|$/gm)];
  const numbers = (text: string) => (text.match(/\d[\d,]*/g) ?? []).map((one) => Number(one.replaceAll(',', '')));
  expect(Object.fromEntries(rows.map(([, name = '', text = '']) => [name, numbers(text)]))).toEqual(LIMITS);
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
