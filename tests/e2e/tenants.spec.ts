import { expect, type Page } from '@playwright/test';
import { tenantPath } from '@/app/_components/tenant-path';
import { db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, makeHouse, signIn, signInByForm } from '@/tests/support/e2e';
import { tabTo } from '@/tests/support/keyboard';
import { lookAt, testLooks } from '@/tests/support/look';

type House = Awaited<ReturnType<typeof makeHouse>>;

/** Creates two businesses. The owner of the first business is also a member of the second. */
async function makeTwo(role: Role = 'SUPPORT') {
  const [second, first] = [await makeHouse(), await makeHouse()];
  const rename = ({ tenant }: House, name: string) => db().tenant.update({ where: { id: tenant.id }, data: { name } });
  await rename(first, 'Harbour Hair');
  await rename(second, 'Salon Nord');
  await db().membership.create({ data: { tenantId: second.tenant.id, userId: first.owner.userId, role } });
  const urlOf = ({ tenant }: House, path: string) => at(tenantPath(tenant.id, path));
  return { first, second, owner: first.owner, urlOf };
}

const banner = (page: Page) => page.getByRole('banner');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('two tabs show two businesses at the same time, each with its role and its records', async ({ page, context }) => {
  const { first, second, owner, urlOf } = await makeTwo();
  await signIn(page, owner, '/applications');
  const other = await context.newPage();
  await other.goto(urlOf(second, '/applications'));
  for (const [tab, house, name] of [
    [page, first, 'Harbour Hair'],
    [other, second, 'Salon Nord'],
    [page, first, 'Harbour Hair'],
  ] as const) {
    await tab.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await expect(heading(tab, 'Webhooks')).toBeVisible();
    await tab.getByRole('link', { name: 'Applications', exact: true }).click();
    await expect(tab).toHaveURL(urlOf(house, '/applications'));
    await expect(banner(tab).getByRole('button', { name: `Business: ${name}` })).toBeVisible();
    await tab.getByRole('link', { name: 'Full access partner' }).click();
    await expect(tab).toHaveURL(urlOf(house, `/applications/${house.applicationId}`));
    await tab.goBack();
  }
  await expect(page.getByRole('link', { name: 'New application' })).toBeVisible();
  await expect(other.getByRole('link', { name: 'New application' })).toHaveCount(0);
  await expect(other.getByRole('link', { name: 'Team' })).toHaveCount(0);
});

test('the menu in the header and the palette switch by keyboard, a sign-in lands where the person was, and unsaved input is kept', async ({
  page,
}) => {
  const { first, second, owner, urlOf } = await makeTwo('FRONT_DESK');
  await signIn(page, owner, '/catalog');
  await tabTo(page, banner(page).getByRole('button', { name: 'Business: Harbour Hair' }));
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem')).toHaveText(['Harbour Hair', 'Salon Nord']);
  await expect(menu.getByRole('menuitem', { name: 'Harbour Hair' })).toHaveAttribute('aria-current', 'true');
  await expectAccessible(page);
  await page.keyboard.press('End');
  await expect(menu.getByRole('menuitem', { name: 'Salon Nord' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(urlOf(second, '/bookings'));
  await expect(heading(page, 'Bookings')).toBeVisible();
  await page.context().clearCookies();
  await page.goto(at('/sign-in'));
  await page.getByLabel('Email address').fill(owner.email);
  await page.locator('input[type=password]').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(urlOf(second, '/bookings'));
  await expect(page.locator('main[inert]')).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('harbour');
  await expect(page.getByRole('option', { name: 'Open Harbour Hair' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(urlOf(first, '/'));
  await expect(heading(page, 'Overview')).toBeVisible();

  await page.goto(urlOf(first, '/applications/new'));
  await page.getByLabel('Name').fill('Half done');
  await banner(page).getByRole('button', { name: 'Business: Harbour Hair' }).click();
  await page.getByRole('menuitem', { name: 'Salon Nord' }).click();
  await expect(page.getByRole('dialog', { name: 'Leave without saving?' })).toBeVisible();
  await expect(page).toHaveURL(urlOf(first, '/applications/new'));
});

test('a shared link opens for a member, and is not found for others', async ({ page, browser }) => {
  const { first, second, owner, urlOf } = await makeTwo();
  const link = urlOf(first, `/applications/${first.applicationId}/keys`);
  await page.goto(link);
  await page.getByLabel('Email address').fill(owner.email);
  await page.locator('input[type=password]').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(link);
  await expect(heading(page, 'Full access partner')).toBeVisible();

  const theirs = await (await browser.newContext()).newPage();
  await signInByForm(theirs, second.owner, '/catalog');
  await theirs.goto(link);
  await expect(heading(theirs, 'Page not found')).toBeVisible();
  const shown = await theirs.getByRole('main').textContent();
  expect(shown).not.toContain('Harbour Hair');
  await theirs.goto(at(tenantPath(newId('ten'), `/applications/${first.applicationId}/keys`)));
  await expect(heading(theirs, 'Page not found')).toBeVisible();
  expect(await theirs.getByRole('main').textContent()).toBe(shown);
  await expectAccessible(theirs);
  await theirs.getByRole('link', { name: 'Back to the overview' }).click();
  await expect(theirs).toHaveURL(urlOf(second, '/'));
  await theirs.context().close();
});

test('a signed-in member joins a second business by its invitation, and lands there', async ({ page, browser }) => {
  const { second, urlOf } = await makeTwo();
  const { owner } = await makeHouse();
  await signIn(page, second.owner, '/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(owner.email);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = new URL((await dialog.locator('code').textContent()) ?? '').pathname;
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, owner, '/catalog');
  await expect(banner(theirs).getByRole('button', { name: /^Business: / })).toHaveCount(0);
  await theirs.goto(at(link));
  await theirs.getByRole('button', { name: 'Join' }).click();
  await expect(theirs).toHaveURL(urlOf(second, '/'));
  await expect(banner(theirs).getByRole('button', { name: 'Business: Salon Nord' })).toBeVisible();
  await theirs.context().close();
});

testLooks('the menu of businesses and the page of an unknown business are accessible', async (page) => {
  const { owner } = await makeTwo();
  const long = await makeHouse();
  const name = 'Studio Königsallee Hair, Beauty & Wellness GmbH and its Partners';
  await db().tenant.update({ where: { id: long.tenant.id }, data: { name } });
  await db().membership.create({ data: { tenantId: long.tenant.id, userId: owner.userId, role: 'OWNER' } });
  await signIn(page, { ...owner, tenantId: long.tenant.id }, '/environment');
  await banner(page)
    .getByRole('button', { name: /^Business: Studio/ })
    .click();
  await lookAt(page, 'tenants-menu');
  await page.goto(at(tenantPath(newId('ten'), '/requests')));
  await expect(heading(page, 'Page not found')).toBeVisible();
  await lookAt(page, 'tenants-not-found');
});
