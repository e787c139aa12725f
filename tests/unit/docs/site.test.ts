import { expect, test } from 'vitest';
import type { Deployment } from '@/lib/contract/docs/deployment';
import { FILE_PATHS, servedFile } from '@/lib/contract/docs/files';
import type { LiveExample } from '@/lib/contract/docs/live-example';
import { plainText, renderMarkdown } from '@/lib/contract/docs/markdown';
import { PAGES } from '@/lib/contract/docs/pages';
import { openApi } from '@/lib/contract/docs/reference';
import { ROOT_PATHS } from '@/lib/contract/docs/root-paths';
import { docsSite } from '@/lib/contract/docs/site';
import { firstTabs, twinPath } from '@/lib/contract/docs/twin';
import { OPERATIONS } from '@/lib/contract/operations';

const DEPLOYMENT: Deployment = { origin: 'https://host.example', environment: 'TEST', keyPrefix: 'pbk_test_' };
const site = docsSite(DEPLOYMENT);

const textOf = (path: string) => servedFile(path, DEPLOYMENT)?.text ?? '';

test.each([
  ['daylight saving', '/docs/guides/time-zones'],
  ['daylight savings', '/docs/guides/time-zones'],
  ['timezone', '/docs/guides/time-zones'],
  ['pagination', '/docs/guides/paging'],
  ['paging', '/docs/guides/paging'],
  ['rate limit', '/docs/guides/rate-limits'],
  ['throttling', '/docs/guides/rate-limits'],
  ['retries with jitter', '/docs/guides/idempotency#retries-with-jitter'],
  ['concurrent duplicate', '/docs/guides/idempotency#what-a-repeated-key-does'],
  ['hmac', '/docs/guides/webhooks'],
  ['sandbox', '/docs/guides/environments'],
  ['deprecation', '/docs/guides/versions#deprecation'],
  ['consent refused', '/docs/guides/going-live#writes'],
  ['postman', '/docs'],
  ['double booking', '/docs/guides/questions#can-a-double-booking-happen'],
  ['overbooking', '/docs/guides/questions#can-a-double'],
  ['SDK', '/docs/guides/questions#sdks-and-packages'],
  ['polling', '/docs/guides/questions#webhooks-or-polling'],
  ['refund', '/docs/guides/questions#payments-and-refunds'],
  ['GDPR', '/docs/guides/questions#data-protection-and-gdpr'],
  ['MCP', '/docs/guides/agents'],
  ['idempotncy', '/docs/guides/idempotency'],
  ['idempotnecy retries', '/docs/guides/idempotency'],
  ['webhok retries', '/docs/guides/webhooks#retries'],
  ['hold', '/docs/guides/questions#can-i-hold-or-reserve-a-slot'],
  ['java', '/docs/guides/clients'],
  ['keep-alive', '/docs/guides/questions#keep-alive-and-timeouts'],
  ['Who tells the customer?', '/docs#who-tells-the-customer'],
  ['cancel zzqqxx', '/docs/'],
])('a search for "%s" finds the page that explains it', (query, url) => {
  const [first] = site.find(query);
  expect(first?.url.startsWith(url), first?.url).toBe(true);
});

test('a search for nothing that a page contains finds nothing, in bounded time', () => {
  expect(site.find('zzqqxxvv')).toEqual([]);
  expect(site.find(' ? ')).toEqual([]);
  const start = performance.now();
  site.find(Array.from({ length: 20 }, (_, i) => `xqz${i}vwk`).join(' '));
  expect(performance.now() - start).toBeLessThan(1_000);
});

test.each([
  ['/docs/QUICKSTART', '/docs/quickstart'],
  ['/docs/openapi.yaml', '/docs/openapi.json'],
  ['/docs/guides/webhook', '/docs/guides/webhooks'],
  ['/docs/createBooking', '/docs/reference/createBooking'],
  ['/docs/samples/receiver.py', '/docs/guides/webhooks'],
  ['/docs/authentication', '/docs'],
])('the 404 of %s guesses %s', (path, guess) => {
  const { status, text } = site.page(path);
  expect(status).toBe(404);
  const [, list = ''] = /Did you mean:<\/p><ul>(.*?)<\/ul>/s.exec(text) ?? [];
  expect(list).toContain(`href="${guess}`);
  expect(site.page('/docs/<script>').text).not.toContain('<script>');
});

test('the excerpts of a search start and end at the bounds of words', () => {
  const words = new Set(PAGES.flatMap(({ body }) => plainText(body(DEPLOYMENT).text).split(' ')));
  const excerpts = ['booking', 'key', 'signature', 'daylight']
    .flatMap((query) => site.find(query))
    .map((one) => one.excerpt);
  const ends = excerpts.filter(Boolean).flatMap((excerpt) => {
    const parts = excerpt.split(' ').filter((part) => part !== '…');
    return [parts[0] ?? '', parts.at(-1) ?? ''];
  });
  expect(ends.length).toBeGreaterThan(50);
  expect(ends.filter((word) => !words.has(word))).toEqual([]);
});

/** Returns the words of HTML in their order, without punctuation. */
const wordsOf = (markup: string) => plainText(markup).match(/[\p{L}\p{N}_]+/gu) ?? [];

test.each(PAGES.map((page) => [page.path, page] as const))('the Markdown twin of %s has all its words', (_, page) => {
  const twin = textOf(twinPath(page.path));
  expect(twin).toMatch(/^# \S/);
  expect(twin).not.toMatch(/<\/?(p|table|tr|td|h[1-6]|div|figure|span|code|a)\b|\{\{\w/);
  if (page.source) return;
  const own = firstTabs(page.body({ ...DEPLOYMENT, environment: 'LIVE' }).text);
  expect(wordsOf(renderMarkdown(twin).text.replaceAll(/<figcaption>.*?<\/figcaption>/g, ''))).toEqual(
    wordsOf(own.replaceAll(/<figcaption>.*?<\/figcaption>/g, '')),
  );
});

test.each(OPERATIONS)('the page of $id links guides by their titles, and names every kind of 429', ({ id }) => {
  const twin = textOf(`/docs/reference/${id}.md`);
  const [, list = ''] = /^Guides: (.+)$/m.exec(twin) ?? [];
  const links = [...list.matchAll(/\[([^\]]+)\]\(([^)]+)\.md\)/g)].map(([, title, path]) => [path, title]);
  expect(links).not.toEqual([]);
  expect(PAGES.map(({ path, title }) => [path, title])).toEqual(expect.arrayContaining(links));
  const waiting = id === 'sendTestEvent' ? ', or ten test events are already waiting' : '';
  expect(twin).toContain(
    `\`null\` (the application's quota or the limit of the business is exceeded${waiting}), \`failed_authentication\` |`,
  );
});

test('the page of a create links the guide to testing, and that of a test event shows its empty body', () => {
  expect(textOf('/docs/reference/createBooking.md')).toContain('[Testing](/docs/guides/testing.md)');
  expect(textOf('/docs/reference/sendTestEvent.md')).toContain('An empty object, `{}`.');
});

test('the address of support is on its page and in the OpenAPI document, if one is set', () => {
  const contactOf = (support?: string) => {
    const deployment = { ...DEPLOYMENT, ...(support && { support }) };
    const page = servedFile('/docs/guides/support.md', deployment)?.text ?? '';
    return [/Send exactly this (.*):$/m.exec(page)?.[1], openApi(deployment).info.contact];
  };
  const own = 'https://host.example/docs/guides/support';
  expect(contactOf()).toEqual(['to the business, in the way that you agreed', { name: 'Support', url: own }]);
  expect(contactOf('help@booking.example')).toEqual([
    'to `help@booking.example`',
    { name: 'Support', email: 'help@booking.example' },
  ]);
  expect(contactOf('https://booking.example/help?to=api')).toEqual([
    'to `https://booking.example/help?to=api`',
    { name: 'Support', url: 'https://booking.example/help?to=api' },
  ]);
});

test('in TEST, the examples are of the sandbox, and a page says if the sandbox has no booking for them', () => {
  const times = (start_time: string) => ({
    date: '2026-12-30',
    start_time,
    end_time: '12:00',
    starts_at: `2026-12-30T${start_time}:00+01:00`,
    ends_at: '2026-12-30T12:00:00+01:00',
  });
  const found = { reference: `pbr_${'a'.repeat(26)}`, version: 3, target: times('11:00') };
  const live: LiveExample = {
    ...{
      service_id: `svc_${'s'.repeat(26)}`,
      location_id: `loc_${'l'.repeat(26)}`,
      specialist_id: `spc_${'p'.repeat(26)}`,
    },
    ...{ time_zone: 'Europe/Berlin', price: null, change_deadline: '2026-12-29T09:00:00.000Z' },
    slots: [times('10:00'), times('10:30')],
    bookings: { read: found, cancel: null, reschedule: null, owner: null },
  };
  const page = (id: string) => servedFile(`/docs/reference/${id}.md`, { ...DEPLOYMENT, live })?.text ?? '';
  expect(page('readBooking')).toContain(`/bookings/${found.reference}"`);
  expect(page('digestBookings')).toContain('?from=2026-12-30&to=2026-12-30');
  expect(page('listBookings')).toContain('`2026-12-09T09:00:00.000Z`');
  expect(page('listEvents')).toMatch(/\| `after` query .* `0` \|/);
  const isMissing = OPERATIONS.filter(({ id }) => page(id).includes('no booking for this example yet'));
  expect(isMissing.map(({ id }) => id)).toEqual(['cancelBooking', 'rescheduleBooking']);
});

test('llms.txt lists the twin of every page, and only files that exist', () => {
  const text = textOf('/docs/llms.txt');
  const links = [...text.matchAll(/\]\(https:\/\/host\.example([^)]+)\)/g)].map(([, path = '']) => path);
  expect(links).toEqual(expect.arrayContaining(PAGES.map(({ path }) => twinPath(path))));
  const known = new Set([...FILE_PATHS, ...ROOT_PATHS, '/docs/openapi.json']);
  expect(links.filter((path) => !known.has(path))).toEqual([]);
});

const unindented = (text: string) => text.replaceAll(/^ +/gm, '');

test('downloads have no markers of regions, and a page shows a whole file or the address of it', () => {
  const code = FILE_PATHS.filter((path) => path === '/docs/client.ts' || path.startsWith('/docs/samples/'));
  expect(code.length).toBeGreaterThan(10);
  expect(code.filter((path) => /^\W*(end)?region\b/m.test(textOf(path)))).toEqual([]);
  expect(textOf('/docs/samples/partner.go')).not.toContain('\n\n\n');
  expect(textOf('/docs/samples/partner.py')).toContain('\n\n    def call(');
  const pages = ['/docs/guides/webhooks', '/docs/guides/idempotency', '/docs/guides/clients'].map((path) =>
    textOf(twinPath(path)),
  );
  const blocks = pages.flatMap((text) => [...text.matchAll(/^```\w+ (\S+) tab\n([\s\S]*?)^```$/gm)]);
  expect(blocks.length).toBeGreaterThan(10);
  for (const [, name = '', text = ''] of blocks) {
    const path = name === 'client.ts' ? '/docs/client.ts' : `/docs/samples/${name}`;
    const shown = text.replace(`Excerpt. The whole file: ${path}`, '');
    if (shown === text) expect(text.trim()).toBe(textOf(path).trim());
    else expect(unindented(textOf(path))).toContain(unindented(shown.slice(shown.indexOf('\n'))).trim());
  }
});

test('the quickstart and the guide to testing state what is true in this environment', () => {
  const textIn = (environment: 'TEST' | 'LIVE', path: string, otherUrl?: string) =>
    servedFile(path, { ...DEPLOYMENT, environment, otherUrl })?.text ?? '';
  const [quickstart, testing] = ['/docs/quickstart.md', '/docs/guides/testing.md'];
  expect(textIn('TEST', quickstart)).toContain('unchanged against this environment, **TEST**');
  expect(textIn('TEST', quickstart)).not.toContain('real bookings');
  expect(textIn('LIVE', quickstart)).not.toContain('unchanged against');
  expect(textIn('LIVE', quickstart)).toContain('make real bookings');
  expect(textIn('LIVE', quickstart)).toContain('[TEST](/docs/guides/environments');
  const linked = textIn('LIVE', quickstart, 'https://test.example/');
  expect(linked).toContain('[TEST](https://test.example/docs/quickstart');
  expect(textIn('TEST', testing)).toContain('The console **Try it** on that page');
  expect(textIn('LIVE', testing)).not.toContain('The console **Try it** on that page');
});
