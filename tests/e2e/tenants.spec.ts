import { expect, type Page } from '@playwright/test';
import { tenantPath } from '@/app/_components/tenant-path';
import { db } from '@/lib/platform/db';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { at, makeHouse, signIn } from '@/tests/support/e2e';
import { tabTo } from '@/tests/support/keyboard';
import { lookAt } from '@/tests/support/look';

type House = Awaited<ReturnType<typeof makeHouse>>;

/** Creates two businesses. With a role, the owner of the first business is also a member of the second. */
async function makeTwo(role: Role | null = 'SUPPORT') {
  const [second, first] = [await makeHouse(), await makeHouse()];
  const rename = ({ tenant }: House, name: string) => db().tenant.update({ where: { id: tenant.id }, data: { name } });
  await rename(first, 'Harbour Hair');
  await rename(second, 'Salon Nord');
  const both = { tenantId: second.tenant.id, userId: first.owner.userId };
  if (role) await db().membership.create({ data: { ...both, role } });
  const urlOf = ({ tenant }: House, path: string) => at(tenantPath(tenant.id, path));
  return { first, second, owner: first.owner, urlOf };
}

const banner = (page: Page) => page.getByRole('banner');
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a member joins a second business by its invitation, and two tabs show both, each with its role and records', async ({
  page,
  context,
}) => {
  const { first, second, urlOf } = await makeTwo(null);
  const { owner } = first;
  await signIn(page, second.owner, '/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(owner.email);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = new URL((await dialog.locator('code').textContent()) ?? '').pathname;
  await page.context().clearCookies();
  await signIn(page, owner, '/applications');
  await expect(banner(page).getByRole('button', { name: /^Business: / })).toHaveCount(0);
  const other = await context.newPage();
  await other.goto(at(link));
  await other.getByRole('button', { name: 'Join' }).click();
  await expect(other).toHaveURL(urlOf(second, '/'));
  for (const [tab, house, name] of [
    [other, second, 'Salon Nord'],
    [page, first, 'Harbour Hair'],
    [other, second, 'Salon Nord'],
  ] as const) {
    await tab.getByRole('link', { name: 'Webhooks', exact: true }).click();
    await expect(heading(tab, 'Webhooks')).toBeVisible();
    await tab.getByRole('link', { name: 'Applications', exact: true }).click();
    await expect(tab).toHaveURL(urlOf(house, '/applications'));
    await expect(banner(tab)).toContainText(name);
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
  const long = await makeHouse();
  const name = 'Studio Königsallee Hair, Beauty & Wellness GmbH and its Partners';
  await db().tenant.update({ where: { id: long.tenant.id }, data: { name } });
  await db().membership.create({ data: { tenantId: long.tenant.id, userId: owner.userId, role: 'OWNER' } });
  await signIn(page, owner, '/catalog');
  await tabTo(page, banner(page).getByRole('button', { name: 'Business: Harbour Hair' }));
  await page.keyboard.press('Enter');
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem')).toHaveText(['Harbour Hair', 'Salon Nord', name]);
  await expect(menu.getByRole('menuitem', { name: 'Harbour Hair' })).toHaveAttribute('aria-current', 'true');
  await lookAt(page, 'tenants-menu');
  await page.keyboard.press('End');
  await page.keyboard.press('ArrowUp');
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

test('a shared link opens for a member, and is not found for others', async ({ page }) => {
  const { first, second, owner, urlOf } = await makeTwo();
  const link = urlOf(first, `/applications/${first.applicationId}/keys`);
  await page.goto(link);
  await page.getByLabel('Email address').fill(owner.email);
  await page.locator('input[type=password]').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page).toHaveURL(link);
  await expect(heading(page, 'Full access partner')).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, second.owner, null);
  await page.goto(link);
  await expect(heading(page, 'Page not found')).toBeVisible();
  const shown = await page.getByRole('main').textContent();
  expect(shown).not.toContain('Harbour Hair');
  await page.goto(at(tenantPath(newId('ten'), `/applications/${first.applicationId}/keys`)));
  await expect(heading(page, 'Page not found')).toBeVisible();
  expect(await page.getByRole('main').textContent()).toBe(shown);
  await page.getByRole('link', { name: 'Back to the overview' }).click();
  await expect(page).toHaveURL(urlOf(second, '/'));
});
