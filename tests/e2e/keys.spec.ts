import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, callWith, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { confirmStored, shownKey } from '@/tests/support/steps';

const asked = (page: Page) => page.getByRole('dialog').filter({ hasText: /^Leave without/ });

/** Returns the length of the tab's history. */
const historyLength = (page: Page) => page.evaluate(() => window.history.length);

test('a key is shown once, hidden only after a confirmation, not stored in the browser, and expires at the end of a day', async ({
  page,
}) => {
  const { owner, applicationId } = await makeHouse();
  await signIn(page, owner, `/applications/${applicationId}`);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  const keys = at(`/applications/${applicationId}/keys`);
  await page.waitForURL(keys);
  await expect(page).toHaveTitle('TEST · Full access partner · Keys · Applications · Tenant');
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  await expect(dialog.getByText('Enter a name')).toBeVisible();
  await dialog.getByLabel('Name').fill('Server');
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  const key = await shownKey(page);
  await expect(dialog.getByText(`API_KEY=${key}`, { exact: true })).toBeVisible();
  await expect(dialog).toContainText(`curl ${at('/api/partner/v1/catalog')}`);
  await expect(dialog.getByRole('button', { name: 'Copy key' })).toBeFocused();

  const before = await historyLength(page);

  // Neither Back, Escape, nor a click beside the dialog hides the key.
  await page.goBack();
  await expect(asked(page)).toContainText('Leave without storing this key?');
  await expect(asked(page).getByRole('button', { name: 'Stay on page' })).toBeFocused();
  await expectAccessible(page);
  await page.goBack();
  await page.keyboard.press('Escape');
  await expect(asked(page)).toBeHidden();
  await expect(page).toHaveURL(keys);
  expect(await shownKey(page)).toBe(key);
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 400);
  await expect(dialog.getByRole('button', { name: 'Copy key' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog.getByText('Confirm that you stored the key')).toBeVisible();
  await expect(dialog.getByLabel('I have stored this key')).toBeFocused();
  await expectAccessible(page);
  await confirmStored(page);
  await expect(page.getByRole('button', { name: 'Issue key' })).toBeFocused();
  expect(await historyLength(page)).toBe(before);

  const left = await page.evaluate(() =>
    JSON.stringify([document.documentElement.outerHTML, { ...localStorage }, { ...sessionStorage }, location.href]),
  );
  expect(left).not.toContain(key);
  expect(await callWith(key)).toBe(200);

  await page.getByRole('button', { name: 'Issue key' }).click();
  await dialog.getByLabel('Name').fill('Until a day');
  await dialog.getByRole('combobox', { name: 'Expires' }).click();
  await page.getByRole('option', { name: 'Custom date' }).click();
  await dialog.getByLabel('Last day').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  await expect(dialog.getByText('Select today or a later date.')).toBeVisible();
  const day = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await dialog.getByLabel('Last day').fill(day);
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  await confirmStored(page);
  await expect(page.getByRole('cell', { name: /^Expiring/ })).toBeVisible();
  const stored = await db().apiKey.findFirst({ where: { applicationId, name: 'Until a day' } });
  const end = await page.evaluate((text) => {
    const [year = 0, month = 1, date = 1] = text.split('-').map(Number);
    return new Date(year, month - 1, date + 1).toISOString();
  }, day);
  expect(stored?.expiresAt?.toISOString()).toBe(end);

  await page.getByRole('button', { name: /^Rotate Server,/ }).click();
  await page.getByRole('button', { name: 'Rotate key', exact: true }).click();
  await shownKey(page);
  await page.goBack();
  await asked(page).getByRole('button', { name: 'Leave without storing' }).click();
  await expect(page).toHaveURL(at(`/applications/${applicationId}`));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
});
