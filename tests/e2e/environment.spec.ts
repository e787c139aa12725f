import { expect } from '@playwright/test';
import { TENANT } from '@/lib/operations/sandbox/seed/business';
import { seedCatalog } from '@/lib/operations/sandbox/seed/catalog';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '@/tests/support/control-center';
import { expectAccessible, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

testLooks(
  'an owner schedules resets and resets the sandbox by typing its name, which a support member cannot',
  async (page) => {
    await db().tenant.create({ data: { ...TENANT, locales: [...TENANT.locales] } });
    await seedCatalog(db(), new Date());
    const owner = await makePerson(TENANT.id, 'OWNER');
    const support = await makePerson(TENANT.id, 'SUPPORT');
    const location = await db().location.findFirstOrThrow({ where: { tenantId: TENANT.id } });
    await db().location.update({ where: { id: location.id }, data: { city: 'Elsewhere' } });
    await signIn(page, owner, '/environment');
    await expect(page.getByText('TEST: synthetic data')).toBeVisible();
    await expect(page.getByText(/PostgreSQL \d+/)).toBeVisible();
    await expect(page.getByText('Payments', { exact: true })).toBeVisible();
    await expect(page.getByText('Last reset: never')).toBeVisible();
    await page.getByRole('radio', { name: /Daily at 03:00/ }).click();
    await expect(page.getByRole('radio', { name: /Daily at 03:00/ })).toBeChecked();
    await page.getByRole('button', { name: 'Reset sandbox…' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByRole('button', { name: 'Reset sandbox' })).toBeDisabled();
    await dialog.getByLabel(/Type .* to confirm/).fill(TENANT.name);
    await expect(dialog.getByRole('button', { name: 'Reset sandbox' })).toBeEnabled();
    await lookAt(page, 'environment-reset');
    await dialog.getByRole('button', { name: 'Reset sandbox' }).click();
    await expect(page.getByText('Sandbox reset.')).toBeVisible();
    await expect(dialog).toBeHidden();
    await expect(page.getByText('Last reset: never')).toBeHidden();
    const after = await db().location.findUniqueOrThrow({ where: { id: location.id } });
    expect(after.city).toBe(location.city);
    expect((await db().tenant.findUniqueOrThrow({ where: { id: TENANT.id } })).resetPolicy).toBe('DAILY');
    await db().tenant.update({ where: { id: TENANT.id }, data: { resetPolicy: 'ON_DEMAND' } });
    await page.context().clearCookies();
    await signIn(page, support, '/environment');
    await expect(page.getByRole('radio', { name: /Manual only/ })).toBeDisabled();
    await expect(page.getByRole('button', { name: /Reset sandbox/ })).toHaveCount(0);
  },
);

test('an owner changes the business, and a concurrent edit is reported with the current values', async ({ page }) => {
  const { owner: anna, tenant } = await makeHouse();
  await signIn(page, anna, '/environment');
  const details = page.getByRole('region', { name: 'Business details' });
  await details.getByLabel('Languages').fill('portuguese (brazil)');
  await page.keyboard.press('Enter');
  // Languages that are already saved have no button that removes them.
  await expect(details.getByRole('button', { name: /^Remove/ })).toHaveCount(1);
  await details.getByRole('button', { name: 'Remove Portuguese (Brazil) (pt-BR)' }).click();
  for (let n = 0; n < 3; n += 1) await details.getByLabel('Languages').press('Backspace');
  await expect(details.getByRole('button', { name: 'Save' })).toBeDisabled();
  await page.getByLabel('Business name').fill('Harbour Hair');
  await db().tenant.update({ where: { id: tenant.id }, data: { name: 'Hair at the Harbour' } });
  const save = details.getByRole('button', { name: 'Save' });
  await save.click();
  await expect(page.getByText('Saved values: Hair at the Harbour,')).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, 'environment-business-conflict');
  await page.getByRole('button', { name: 'Load saved values' }).click();
  await expect(page.getByLabel('Business name')).toHaveValue('Hair at the Harbour');
  await page.getByLabel('Business name').fill('Harbour Hair');
  await save.click();
  await expect(page.getByText('Business details saved.')).toBeVisible();
  await expect(page.getByRole('banner').getByText('Harbour Hair')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({ name: 'Harbour Hair' });
});
