import { expect, type Page } from '@playwright/test';
import { at, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

/** Creates a feed through the page and returns its URL, on the test server. */
async function create(page: Page, of: string): Promise<string> {
  await page.getByRole('button', { name: 'New calendar feed' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create URL' }).click();
  await expect(dialog.getByText('Choose whose bookings the feed contains.')).toBeVisible();
  await dialog.getByRole('combobox', { name: 'Bookings of' }).click();
  await page.getByRole('option', { name: of }).click();
  await dialog.getByRole('button', { name: 'Create URL' }).click();
  await expect(dialog.locator('code')).toBeVisible();
  await lookAt(page, 'calendar-feeds-url');
  return storedUrl(page);
}

/** Returns the URL that the dialog shows once, and closes the dialog. */
async function storedUrl(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const url = (await dialog.locator('code').textContent()) ?? '';
  await expect(dialog.getByRole('button', { name: 'Copy URL' })).toBeFocused();
  await dialog.getByLabel('I have stored this URL').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toHaveCount(0);
  return at(new URL(url).pathname);
}

testLooks('an owner creates a calendar feed, replaces its URL, and revokes it', async (page) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/calendar-feeds');
  await expect(page.getByRole('heading', { name: 'No calendar feeds yet' })).toBeVisible();
  await page.getByRole('button', { name: 'New calendar feed' }).click();
  await lookAt(page, 'calendar-feeds-new');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  const url = await create(page, 'Alex Example');
  const row = page.getByRole('row', { name: /Alex Example/ });
  await expect(row).toContainText('Never');
  expect((await page.request.get(url)).status()).toBe(200);
  await page.reload();
  await expect(row).toContainText('just now');
  await lookAt(page, 'calendar-feeds');
  await page.getByRole('button', { name: 'Replace the URL for Alex Example' }).click();
  await lookAt(page, 'calendar-feeds-replace');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace URL' }).click();
  const replaced = await storedUrl(page);
  expect([await status(page, url), await status(page, replaced)]).toEqual([404, 200]);
  await page.getByRole('button', { name: 'Revoke the feed for Alex Example' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke feed' }).click();
  await expect(page.getByText('Calendar feed revoked.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No calendar feeds yet' })).toBeVisible();
  expect(await status(page, replaced)).toBe(404);
});

async function status(page: Page, url: string): Promise<number> {
  return (await page.request.get(url)).status();
}
