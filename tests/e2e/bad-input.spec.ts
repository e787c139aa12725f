import { expect } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makeHouse, signIn } from '@/tests/support/e2e';
import { confirmStored, shownKey } from '@/tests/support/steps';

/** Markup that would run, and no place to break the line. */
const NAME = `<img src=x onerror="document.title='broken'">${'W'.repeat(100)}`;

test('invalid fields get the focus, a double click acts once, Back repeats nothing, and markup is shown as text', async ({
  page,
}) => {
  const { owner, tenant } = await makeHouse();
  await page.setViewportSize({ width: 390, height: 900 });
  await signIn(page, owner, '/applications/new');
  const create = page.getByRole('button', { name: 'Create application' });
  await create.press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  // Only the server knows that this name cannot be stored.
  await page.keyboard.type('txt.exe\u202e');
  await create.press('Enter');
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByLabel('Name').fill(NAME);
  const quota = page.getByLabel('Requests per minute');
  await quota.fill('0');
  await create.press('Enter');
  await expect(page.getByText('Enter a whole number from 1 to 1,000,000.')).toBeVisible();
  await expect(quota).toBeFocused();
  await quota.fill('600');
  await create.dblclick();
  await page.waitForURL(/\/applications\/app_\w+\/keys$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(NAME);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await page.title()).not.toBe('broken');
  const applicationId = page.url().split('/').at(-2) ?? '';
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Once');
  await dialog.getByRole('button', { name: 'Issue key' }).dblclick();
  await shownKey(page);
  await confirmStored(page);
  await page.getByRole('button', { name: /^Rotate Once/ }).click();
  await page.getByRole('button', { name: 'Rotate key', exact: true }).dblclick();
  await shownKey(page);
  await confirmStored(page);
  await page.goBack();
  await expect(page.getByLabel('Name')).toHaveValue('');
  expect(await db().application.count({ where: { tenantId: tenant.id } })).toBe(2);
  expect(await db().apiKey.count({ where: { applicationId } })).toBe(2);
});

test('a page has its color scheme before any script loads, its monospaced font afterward, and keeps the scheme', async ({
  page,
}) => {
  const { owner, service } = await makeHouse();
  await page.emulateMedia({ colorScheme: 'dark' });
  await signIn(page, owner, `/catalog/services/${service.id}`);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const monospaced = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /geist_mono/.test(name)).length);
  const dark = await background();
  await page.route('**/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'load' });
  expect(await background()).toBe(dark);
  expect(await monospaced()).toBe(0);
  await page.unroute('**/*.js');
  await page.reload();
  await expect.poll(monospaced).toBe(1);
  await page.getByRole('button', { name: 'Signed in as Olivia Owner' }).click();
  await page.getByRole('menuitem', { name: 'Light mode' }).click();
  await expect.poll(background).not.toBe(dark);
  const light = await background();
  await page.route('**/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'load' });
  expect(await background()).toBe(light);
});
