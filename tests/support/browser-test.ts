import { type BrowserContext, test as base } from '@playwright/test';

/**
 * As Playwright's `test`, except that all tests of a worker share one browser context, so that the browser loads and
 * compiles the scripts of the pages once. After each test, its pages are closed and what it stored is deleted.
 */
export const test = base.extend<object, { shared: BrowserContext }>({
  shared: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
      // It stays open, because a context without pages may drop what it has cached.
      await context.newPage();
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  context: async ({ shared }, use) => {
    await use(shared);
    await emptyAll(shared);
  },
});

async function emptyAll(context: BrowserContext): Promise<void> {
  await context.setOffline(false);
  await context.clearPermissions();
  const [blank, ...pages] = context.pages();
  await Promise.all(pages.map((page) => page.close()));
  if (!blank) throw new Error('a test has closed the blank page');
  const client = await context.newCDPSession(blank);
  const origin = process.env.E2E_ORIGIN ?? '';
  await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await client.detach();
  await context.clearCookies();
}
