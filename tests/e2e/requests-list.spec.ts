import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '@/tests/support/control-center';
import { at, expectAccessible, go, signIn } from '@/tests/support/e2e';
import { makeApplication, makeTenant } from '@/tests/support/factories';
import { countMoves, movesOf } from '@/tests/support/look';
import { ago, writeLines } from '@/tests/support/request-lines';

/**
 * Creates a tenant with two applications and signs in. Returns a function that writes log entries of the first
 * application.
 */
async function makeLog(page: Page) {
  const tenant = await makeTenant();
  const acme = await makeApplication(tenant.id, { name: 'Acme' });
  await makeApplication(tenant.id, { name: 'Bolt' });
  await signIn(page, await makePerson(tenant.id), null);
  const known = { tenant_id: tenant.id, application_id: acme.applicationId, key_id: acme.keyId };
  /** Writes `count` log entries, one second apart. The newest entry is `minutes` minutes old. */
  return async (count: number, { status = 200, code = null as string | null, minutes = 0 } = {}) => {
    await writeLines(Array.from({ length: count }, (_, n) => ({ ...known, at: ago(minutes * 60 + n), status, code })));
  };
}

const table = (page: Page) => page.getByRole('region', { name: 'Requests', exact: true });
const rows = (page: Page) => table(page).locator('tbody tr:not([aria-hidden])');

test('the URL holds the filters, and Back undoes them one by one', async ({ page }) => {
  const write = await makeLog(page);
  await write(3);
  await write(2, { status: 404, code: 'not_found', minutes: 5 });
  await page.goto(at('/requests'));
  await expect(rows(page)).toHaveCount(5);
  await page.getByLabel('Status').selectOption('4xx');
  await expect(rows(page)).toHaveCount(2);
  await expect(page).toHaveURL(/status=4xx/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file.split('\r\n')).toHaveLength(4);
  expect(file).toContain(',"404","GET","/api/partner/v1/catalog","not_found",');
  await expect(page.getByText('Exported.', { exact: true })).toBeVisible();
  const link = rows(page).first().getByRole('link');
  await expect(link).toHaveAccessibleName(/^\d+ min ago \w{3} \d+, \d\d:\d\d:\d\d ?, GET \/catalog, 404$/);
  // A row contains its time twice: as an age and as a timestamp. Only one of the two is visible. The hidden one has the
  // position `absolute`.
  const exact = link.locator('time').locator('..');
  await expect(exact).toHaveCSS('position', 'absolute');
  await link.hover();
  await expect(exact).toHaveCSS('position', 'static');
  await expect(link.getByText('ago')).toHaveCSS('position', 'absolute');
  await page.getByLabel('Application').selectOption({ label: 'Bolt' });
  await expect(page.getByRole('heading', { name: 'No matching results' })).toBeVisible();
  await page.goBack();
  await expect(rows(page)).toHaveCount(2);
  await page.goBack();
  await expect(rows(page)).toHaveCount(5);
  await page.reload();
  await page.getByLabel('Code').selectOption('not_found');
  await expect(rows(page)).toHaveCount(2);
  await saveView(page, 'Not found');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows(page)).toHaveCount(5);
  await views(page).click();
  await page.getByRole('menuitem', { name: 'Not found' }).click();
  await expect(page).toHaveURL(at('/requests?code=not_found'));
  await expect(rows(page)).toHaveCount(2);
  await changeViews(page);
});

const views = (page: Page) => page.getByRole('button', { name: /^View/ });

/** Saves the current filters as a view. */
async function saveView(page: Page, name: string) {
  await views(page).click();
  await page.getByRole('menuitem', { name: 'Save current filters' }).click();
  const dialog = page.getByRole('dialog', { name: 'Save current filters' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await page.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(views(page)).toHaveText(`View: ${name}`);
  await expect(views(page)).toBeFocused();
}

/** Renames and deletes the only view. */
async function changeViews(page: Page) {
  await views(page).click();
  await page.getByRole('menuitem', { name: 'Rename or delete views' }).click();
  const dialog = page.getByRole('dialog', { name: 'Rename or delete views' });
  await dialog.getByRole('button', { name: 'Rename Not found' }).click();
  await dialog.getByRole('textbox', { name: 'New name for Not found' }).fill('Missing');
  await page.keyboard.press('Enter');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Delete Missing' }).click();
  await expect(dialog.getByText('No saved views.')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(views(page)).toHaveText('Views');
  await expect(views(page)).toBeFocused();
}

test('nothing moves while rows load, the pager moves the focus to the table, and a breadcrumb returns to the filters', async ({
  page,
}) => {
  const write = await makeLog(page);
  await write(60, { status: 404, code: 'not_found' });
  await countMoves(page);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(at('/requests?status=4xx'));
    await expect(rows(page)).toHaveCount(50);
    await expect(page.getByText('50 of 60')).toBeVisible();
    expect(await movesOf(page)).toBeLessThan(0.01);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(rows(page)).toHaveCount(10);
  await expect(table(page)).toBeFocused();
  await expect(page.getByRole('link', { name: 'Older' })).toHaveCount(0);
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(rows(page)).toHaveCount(50);
  await expect(rows(page).first()).toBeInViewport();
  await page.goBack();
  await expect(rows(page)).toHaveCount(10);
  await rows(page).first().getByRole('link').first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Request');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Requests' }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await page.getByRole('button', { name: 'Time' }).click();
  await expect(table(page).getByRole('columnheader', { name: 'Time' })).toHaveAttribute('aria-sort', 'ascending');

  await go(page, '/requests?period=custom&from=2026-01-02T00:00:00.000Z&to=2026-01-03T00:00:00.000Z');
  const period = page.getByRole('radiogroup', { name: 'Period' });
  await expect(page.getByLabel('To', { exact: true })).not.toHaveValue('');
  const place = await period.boundingBox();
  await page.getByLabel('To', { exact: true }).fill('2026-01-01T00:00:00');
  await expect(page.getByText('Must be after the start time.')).toBeVisible();
  expect((await period.boundingBox())?.y).toBe(place?.y);
});

test('the keyboard alone zooms the chart, and live mode counts new rows instead of moving the row under the pointer', async ({
  page,
}) => {
  const write = await makeLog(page);
  await write(4, { minutes: 1 });
  await write(2, { status: 503, code: 'service_unavailable', minutes: 20 });
  await page.goto(at('/requests?period=1h'));
  const chart = page.getByRole('figure', { name: 'Requests over time' });
  await expect(chart.getByText('6 requests, 2 failed (5xx)')).toBeVisible();
  await chart.getByRole('link').first().focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/period=custom/);
  await expect(rows(page)).toHaveCount(4);
  await expect(chart).toBeFocused();
  await page.goBack();
  await expect(rows(page)).toHaveCount(6);
  await chart.getByText('Show as table').click();
  await chart.getByRole('row').last().getByRole('link').click();
  await expect(page).toHaveURL(/period=custom/);
  await expectAccessible(page);
  await page.goBack();
  await expect(rows(page)).toHaveCount(6);
  // Clicks the visible track. The middle of the switch is below the track, because the switch includes its label.
  await page.getByRole('switch', { name: 'Live' }).check({ position: { x: 4, y: 10 } });
  const link = rows(page).first().getByRole('link');
  const first = await link.getAttribute('href');
  await link.hover();
  const place = await rows(page).first().boundingBox();
  await write(12);
  const show = page.getByRole('button', { name: 'Show 12 new requests' });
  await expect(show).toBeVisible();
  expect(await link.getAttribute('href')).toBe(first);
  expect(await rows(page).first().boundingBox()).toEqual(place);
  // `show.click()` would move the pointer out of the list. The list would then show the new rows at once, and the
  // button could disappear before the click.
  await show.dispatchEvent('click');
  await expect(rows(page)).toHaveCount(18);
  expect(await link.getAttribute('href')).not.toBe(first);
  // New rows appear immediately if neither the pointer nor the focus is in the list.
  await page.getByRole('textbox', { name: /^Request ID/ }).focus();
  await page.mouse.move(0, 0);
  await write(1);
  await expect(rows(page)).toHaveCount(19);
});
