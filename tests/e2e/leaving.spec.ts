import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, go, makeHouse, signIn } from '@/tests/support/e2e';

const asked = (page: Page) => page.getByRole('dialog').filter({ hasText: /^Leave without/ });
const stay = (page: Page) => asked(page).getByRole('button', { name: 'Stay on page' });
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name });

test('every way of leaving an unsaved policy, application, or service asks for confirmation', async ({ page }) => {
  const { owner, applicationId } = await makeHouse();
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
  await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(`${policy}/keys`);

  // After a click on “Discard”, there are no changes to lose, so leaving the page needs no confirmation.
  await page.getByRole('link', { name: 'Policy', exact: true }).click();
  await quota.fill('52');
  await page.getByRole('button', { name: 'Discard' }).click();
  await tab.click();
  await expect(page).toHaveURL(`${policy}/keys`);
  expect((await db().application.findUnique({ where: { id: applicationId } }))?.version).toBe(1);

  const leaves = async (label: string) => {
    await page.getByRole('textbox', { name: label, exact: true }).fill('Typed, not saved');
    await section(page, 'Privacy').click();
    await expect(asked(page)).toContainText('Leave without saving?');
    await stay(page).click();
    await expect(page.getByRole('textbox', { name: label, exact: true })).toHaveValue('Typed, not saved');
    await section(page, 'Catalog').click();
    await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Services');
  };
  await section(page, 'Applications').click();
  await page.getByRole('link', { name: 'New application' }).click();
  await leaves('Name');
  await page.getByRole('link', { name: 'Haircut' }).click();
  await leaves('Name (English)');
});

test('leaving unsaved settings or a text to import asks for confirmation', async ({ page }) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/privacy');
  const leaves = async (change: () => Promise<unknown>, to: string) => {
    await change();
    await section(page, 'Team').click();
    await expect(asked(page)).toContainText('Leave without saving?');
    await stay(page).click();
    await expect(asked(page)).toBeHidden();
    await section(page, to).click();
    await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
    await expect(asked(page)).toBeHidden();
  };
  await leaves(() => page.getByLabel('Days to keep', { exact: true }).fill('7'), 'Environment');
  await leaves(() => page.getByLabel('Business name').fill('Typed, not saved'), 'Privacy');
  await section(page, 'Environment').click();
  await leaves(() => page.getByLabel('Complete visits automatically').click(), 'Catalog');
  await page.getByRole('link', { name: 'Import and export' }).click();
  await leaves(() => page.getByRole('textbox').last().fill('{}'), 'Bookings');
  await go(page, '/bookings/import');
  await leaves(() => page.getByLabel('Bookings as CSV or JSON').fill('service'), 'Catalog');
});
