import { expect, type Page } from '@playwright/test';
import { test } from '@/tests/support/browser-test';
import { makeBusyControlCenter } from '@/tests/support/busy-control-center';
import { at, go, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import {
  countMoves,
  lookAt,
  lookInBothSchemes,
  lookThrough,
  movesOf,
  type Scene,
  testLooks,
} from '@/tests/support/look';
import { SOAK } from '@/tests/support/soak';
import { shownKey } from '@/tests/support/steps';

type Busy = Awaited<ReturnType<typeof makeBusyControlCenter>>;

const isLong = SOAK || process.env.SCREENSHOTS === '1';
const WIDTHS = isLong ? [320, 390, 768, 1024, 1200, 1440] : [320, 1024, 1440];

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const shows = (text: string | RegExp) => (page: Page) => expect(page.getByText(text).first()).toBeVisible();

/** Asserts, at every width, that no table is wider than its frame and that the page does not scroll sideways. */
async function expectNothingOutOfSight(page: Page): Promise<void> {
  const { pathname: path } = new URL(page.url());
  const tables = page.getByRole('main').getByRole('table');
  const before = page.viewportSize();
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
  if (before) await page.setViewportSize(before);
}

const keys = ({ applicationId }: Busy) => `/applications/${applicationId}/keys`;

/** No page was drawn for these names. */
const SCENES: readonly Scene<Busy>[] = [
  { name: 'busy-overview', path: null, open: shows('Rotate key Night batch') },
  { name: 'busy-webhooks', path: () => '/webhooks', open: shows('4 endpoints') },
  { name: 'busy-team', path: () => '/team', open: expectNothingOutOfSight },
  { name: 'busy-audit', path: () => '/audit', open: expectNothingOutOfSight },
  {
    name: 'busy-resume',
    path: ({ suspendedId }) => `/applications/${suspendedId}`,
    open: async (page) => {
      await shows(/^All keys of this application have been refused since/)(page);
      await press('Resume Concierge')(page);
    },
  },
  {
    name: 'busy-person-menu',
    path: () => '/requests?period=1h&live=1&status=error',
    open: async (page) => {
      await shows(/^\d+ of/)(page);
      await press(/^Signed in as/)(page);
    },
  },
  { name: 'busy-applications', path: () => '/applications', open: expectNothingOutOfSight },
  {
    name: 'busy-review',
    path: ({ longId }) => `/applications/${longId}`,
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('198.51.100.0/24');
      await page.getByRole('button', { name: 'Review changes' }).click();
      await expect(page.getByText(/^This change would/)).toBeVisible();
    },
  },
  {
    name: 'busy-keys',
    path: keys,
    open: async (page) => {
      await shows(/^expires in/)(page);
      await expectNothingOutOfSight(page);
    },
  },
  { name: 'busy-rotate', path: null, open: press(/^Rotate/) },
  { name: 'busy-revoke', path: null, open: press(/^Revoke/) },
  {
    name: 'busy-key-shown-once',
    path: null,
    open: async (page) => {
      await press('Issue key')(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Issue key' }).click();
      await expect(page.getByText('Enter a name')).toBeVisible();
      await dialog.getByLabel('Name').fill('Production server');
      await dialog.getByRole('button', { name: 'Issue key' }).click();
      await shownKey(page);
    },
  },
];

testLooks('pages and dialogs with names that no page was drawn for', async (page) => {
  const busy = await makeBusyControlCenter();
  await signIn(page, busy.owner);
  await lookThrough(page, busy, SCENES);
  await page.getByLabel('I have stored this key').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await expectNothingOutOfSight(page);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.getByRole('button', { name: 'Navigation' }).click();
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible();
  await lookInBothSchemes(page, 'navigation');
});

testLooks(
  'no bookings or catalog table hides a column on a narrow screen, and a list that cannot reach the server says so',
  async (page) => {
    const house = await makeHouse();
    await book(house, '10:00', 'narrow');
    await signIn(page, house.owner, '/bookings');
    await expectNothingOutOfSight(page);
    await page.getByRole('link', { name: 'Catalog', exact: true }).click();
    for (const [list, path] of [
      ['Services', '/catalog'],
      ['Specialists', '/catalog/specialists'],
      ['Locations', '/catalog/locations'],
    ] as const) {
      await page.getByRole('link', { name: list, exact: true }).click();
      await expect(page).toHaveURL(at(path));
      await expectNothingOutOfSight(page);
    }
    await page.setViewportSize({ width: 390, height: 800 });
    const transfer = page.getByRole('link', { name: 'Import and export' });
    await transfer.click();
    await expect(page.getByLabel('Catalog as JSON')).toBeVisible();
    await expect(transfer).toBeInViewport({ ratio: 0.9 });

    await page.setViewportSize({ width: 1440, height: 900 });
    await go(page, '/applications');
    await expect(page.getByRole('link', { name: 'Full access partner' }).first()).toBeVisible();
    // All calls fail, as if the network were lost. The page already has its initial data, so it makes no call until the
    // test changes a filter.
    await page.route('**/api/trpc/**', (route) => route.abort());
    await page.getByText('Suspended', { exact: true }).click();
    await expect(page.getByText('Cannot reach the server.').first()).toBeVisible();
    await lookAt(page, 'error-applications');
  },
);

test('nothing on an application page moves while data loads, on wide and narrow screens', async ({ page }) => {
  const { owner, applicationId } = await makeHouse();
  await countMoves(page);
  await signIn(page, owner, null);
  for (const [width, part] of [
    [390, ''],
    [390, '/webhook'],
    [1440, '/keys'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(at(`/applications/${applicationId}${part}`));
    await expect(page.getByText('Active', { exact: true }).first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await movesOf(page), `${part} at ${width}`).toBeLessThan(0.02);
  }
});
