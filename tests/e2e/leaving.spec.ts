import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, callWith, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { confirmStored, shownKey } from '@/tests/support/steps';

const asked = (page: Page) => page.getByRole('dialog').filter({ hasText: /^Leave without/ });
const stay = (page: Page) => asked(page).getByRole('button', { name: 'Stay on page' });
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name });

/** Returns the length of the tab's history. */
const historyLength = (page: Page) => page.evaluate(() => window.history.length);

test('Back hides a newly issued key only after a confirmation', async ({ page }) => {
  const { owner, applicationId } = await makeHouse();
  await signIn(page, owner, '/applications');
  await page.getByRole('link', { name: 'Full access partner' }).click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  const keys = at(`/applications/${applicationId}/keys`);
  await page.waitForURL(keys);
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog').filter({ hasText: 'Store this key now' });
  await page.getByLabel('Name').fill('Server');
  await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
  const key = await shownKey(page);
  const before = await historyLength(page);

  await page.goBack();
  await expect(asked(page)).toContainText('Leave without storing this key?');
  await expect(stay(page)).toBeFocused();
  await expectAccessible(page);
  await page.goBack();
  await page.keyboard.press('Escape');
  await expect(asked(page)).toBeHidden();
  await expect(page).toHaveURL(keys);
  expect(await shownKey(page)).toBe(key);
  await page.mouse.click(5, 400);
  await expect(dialog.getByRole('button', { name: 'Copy key' })).toBeFocused();
  await confirmStored(page);
  expect(await callWith(key)).toBe(200);
  expect(await historyLength(page)).toBe(before);
  await page.goBack();
  await expect(page).toHaveURL(at(`/applications/${applicationId}`));
  await page.goForward();
  await expect(page).toHaveURL(keys);

  await page.getByRole('button', { name: /^Rotate Server,/ }).click();
  await page.getByRole('button', { name: 'Rotate key', exact: true }).click();
  await shownKey(page);
  await page.goBack();
  await asked(page).getByRole('button', { name: 'Leave without storing' }).click();
  await expect(page).toHaveURL(at(`/applications/${applicationId}`));
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.locator('body')).not.toBeFocused();
});

test('every way of leaving an unsaved policy, application, or service asks for confirmation', async ({ page }) => {
  const { owner, service, applicationId } = await makeHouse();
  await signIn(page, owner, '/applications');
  await page.getByRole('link', { name: 'Full access partner' }).click();
  const policy = at(`/applications/${applicationId}`);
  await page.waitForURL(policy);
  const quota = page.getByLabel('Requests per minute');
  await quota.fill('51');
  const tab = page.getByRole('link', { name: 'Keys', exact: true });
  const person = page.getByRole('button', { name: /^Signed in as/ });
  const ways = [
    () => tab.click(),
    () => section(page, 'Bookings').click(),
    () => page.goBack(),
    async () => {
      await person.click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    },
  ];
  for (const leave of ways) {
    await leave();
    await expect(asked(page)).toContainText('Leave without saving?');
    await stay(page).click();
    await expect(asked(page)).toBeHidden();
    await expect(page).toHaveURL(policy);
    await expect(quota).toHaveValue('51');
  }
  await tab.click();
  await expect(asked(page)).toBeVisible();
  await expectAccessible(page);
  await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(`${policy}/keys`);

  // After a click on “Discard”, there are no changes to lose, so leaving the page needs no confirmation.
  await page.getByRole('link', { name: 'Policy', exact: true }).click();
  await quota.fill('52');
  await page.getByRole('button', { name: 'Discard' }).click();
  await tab.click();
  await expect(page).toHaveURL(`${policy}/keys`);
  expect((await db().application.findUnique({ where: { id: applicationId } }))?.version).toBe(1);

  for (const [path, label] of [
    ['/applications/new', 'Name'],
    [`/catalog/services/${service.id}`, 'Name (English)'],
  ] as const) {
    await page.goto(at(path));
    await page.getByRole('textbox', { name: label, exact: true }).fill('Typed, not saved');
    await section(page, 'Overview').click();
    await expect(asked(page)).toContainText('Leave without saving?');
    await stay(page).click();
    await expect(page.getByRole('textbox', { name: label, exact: true })).toHaveValue('Typed, not saved');
    await section(page, 'Overview').click();
    await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
  }
});
