import { expect, type Page, test } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { confirmStored, shownKey } from '@/tests/support/steps';

const NAMES = [
  '<img src=x onerror="document.title=\'broken\'">',
  `Robert'); DROP TABLE applications;--`,
  '💇‍♀️ 🧑🏽‍🦱 Ünïcödé ﷽',
  'مرحبا',
  'W'.repeat(200),
];

const NO_NETWORKS = [
  '999.1.1.1',
  '10.0.0.0/33',
  '::1/129',
  '1.2.3',
  '0x7f.0.0.1',
  'fe80::1%eth0',
  '٣.٣.٣.٣',
  '10/8',
  '-',
];

const NO_ORIGINS = [
  'partner.example',
  'https://partner.example/path',
  'javascript:alert(1)',
  'https://',
  'https://a..b',
  'null',
  '*',
];

const title = (page: Page) => page.getByRole('heading', { level: 1 });

test('a name with unusual characters is stored unchanged, shown as text, and breaks no page', async ({ page }) => {
  const { owner } = await makeHouse();
  await page.setViewportSize({ width: 390, height: 900 });
  await signIn(page, owner, '/applications');
  for (const name of NAMES) {
    await page.goto(at('/applications/new'));
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create application' }).click();
    await page.waitForURL(/\/keys$/);
    await expect(title(page)).toHaveText(name);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  }
  await page.goto(at('/applications'));
  for (const name of NAMES) await expect(page.getByRole('link', { name, exact: true })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  expect(await page.title()).not.toBe('broken');
});

test('a name that cannot be stored is rejected at its field', async ({ page }) => {
  const { owner, tenant } = await makeHouse();
  await signIn(page, owner, '/applications/new');
  for (const name of ['   ', 'a\u0000b', 'مرحبا \u202E txt.exe', '\u200b', `pbk_test_${'a1'.repeat(13)}`]) {
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create application' }).click();
    await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
    await expect(page.getByLabel('Name')).toBeFocused();
  }
  await expectAccessible(page);
  expect(await db().application.count({ where: { tenantId: tenant.id } })).toBe(1);
});

test('an invalid network or origin is reported at once and not added to the list', async ({ page }) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/applications/new');
  for (const [label, texts] of [
    ['Allowed networks', NO_NETWORKS],
    ['Allowed origins', NO_ORIGINS],
  ] as const) {
    const box = page.getByLabel(label).first();
    for (const text of texts) {
      await box.fill(text);
      await expect(box, text).toHaveAttribute('aria-invalid', 'true');
      await box.press('Enter');
      await expect(box).toHaveValue(text);
    }
    await expect(page.getByRole('list', { name: label })).toHaveCount(0);
  }
  await page.getByLabel('Requests per minute').fill('0');
  await page.getByLabel('Name').fill('Nonsense');
  await page.getByRole('button', { name: 'Create application' }).click();
  await expect(page.getByText('Enter a whole number from 1 to 1,000,000.')).toBeVisible();
  await expect(page.getByLabel('Allowed networks').first()).toBeFocused();
});

test('a double click acts once, and Back does not repeat the action', async ({ page }) => {
  const { owner, tenant } = await makeHouse();
  await signIn(page, owner, '/applications/new');
  await page.getByLabel('Name').fill('Clicked twice');
  await page.getByRole('button', { name: 'Create application' }).dblclick();
  await page.waitForURL(/\/applications\/app_\w+\/keys$/);
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

test('a second tab reports that its key was revoked, and creates nothing', async ({ page, context }) => {
  const { owner, applicationId } = await makeHouse();
  const path = `/applications/${applicationId}/keys`;
  await signIn(page, owner, path);
  await page.getByRole('button', { name: /^Rotate Key,/ }).click();
  const other = await context.newPage();
  await other.goto(at(path));
  await other.getByRole('button', { name: /^Revoke Key,/ }).click();
  await other.getByRole('button', { name: 'Revoke key', exact: true }).click();
  await expect(other.getByRole('cell', { name: /^Revoked/ })).toBeVisible();
  await page.getByRole('button', { name: 'Rotate key', exact: true }).click();
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('This key is revoked and cannot be rotated.');
  expect(await db().apiKey.count({ where: { applicationId } })).toBe(1);
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
