import { expect, test } from 'vitest';
import type { Deployment } from '@/lib/contract/docs/deployment';
import { FILE_PATHS } from '@/lib/contract/docs/files';
import { sectionsOf } from '@/lib/contract/docs/markdown';
import { PAGES } from '@/lib/contract/docs/pages';
import { ROOT_PATHS } from '@/lib/contract/docs/root-paths';
import { docsSite } from '@/lib/contract/docs/site';
import { twinOf } from '@/lib/contract/docs/twin';

const DEPLOYMENT: Deployment = { origin: 'https://host.example', environment: 'TEST', keyPrefix: 'pbk_test_' };
const site = docsSite(DEPLOYMENT);

const HTML = new Map(PAGES.map(({ path }) => [path, site.page(path)]));
const textOf = (path: string) => HTML.get(path)?.text ?? '';
const mainOf = (path: string) => /<main[\s\S]*<\/main>/.exec(textOf(path))?.[0] ?? '';
const attributesOf = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, value = '']) => value);

test('every page exists, has one h1 and a description of its own, and shows no placeholder', () => {
  const descriptions = new Set<string>();
  for (const { path } of PAGES) {
    expect(HTML.get(path)?.status, path).toBe(200);
    expect(textOf(path).match(/<h1[ >]/g), path).toHaveLength(1);
    expect(mainOf(path).replaceAll(/<[^>]*>/g, ''), path).not.toMatch(/\{\{\w|(?<!\| )undefined|\[object/);
    const [description = ''] = attributesOf(textOf(path), /<meta name="description" content="([^"]*)"/g);
    expect(description.length, path).toBeGreaterThan(50);
    descriptions.add(description);
  }
  expect(descriptions.size).toBe(PAGES.length);
});

test('every page links only to existing pages and anchors', () => {
  const known = new Set<string>([...PAGES.map(({ path }) => path), ...FILE_PATHS, ...ROOT_PATHS, '/docs/openapi.json']);
  const anchors = new Set(
    PAGES.flatMap(({ path }) => attributesOf(mainOf(path), /\sid="([^"]+)"/g).map((id) => `${path}#${id}`)),
  );
  const links = PAGES.flatMap(({ path }) =>
    attributesOf(textOf(path), /<a\s[^>]*?href="([^"]+)"/g).map((href) => new URL(href, DEPLOYMENT.origin + path)),
  );
  const own = [...new Set(links.filter(({ origin }) => origin === DEPLOYMENT.origin).map((url) => url.href))];
  expect(own.length).toBeGreaterThan(PAGES.length);
  const missing = own.filter((href) => {
    const { pathname, hash } = new URL(href);
    if (!known.has(pathname)) return true;
    return hash !== '' && !['#main', '#contents'].includes(hash) && !anchors.has(pathname + decodeURIComponent(hash));
  });
  expect(missing).toEqual([]);
});

test.each([
  ['/docs/reference/createBooking', /405[\s\S]{0,200}invalid_request[\s\S]{0,400}Allow/],
  [
    '/docs/errors/rate_limited',
    /Retry-After: 12[\s\S]*X-RateLimit-Remaining: 0|X-RateLimit-Remaining: 0[\s\S]*Retry-After: 12/,
  ],
  ['/docs/errors/booking_unavailable', /"reason": "slot_taken"/],
])('%s shows the headers and the body of its errors', (path, expected) => {
  expect(
    mainOf(path)
      .replaceAll(/<[^>]*>/g, '')
      .replaceAll('&quot;', '"'),
  ).toMatch(expected);
});

test.each([
  ['slot_taken', '/docs/errors/booking_unavailable#what-happened'],
  ['wrong_environment', '/docs/errors/invalid_api_key#what-happened'],
  ['rate_limited', '/docs/errors/rate_limited'],
])('a search for the code or reason %s leads to the page that explains it', (query, url) => {
  expect(site.find(query)[0]?.url).toBe(url);
});

test('every section that the search can find is an anchor of its page', () => {
  const sections = PAGES.map((page) => [page.path, sectionsOf(twinOf(page, PAGES, DEPLOYMENT)).slice(1)] as const);
  const missing = sections.flatMap(([path, found]) =>
    found.filter(({ id }) => !mainOf(path).includes(` id="${id}"`)).map(({ id }) => `${path}#${id}`),
  );
  expect(sections.flatMap(([, found]) => found).length).toBeGreaterThan(PAGES.length);
  expect(missing).toEqual([]);
});

test.each([
  ['slot_takn', '/docs/errors/booking_unavailable'],
  ['rate_lim', '/docs/errors/rate_limited'],
  ['reservations', '/docs/reference/createBooking'],
  ['bokoing', '/docs/reference/createBooking'],
  ['key rot', '/docs/contract#b10-keys'],
  ['rate limited', '/docs/errors/rate_limited'],
])('a search for "%s", with a typo, a synonym, or the beginning of a word, finds %s', (query, url) => {
  expect(site.find(query)[0]?.url).toMatch(url);
});

test('a query is searched up to its limits of characters and words', () => {
  expect(site.find(`${'?'.repeat(99)}zzqqxxvv`)).toEqual(site.find('z'));
  expect(site.find(`${'zzqqxxvv '.repeat(8)} webhook`)).toEqual([]);
  for (const word of ['constructor', '__proto__']) expect(site.find(word).length, word).toBeLessThan(20);
});

test.each([
  ['DST', '/docs/guides/time-zones'],
  ['loopback', '/docs/quickstart#4-'],
])('a search for the synonym %s leads to the page that explains it', (query, url) => {
  expect(site.find(query)[0]?.url).toMatch(url);
});

test('a search query is shown as text, never as markup, and an empty one finds nothing', () => {
  const { text } = site.results('"><zzqqxx zzqqyy=zz>');
  expect(text).not.toContain('<zzqqxx');
  expect(text).toContain('value="&quot;&gt;&lt;zzqqxx zzqqyy=zz&gt;"');
  expect(text).toContain('No section contains any of these words');
  expect(
    /<main[\s\S]*<\/main>/
      .exec(site.results('').text)?.[0]
      .replaceAll(/<[^>]*>/g, '')
      .trim(),
  ).toBe('Search');
});
