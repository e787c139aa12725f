import { expect, test } from '@playwright/test';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

test('an owner sees each change with its author and filters by object, and a support member cannot', async ({
  page,
  browser,
}) => {
  const { owner, support, keyId } = await makeHouse();
  await signIn(page, owner, '/applications');
  await page.getByRole('button', { name: 'Suspend Full access partner' }).click();
  await page.getByRole('button', { name: 'Suspend application' }).click();
  await expect(page.getByText('Suspended', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Audit' }).click();
  const table = page.getByRole('region', { name: 'Changes, newest first' });
  const first = table.getByRole('row').nth(1);
  await expect(first).toContainText('application suspended');
  await expect(first).toContainText('Olivia Owner');
  await expect(first).toContainText('suspended false → , now true');
  await page.getByLabel('Object', { exact: true }).fill(keyId);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at(`/audit?object=${keyId}`));
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Person').selectOption({ label: 'Olivia Owner' });
  await expect(page.getByRole('heading', { name: 'No matching changes' })).toBeVisible();
  await expectAccessible(page);
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, support, '/audit');
  await expect(theirs.getByRole('heading', { name: 'You don’t have access' })).toBeVisible();
  await theirs.context().close();
});

testLooks('the audit log is accessible', async (page) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/audit');
  await expect(page.getByText('application created')).toBeVisible();
  await lookAt(page, 'audit');
});
