import { expect, type Page } from '@playwright/test';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { at, callWith, makeHouse, signIn } from '@/tests/support/e2e';
import { lookThrough, type Scene, testLooks } from '@/tests/support/look';

const shows = (text: string | RegExp) => (page: Page) => expect(page.getByText(text).first()).toBeVisible();

const SCENES: readonly Scene<string>[] = [
  {
    name: 'requests-figures',
    path: () => '/requests?period=custom&from=2026-01-01T00:00:00.000Z&to=2100-01-01T00:00:00.000Z',
    open: async (page) => {
      await shows('3 of 3')(page);
      await page.getByText('Show as table').click();
    },
  },
  {
    name: 'requests-secret',
    path: () => '/requests?code=rate_limited',
    open: async (page) => {
      await shows('No matching results')(page);
      await page.getByRole('textbox', { name: /^Request ID/ }).fill('pbk_test_0');
      await page.getByRole('button', { name: 'Find' }).click();
    },
  },
  { name: 'request', path: (id) => `/requests/${id}`, open: shows('Why this request was refused') },
];

testLooks('requests are accessible', async (page) => {
  const { owner, key, applicationId } = await makeHouse({ scopes: ['catalog.read'] });
  await callWith(key);
  for (const path of ['/nothing', '/availability']) {
    await fetch(at(BASE_PATH + path), { headers: { authorization: `Bearer ${key}` } });
  }
  await expect.poll(() => db().requestLog.count({ where: { applicationId } })).toBe(3);
  const refused = await db().requestLog.findFirstOrThrow({ where: { applicationId, code: 'insufficient_scope' } });
  await signIn(page, owner, null);
  await lookThrough(page, refused.requestId, SCENES);
});
