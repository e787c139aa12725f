import { expect, test } from 'vitest';
import { FILE_PATHS } from '@/lib/contract/docs/files';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test('every file of the documentation is served as text', async () => {
  const check = async (path: string) => {
    const response = await fetch(origin + path);
    expect([response.status, response.headers.get('x-content-type-options')], path).toEqual([200, 'nosniff']);
    expect(response.headers.get('content-type'), path).toMatch(
      /^(text\/(plain|markdown)|application\/(json|atom\+xml)); charset=utf-8$/,
    );
    expect((await response.text()).length, path).toBeGreaterThan(100);
  };
  await Promise.all([...FILE_PATHS].map(check));
});

test('the doc_url of an API error leads to the page of its code, and a search is found by its address', async () => {
  const refused = await fetch(`${origin}/api/partner/v1/catalog`);
  const { error } = (await refused.json()) as { error: { doc_url: string; code: string } };
  const page = await fetch(origin + new URL(error.doc_url).pathname);
  expect(page.status).toBe(200);
  expect(/<h1[^>]*>(.*?)<\/h1>/.exec(await page.text())?.[1]).toContain(error.code);
  const found = await (await fetch(`${origin}/docs/search?q=daylight%20saving`)).text();
  expect(/class="found"[\s\S]*?href="([^"]+)"/.exec(found)?.[1]).toMatch('/docs/guides/time-zones');
});
