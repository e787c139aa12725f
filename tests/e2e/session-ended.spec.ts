import { expect, type Page, type Route } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import type { Person } from '@/tests/support/control-center';
import { at, callWith, expectAccessible, go, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { setUpTotp } from '@/tests/support/second-factor';
import { confirmStored, shownKey } from '@/tests/support/steps';

const ended = (page: Page) => page.getByRole('dialog').filter({ hasText: 'Your session has ended' });

/**
 * Ends the sessions while the page makes the call whose URL contains `part`. If they ended before, any other call of the
 * page could open the sign-in dialog over the button that the test is about to click.
 */
async function endSessionsDuring(page: Page, part: string, { userId }: Person): Promise<void> {
  const isCall = (url: URL) => url.pathname.startsWith('/api/trpc/') && decodeURIComponent(url.href).includes(part);
  const endAndContinue = async (route: Route) => {
    await db().session.updateMany({ where: { userId }, data: { endedAt: new Date() } });
    await route.continue();
  };
  await page.route(isCall, endAndContinue, { times: 1 });
}

async function comeBack(page: Page, { email, password }: Person): Promise<void> {
  await expect(ended(page).locator('input[type=password]')).toBeFocused();
  await ended(page).getByLabel('Email address').fill(email);
  await ended(page).locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await expect(ended(page)).toBeHidden();
}

const leftOver = (page: Page) => page.getByText('Sign in to continue.');

test('a key, a policy review, a filter, and a new application continue after sign-in and keep the focus, and another user gets a fresh page', async ({
  page,
}) => {
  const { owner, support, tenant, applicationId } = await makeHouse();
  await signIn(page, owner, `/applications/${applicationId}/keys`);
  await page.getByRole('button', { name: 'Issue key' }).click();
  const form = page.getByRole('dialog').filter({ hasText: 'Issue key' });
  await form.getByLabel('Name').fill('Typed before');
  await endSessionsDuring(page, 'keys.issue', owner);
  await form.getByRole('button', { name: 'Issue key' }).click();
  await expect(ended(page)).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, 'session-ended');
  await comeBack(page, owner);
  const key = await shownKey(page);
  await expect(page.getByRole('button', { name: 'Copy key' })).toBeFocused();
  expect(await db().apiKey.count({ where: { applicationId, name: 'Typed before' } })).toBe(1);
  await confirmStored(page);

  await page.getByRole('link', { name: 'Policy', exact: true }).click();
  await page.getByLabel('Name').fill('Renamed while away');
  await endSessionsDuring(page, 'applications.preview', owner);
  await page.getByRole('button', { name: 'Review changes' }).click();
  await comeBack(page, owner);
  const review = page.getByRole('dialog').filter({ hasText: 'Review changes' });
  await expect(
    review.getByText('There were no allowed requests in the last 24 hours, so there is nothing to check.'),
  ).toBeVisible();
  await expect(leftOver(page)).toHaveCount(0);
  await expect(review.getByRole('button', { name: 'Back' })).toBeFocused();
  await review.getByRole('button', { name: 'Save policy' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed while away');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await callWith(key)).toBe(200);

  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Applications' }).click();
  const search = page.getByRole('searchbox');
  await endSessionsDuring(page, '"nobody"', owner);
  await search.fill('nobody');
  await comeBack(page, owner);
  await expect(search).toBeFocused();
  await expect(page.getByRole('heading', { name: 'No matching applications' })).toBeVisible();
  await expect(leftOver(page)).toHaveCount(0);

  // With a second factor, the dialog asks for it too.
  await page.getByRole('link', { name: 'New application' }).click();
  await page.waitForURL(at('/applications/new'));
  await page.getByLabel('Name').fill('Made after all');
  const { codes } = await setUpTotp(owner, new Date());
  await endSessionsDuring(page, 'applications.create', owner);
  await page.getByRole('button', { name: 'Create application' }).click();
  await ended(page).locator('input[type=password]').fill(owner.password);
  await page.keyboard.press('Enter');
  await ended(page).getByRole('button', { name: 'Use a recovery code' }).click();
  await ended(page)
    .getByLabel('Recovery code')
    .fill(codes[0] ?? '');
  await page.keyboard.press('Enter');
  await expect(ended(page)).toBeHidden();
  await page.waitForURL(/\/keys$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Made after all');
  await expect(page.locator('body')).not.toBeFocused();
  expect(await db().application.count({ where: { tenantId: tenant.id } })).toBe(2);

  // Another user gets a page without the input of the first one.
  await go(page, `/applications/${applicationId}`);
  await page.getByRole('textbox', { name: 'Name' }).fill('Typed by the owner');
  await endSessionsDuring(page, 'applications.preview', owner);
  await page.getByRole('button', { name: 'Review changes' }).click();
  await comeBack(page, support);
  await expect(page.getByRole('button', { name: 'Signed in as Sam Support' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Team' })).toHaveCount(0);
  await expect(page.getByText('Typed by the owner')).toHaveCount(0);
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Renamed while away');
});
