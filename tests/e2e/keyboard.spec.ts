import { expect, type Page } from '@playwright/test';
import { test } from '@/tests/support/browser-test';
import type { Person } from '@/tests/support/control-center';
import { at, callWith, makeHouse, signIn } from '@/tests/support/e2e';
import { expectFocusVisible, pressOn, tabTo } from '@/tests/support/keyboard';
import { callPartner, paste, searchBox, shownKey } from '@/tests/support/steps';

/** Signs in with the keyboard alone. */
async function signInByKeyboard(page: Page, { email, password }: Person, path: string): Promise<void> {
  await page.goto(at('/sign-in'));
  await tabTo(page, page.getByLabel('Email address'));
  await page.keyboard.type(email);
  await tabTo(page, page.locator('input[type=password]'));
  await page.keyboard.type(password);
  await page.keyboard.press('Enter');
  await page.waitForURL(at(path));
}

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name, exact: true });

async function findRequests(page: Page, requestId: string): Promise<void> {
  await tabTo(page, searchBox(page));
  await paste(page, requestId);
  await expect(page).toHaveURL(at(`/requests/${requestId}`));
  await expect(title(page)).toBeFocused();
  await expectFocusVisible(page);
  await page.goBack();
  await expect(title(page)).toHaveText('Requests');
  await expect(title(page)).toBeFocused();

  const line = page.getByRole('region', { name: 'Requests', exact: true }).getByRole('link').first();
  await pressOn(page, line);
  await expect(page).toHaveURL(/\/requests\/req_\w{26}$/);
  await expect(title(page)).toBeFocused();
  await page.goBack();
  await expect(title(page)).toHaveText('Requests');
  await expect(title(page)).toBeFocused();
  await expectFocusVisible(page);
}

async function issueKeyByKeyboard(page: Page): Promise<string> {
  const issue = page.getByRole('main').getByRole('button', { name: 'Issue key' });
  await pressOn(page, issue);
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(issue).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await page.keyboard.type('By hand');
  await tabTo(page, dialog.getByRole('combobox', { name: 'Expires' }));
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await pressOn(page, dialog.getByRole('button', { name: 'Issue key' }));

  await expect(dialog.getByRole('button', { name: 'Copy key' })).toBeFocused();
  const key = await shownKey(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  await tabTo(page, dialog.getByLabel('I have stored this key'));
  await page.keyboard.press('Space');
  await pressOn(page, dialog.getByRole('button', { name: 'Done' }));
  await expect(dialog).toBeHidden();
  await expect(issue).toBeFocused();
  await expectFocusVisible(page);
  return key;
}

async function changePolicy(page: Page): Promise<void> {
  const scope = page.getByRole('checkbox', { name: /Receive webhooks/ });
  await tabTo(page, scope);
  await page.keyboard.press('Space');
  await expect(scope).not.toBeChecked();
  await pressOn(page, page.getByRole('button', { name: 'Review changes' }));
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Removed: Receive webhooks')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Review changes' })).toBeFocused();
  await page.keyboard.press('Enter');
  await pressOn(page, dialog.getByRole('button', { name: 'Save policy' }));
  await expect(dialog).toBeHidden();
  // The button that opened the dialog no longer exists, so the focus must move to another element.
  await expect(page.locator('body')).not.toBeFocused();
  await expectFocusVisible(page);
}

test('the keyboard alone finds requests, changes a policy, and issues a key, without losing the focus', async ({
  page,
}) => {
  test.slow();
  const { owner, key, applicationId } = await makeHouse();
  const { requestId } = await callPartner(key, '/nothing');
  await signInByKeyboard(page, owner, '/');
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, section(page, 'Requests'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Requests');
  await findRequests(page, requestId);

  await tabTo(page, section(page, 'Applications'), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(title(page)).toHaveText('Applications');
  await pressOn(page, page.getByRole('link', { name: 'Full access partner', exact: true }).first());
  await expect(page).toHaveURL(at(`/applications/${applicationId}`));
  await expect(title(page)).toBeFocused();
  await changePolicy(page);
  await tabTo(page, page.getByRole('link', { name: 'Keys', exact: true }), 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at(`/applications/${applicationId}/keys`));
  expect(await callWith(await issueKeyByKeyboard(page))).toBe(200);
});

test('on a narrow screen the navigation can be focused only when it is open', async ({ page }) => {
  const { owner } = await makeHouse();
  await page.setViewportSize({ width: 390, height: 900 });
  await signIn(page, owner);
  const burger = page.getByRole('button', { name: 'Navigation' });
  const links = page.getByRole('navigation', { name: 'Sections' }).getByRole('link');
  await expect(links).toHaveCount(0);
  await expect(burger).toHaveAttribute('aria-expanded', 'false');
  await tabTo(page, burger);
  const person = page.getByRole('button', { name: 'Signed in as Olivia Owner' });
  await tabTo(page, person);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem').first()).toBeFocused();
  await expectFocusVisible(page);
  await page.keyboard.press('Escape');
  await expect(person).toBeFocused();
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.closest('main') !== null)).toBe(true);

  await tabTo(page, burger, 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect(burger).toHaveAttribute('aria-expanded', 'true');
  await expect(page.locator(`#${await burger.getAttribute('aria-controls')}`)).toBeVisible();
  await tabTo(page, links.filter({ hasText: 'Bookings' }));
  await page.keyboard.press('Escape');
  await expect(burger).toBeFocused();
  await expect(links).toHaveCount(0);
  await page.keyboard.press('Enter');
  await pressOn(page, links.filter({ hasText: 'Applications' }));
  await expect(page).toHaveURL(at('/applications'));
  await expect(title(page)).toBeFocused();
  await expect(links).toHaveCount(0);
});
