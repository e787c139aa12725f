import { expect, test } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

test('an owner shortens the retention of contacts after a preview, and a support member cannot', async ({
  page,
  browser,
}) => {
  const { owner, support, tenant } = await makeHouse();
  await signIn(page, owner, '/privacy');
  await page.getByLabel('Days to keep after the visit').fill('90');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('removed 365 days after the visit → removed 90 days after the visit')).toBeVisible();
  await expect(dialog.getByText('0 contacts will be removed.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Retention settings saved.')).toBeVisible();
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({ contactDays: 90 });
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, support, '/privacy');
  await expect(theirs.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  await theirs.context().close();
});

testLooks('the privacy page is accessible', async (page) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/privacy');
  await page.getByLabel('Days to keep', { exact: true }).fill('7');
  await lookAt(page, 'privacy');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(page.getByText('Request log: 30 → 7 days')).toBeVisible();
  await lookAt(page, 'privacy-review');
});
