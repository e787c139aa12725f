import { expect, type Page } from '@playwright/test';
import { test } from '@/tests/support/browser-test';
import { makeBusyControlCenter } from '@/tests/support/busy-control-center';
import { at, callWith, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';

const WIDTHS = [320, 390, 768, 1024, 1200, 1440];

/** Asserts, at every width, that no table is wider than its frame and that the page does not scroll sideways. */
async function expectNothingOutOfSight(page: Page, path: string): Promise<void> {
  await page.goto(at(path));
  const tables = page.getByRole('main').getByRole('table');
  await expect(tables.first()).toBeVisible();
  // Waits until rows have replaced the placeholders.
  await expect(page.locator('tbody tr:not([aria-hidden])').first()).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const hidden = () =>
      tables.evaluateAll((all) =>
        all.map((table) => (table.parentElement?.scrollWidth ?? 0) - (table.parentElement?.clientWidth ?? 0)),
      );
    await expect.poll(async () => Math.max(...(await hidden())), `${path} at ${width}`).toBeLessThanOrEqual(0);
    const aside = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(aside, `${path} at ${width}`).toBeLessThanOrEqual(0);
    // On narrow screens, all tables are stacked. At 1440 px, only the tables on the Keys and Audit pages are
    // stacked, because of long names.
    if (width === 1440 && !/keys|audit/.test(path)) {
      await expect(tables.first(), path).not.toHaveAttribute('data-stacked');
    }
    await screenshot(page, `narrow${path.replaceAll(/[/?=]/g, '-')}-${width}`);
  }
}

test('no table hides a column on a narrow screen', async ({ page }) => {
  test.slow();
  const busy = await makeBusyControlCenter();
  await signIn(page, busy.owner, null);
  for (const path of ['/applications', `/applications/${busy.applicationId}/keys`, '/requests', '/team', '/audit']) {
    await expectNothingOutOfSight(page, path);
  }
});

test('no bookings or catalog table hides a column on a narrow screen', async ({ page }) => {
  test.slow();
  const house = await makeHouse();
  await book(house, '10:00', 'narrow');
  await signIn(page, house.owner, null);
  for (const path of ['/bookings', '/catalog', '/catalog/specialists', '/catalog/locations']) {
    await expectNothingOutOfSight(page, path);
  }
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(at('/catalog/transfer'));
  await expect(page.getByRole('link', { name: 'Import and export' })).toBeInViewport({ ratio: 0.9 });
});

test('nothing on an application page moves while data loads, on wide and narrow screens', async ({ page }) => {
  const { owner, applicationId, key } = await makeHouse();
  await callWith(key);
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        Object.assign(window, { moved: (window as unknown as { moved: number }).moved + entry.value });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await signIn(page, owner);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const part of ['', '/keys', '/webhook']) {
      await page.goto(at(`/applications/${applicationId}${part}`));
      await expect(page.getByText('Active', { exact: true }).first()).toBeVisible();
      await page.waitForLoadState('networkidle');
      const moved = await page.evaluate(() => (window as unknown as { moved: number }).moved);
      expect(moved, `${part} at ${width}`).toBeLessThan(0.02);
    }
  }
});
