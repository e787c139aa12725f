import { expect, type Page, test } from '@playwright/test';
import { FILE_PATHS } from '@/lib/contract/docs/files';
import { PAGES } from '@/lib/contract/docs/pages';
import { ROOT_PATHS } from '@/lib/contract/docs/root-paths';
import { at, expectAccessible } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';
import { SOAK } from '@/tests/support/soak';

/**
 * One page of each kind. `lookAt` checks these pages in both color schemes and at both widths. Another test visits
 * every page once.
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

test('every page exists, has one h1, and links only to existing pages and anchors', async ({ page }) => {
  // The timeout is long, because the test visits more than thirty pages.
  test.setTimeout(300_000);
  const problems = watch(page);
  const links = new Set<string>();
  const anchors = new Set<string>();
  const descriptions = new Set<string>();
  for (const { path } of PAGES) {
    const response = await page.goto(at(path));
    expect(response?.status(), path).toBe(200);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    for (const id of await page.locator('main [id]').evaluateAll((all) => all.map(({ id }) => id))) {
      anchors.add(`${path}#${id}`);
    }
    const hrefs = await page.locator('a').evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).href));
    for (const href of hrefs) if (href.startsWith(at(''))) links.add(href.slice(at('').length));
    expect(await page.locator('main').textContent(), path).not.toMatch(/\{\{\w|(?<!\| )undefined|\[object/);
    const description = await page.locator('meta[name=description]').getAttribute('content');
    expect(description?.length, path).toBeGreaterThan(50);
    descriptions.add(description ?? '');
    // `npm test` checks the accessibility of one page of each kind, in `SAMPLES`.
    if (SOAK) await expectAccessible(page);
  }
  expect(descriptions.size).toBe(PAGES.length);
  const known = new Set([...PAGES.map(({ path }) => path), ...FILE_PATHS, ...ROOT_PATHS]);
  for (const link of links) {
    const [path = '', anchor] = link.split('#');
    expect(known.has(path) || path === '/docs/openapi.json', link).toBe(true);
    if (anchor && !['main', 'contents'].includes(anchor)) expect(anchors.has(link), link).toBe(true);
  }
  expect(problems).toEqual([]);
});

test('every file of the documentation is served as text', async () => {
  for (const path of FILE_PATHS) {
    const response = await fetch(at(path));
    expect([response.status, response.headers.get('x-content-type-options')], path).toEqual([200, 'nosniff']);
    expect(response.headers.get('content-type'), path).toMatch(
      /^(text\/(plain|markdown)|application\/(json|atom\+xml)); charset=utf-8$/,
    );
    expect((await response.text()).length, path).toBeGreaterThan(100);
  }
});

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

testLooks('pages are accessible and fit', async (page) => {
  for (const path of SAMPLES) {
    await page.goto(at(path));
    await lookAt(page, `docs${path.slice(5).replaceAll('/', '-')}`);
  }
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
  await page.keyboard.type('idempotency uncertain');
  const first = page.locator('#found a').first();
  await expect(first).toContainText('When the outcome is uncertain');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(first).toHaveCount(0);
  // Escape has cleared the search field, so the next query can be typed.
  await page.keyboard.type('idempotency uncertain');
  await expect(first).toContainText('When the outcome is uncertain');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at('/docs/guides/idempotency#when-the-outcome-is-uncertain'));
  expect(problems).toEqual([]);
});

test('a search query is shown as text, never as markup', async ({ page }) => {
  const problems = watch(page);
  const typed = '"><img src=x onerror=alert(1)>';
  await page.goto(at(`/docs/search?q=${encodeURIComponent(typed)}`));
  await expect(page.getByRole('searchbox')).toHaveValue(typed);
  await expect(page.locator('img')).toHaveCount(0);
  await expect(page.getByText('No section contains any of these words')).toBeVisible();
  expect(problems).toEqual([]);
});

test('an unknown page is a 404 with links to the documentation', async ({ page }) => {
  const response = await page.goto(at('/docs/errors/no_such_code'));
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Page not found');
  await expectAccessible(page);
});

test('the doc_url of an API error leads to the page of its code', async ({ page }) => {
  const refused = await fetch(at('/api/partner/v1/catalog'));
  const { error } = (await refused.json()) as { error: { doc_url: string; code: string } };
  await page.goto(error.doc_url);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(error.code);
});

test('the arrow keys move through the search results and wrap around', async ({ page }) => {
  await page.goto(at('/docs'));
  const box = page.getByRole('searchbox');
  await box.fill('slot_taken');
  const links = page.locator('#found a');
  await expect(links.first()).toHaveText('booking_unavailable: What happened');
  await box.press('ArrowDown');
  await expect(links.first()).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(links.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(box).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(links.last()).toBeFocused();
});

test('codes, reasons, and synonyms lead to the page that explains them', async ({ page }) => {
  const first = async (query: string) => {
    await page.goto(at(`/docs/search?q=${encodeURIComponent(query)}`));
    return page.locator('.found a').first().getAttribute('href');
  };
  expect(await first('slot_taken')).toBe('/docs/errors/booking_unavailable#what-happened');
  expect(await first('wrong_environment')).toBe('/docs/errors/invalid_api_key#what-happened');
  expect(await first('rate_limited')).toBe('/docs/errors/rate_limited');
  expect(await first('daylight saving')).toMatch('/docs/guides/time-zones');
  expect(await first('DST')).toMatch('/docs/guides/time-zones');
  expect(await first('loopback')).toMatch('/docs/quickstart#4-');
  await page.goto(at('/docs/search?q='));
  await expect(page.getByRole('main')).toHaveText('Search');
});

test('the navigation shows the entry of the page, also at its end', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 700 });
  await page.goto(at('/docs/errors/service_unavailable'));
  await expect(page.locator('#contents [aria-current]')).toBeInViewport({ ratio: 1 });
  expect(await page.evaluate(() => scrollY)).toBe(0);
});

test('a narrow page breaks no short name, and a printed page cuts off no code', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  const pages = ['/docs/errors/booking_unavailable', '/docs/errors', '/docs/guides/support', '/docs/guides/testing'];
  for (const path of pages) {
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

test('a link to a section of the contract shows that section, and the page fits a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(at('/docs/contract#b7-booking'));
  await expect(page.getByRole('heading', { name: 'B7. Booking' })).toBeInViewport();
  await expectNoSidewaysScroll(page);
});

test('error pages show headers: Allow with 405, Retry-After with 429', async ({ page }) => {
  await page.goto(at('/docs/reference/createBooking'));
  await expect(page.getByRole('row', { name: /^405 invalid_request .*Allow/ })).toBeVisible();
  await page.goto(at('/docs/errors/rate_limited'));
  await expect(page.locator('pre', { hasText: 'Retry-After: 12' })).toContainText('X-RateLimit-Remaining: 0');
  await page.goto(at('/docs/errors/booking_unavailable'));
  await expect(page.locator('pre')).toContainText('"reason": "slot_taken"');
});
