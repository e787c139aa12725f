import { type Element, Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { servedFile } from '@/lib/contract/docs/files';
import { docsSite } from '@/lib/contract/docs/site';

const ATOM = 'http://www.w3.org/2005/Atom';
const ID = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DEPLOYMENT = { origin: 'https://host.example', environment: 'TEST', keyPrefix: 'pbk_test_' } as const;

const feedAt = (origin: string) => {
  const file = servedFile('/docs/changelog.atom', { ...DEPLOYMENT, origin });
  expect(file?.type).toBe('application/atom+xml; charset=utf-8');
  const document = new new Window().DOMParser().parseFromString(file?.text ?? '', 'application/xml');
  return { text: file?.text ?? '', feed: document.documentElement };
};

test('the feed of the changelog is Atom: every element that RFC 4287 requires, once, and every link absolute', () => {
  const { feed, text } = feedAt(DEPLOYMENT.origin);
  expect([feed.localName, feed.namespaceURI]).toEqual(['feed', ATOM]);
  const own = (parent: Element, name: string) => [...parent.children].filter((one) => one.localName === name);
  const entries = own(feed, 'entry');
  expect(entries.length).toBeGreaterThan(3);
  for (const part of [feed, ...entries]) {
    for (const name of ['id', 'title', 'updated']) expect(own(part, name).length, name).toBe(1);
    expect(own(part, 'id')[0]?.textContent).toMatch(ID);
    expect(own(part, 'updated')[0]?.textContent).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/);
  }
  expect(own(feed, 'author').map((one) => own(one, 'name').length)).toEqual([1]);
  const links = own(feed, 'link').map((one) => [one.getAttribute('rel'), one.getAttribute('href')]);
  expect(links).toEqual([
    ['self', 'https://host.example/docs/changelog.atom'],
    ['alternate', 'https://host.example/docs/changelog'],
  ]);
  expect(own(feed, 'updated')[0]?.textContent).toBe(own(entries[0] ?? feed, 'updated')[0]?.textContent);
  const page = docsSite(DEPLOYMENT).page('/docs/changelog').text;
  for (const entry of entries) {
    const [, anchor = ''] = own(entry, 'link')[0]?.getAttribute('href')?.split('#') ?? [];
    expect(page).toContain(`id="${anchor}"`);
    const [content] = own(entry, 'content');
    expect(content?.getAttribute('type')).toBe('html');
    expect(content?.textContent).toMatch(/<li>/);
    expect(content?.textContent).not.toMatch(/href="(?!https:)|\{\{/);
  }
  expect(text.match(/<(?:\?xml|feed|\/feed)\b/g)).toEqual(['<?xml', '<feed', '</feed']);
});

test('an id is that of its day: it depends neither on the host nor on later days', () => {
  const idsOf = (origin: string) => [...feedAt(origin).text.matchAll(/<id>(.*)<\/id>/g)].map(([, id]) => id);
  const ids = idsOf(DEPLOYMENT.origin);
  expect(new Set(ids).size).toBe(ids.length);
  expect(idsOf('http://other.example:3000')).toEqual(ids);
  expect(ids.at(-1)).toBe('urn:uuid:4f0c6a52-8d0e-4b61-9a2c-000020261121');
});

test('every page links the feed, and so does llms.txt', () => {
  const link = '<link rel="alternate" type="application/atom+xml" title="Changelog" href="/docs/changelog.atom">';
  for (const path of ['/docs', '/docs/changelog', '/docs/reference/readMe'])
    expect(docsSite(DEPLOYMENT).page(path).text).toContain(link);
  expect(servedFile('/docs/llms.txt', DEPLOYMENT)?.text).toContain('(https://host.example/docs/changelog.atom)');
});
