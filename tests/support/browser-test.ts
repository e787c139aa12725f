import { type BrowserContext, test as base } from '@playwright/test';

/**
 * As Playwright's `test`, except that all tests of a worker share one browser context, so that the browser loads and
 * compiles the scripts of the pages once. After each test, its pages are closed and what it stored is deleted.
 */
export const test = base.extend<object, { shared: BrowserContext }>({
  shared: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ reducedMotion: 'reduce' });
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

/** A page of the context stays open, because a context without pages may drop what it has cached. */
async function emptyAll(context: BrowserContext): Promise<void> {
  await context.setOffline(false);
  await context.clearPermissions();
  const last = await context.newPage();
  await Promise.all(context.pages().map((page) => (page === last ? null : page.close())));
  const client = await context.newCDPSession(last);
  const origins = new Set([process.env.E2E_ORIGIN ?? '']);
  for (const origin of origins)
    await client.send('Storage.clearDataForOrigin', { origin, storageTypes: 'local_storage' });
  await last.close();
  await context.clearCookies();
}
