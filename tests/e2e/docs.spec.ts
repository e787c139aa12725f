import { expect, type Page } from '@playwright/test';
import { PAGES } from '@/lib/contract/docs/pages';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';
import { SOAK } from '@/tests/support/soak';

/**
 * One page of each kind. `npm run test:soak` opens all. A unit test checks the links of all pages.
 */
const SAMPLES = [
  '/docs',
  '/docs/quickstart',
  '/docs/guides/clients',
  '/docs/reference/createBooking',
  '/docs/errors',
  '/docs/errors/booking_unavailable',
];

/**
 * Returns a list of a page's problems: requests outside /docs, script errors, and console errors, such as violations of
 * the content security policy.
 */
function watch(page: Page): string[] {
  const problems: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(at('/docs'))) problems.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return problems;
}

async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, page.url()).toBeLessThanOrEqual(0);
}

test('tabs show one language, work by keyboard, and change all groups of all pages together', async ({ page }) => {
  await page.goto(at('/docs/guides/webhooks'));
  const tabs = page.locator('.tabs');
  const shown = tabs.locator('figcaption:visible');
  await expect(shown).toHaveText(['client.ts']);
  await tabs.getByRole('radio', { name: 'TypeScript' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(shown).toHaveText(['webhook.py']);
  await page.goto(at('/docs/guides/clients'));
  await expect(shown).toHaveText(['partner.py', 'book.py']);
  await page.getByText('Go', { exact: true }).last().click();
  await expect(shown).toHaveText(['partner.go', 'book.go']);
  await page.goto(at('/docs/reference/createBooking'));
  await expect(shown).toHaveText(['Go']);
  await page.getByText('Shell', { exact: true }).first().click();
  // A language that a page lacks changes nothing there.
  await page.goto(at('/docs/guides/clients'));
  await expect(shown).toHaveText(['partner.py', 'book.ts']);
  await expectAccessible(page);
});

testLooks('pages are accessible, fit, and load nothing else without an error', async (page) => {
  const problems = watch(page);
  for (const path of SOAK ? PAGES.map(({ path }) => path) : SAMPLES) {
    await page.goto(at(path));
    await lookAt(page, `docs${path.slice(5).replaceAll('/', '-')}`);
  }
  expect(problems).toEqual([]);
  expect((await page.goto(at('/docs/errors/no_such_code')))?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await lookAt(page, 'docs-not-found');
});

test('without script, pages are complete and the search has its own page', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(at('/docs/quickstart'));
  await expect(page.getByText('export API=').first()).toContainText(`export API=${at('/api/partner/v1')}`);
  await page.getByRole('searchbox').fill('slot_taken');
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(at('/docs/search?q=slot_taken'));
  await page
    .getByRole('main')
    .getByRole('link', { name: /booking_unavailable/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('booking_unavailable');
  await context.close();
});

test('the search shows results while typing, works by keyboard alone, and closes with Escape', async ({ page }) => {
  const problems = watch(page);
  await page.goto(at('/docs'));
  await page.keyboard.press('/');
  await page.keyboard.type('slot_taken');
  const box = page.getByRole('searchbox');
  const links = page.locator('#found a');
  await expect(links.first()).toHaveText('booking_unavailable: What happened');
  await expectAccessible(page);
  await box.press('ArrowDown');
  await expect(links.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(box).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(links.last()).toBeFocused();
  await box.focus();
  await page.keyboard.press('Escape');
  await expect(links).toHaveCount(0);
  // Escape has cleared the search field, so the next query can be typed.
  await page.keyboard.type('idempotency uncertain');
  await expect(links.first()).toContainText('When the outcome is uncertain');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at('/docs/guides/idempotency#when-the-outcome-is-uncertain'));
  expect(problems).toEqual([]);
});

test('the navigation shows the entry of the page, a narrow page fits, and a printed page cuts off no code', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(at('/docs/errors/service_unavailable'));
  await expect(page.locator('#contents [aria-current]')).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(at('/docs/contract#b7-booking'));
  await expect(page.getByRole('heading', { name: 'B7. Booking' })).toBeInViewport();
  await expectNoSidewaysScroll(page);
  for (const path of ['/docs/errors/booking_unavailable', '/docs/guides/testing']) {
    await page.goto(at(path));
    const names = page.locator('code.whole');
    const lines = await names.evaluateAll((all) => all.filter((one) => one.getClientRects().length > 1).length);
    expect([await names.count(), lines], path).toEqual([expect.any(Number), 0]);
    const wide = await page
      .locator('.scroll')
      .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth));
    expect(wide, path).toEqual([]);
  }
  await page.goto(at('/docs/quickstart'));
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('pre').first()).toHaveCSS('white-space', 'pre-wrap');
  await expect(page.locator('.code button').first()).toBeHidden();
});
