import { type Cookie, expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { at, hrefOf, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt } from '@/tests/support/look';

const members = (page: Page) => page.getByRole('region', { name: 'Members' });

/** Invites a member through the page and returns the invitation link. */
async function invite(page: Page, email: string, look = lookAt): Promise<string> {
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await look(page, 'team-invite');
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const link = (await dialog.locator('code').textContent()) ?? '';
  await look(page, 'team-invited');
  await dialog.getByRole('button', { name: 'Done' }).click();
  // The link is converted to the test server's origin.
  return at(new URL(link).pathname);
}

/** Opens a page with the cookies of another person. One page for both needs its scripts only once. */
async function as(page: Page, cookies: Cookie[], path: string): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  await page.goto(at(path));
}

test('an invited member chooses a password, signs in, gets another role, and is removed at once', async ({ page }) => {
  const { owner } = await makeHouse();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, owner, '/team');
  await expect(page.getByText('To change or remove the only owner, make another member an owner first.')).toBeVisible();
  const unwanted = `${newId('usr')}@new.example`;
  const ended = await invite(page, unwanted);
  await page.getByRole('button', { name: `Revoke the invitation for ${unwanted}` }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke invitation' }).click();
  await expect(page.getByRole('region', { name: 'Open invitations' })).toHaveCount(0);
  const email = `${newId('usr')}@new.example`;
  const link = await invite(page, email, async () => {});
  await expect(page.getByRole('region', { name: 'Open invitations' }).getByText(email)).toBeVisible();
  const ofOwner = await page.context().cookies();
  await page.context().clearCookies();
  expect(await (await page.request.get(ended)).text()).toContain('>This link does not work.');
  await page.goto(link);
  await expect(page.getByText('Olivia Owner invited')).toBeVisible();
  await lookAt(page, 'team-link');
  await page.getByLabel('Your name').fill('Nadia New');
  await page.getByRole('textbox', { name: 'Password' }).fill('too short');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await expect(page.getByText('Use 15 characters or more.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create account and join' }).click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole('link', { name: 'Requests', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Team' })).toHaveCount(0);
  const ofMember = await page.context().cookies();
  const cookie = ofMember.map(({ name, value }) => `${name}=${value}`).join('; ');
  /** What the server answers the member, whose role the owner changes meanwhile. */
  const theirs = async (path: string) => {
    const response = await fetch(at(path), { headers: { cookie } });
    return { path: new URL(response.url).pathname, html: await response.text() };
  };
  await as(page, ofOwner, '/team');
  await page.getByRole('button', { name: 'Change Nadia New’s role' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Front desk').check();
  await dialog.getByLabel('Selected locations').check();
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(dialog.getByText('Select at least one location.')).toBeVisible();
  await dialog.getByLabel('Studio').check();
  await lookAt(page, 'team-role');
  await dialog.getByRole('button', { name: 'Change role' }).click();
  await expect(members(page).getByRole('row', { name: /Nadia New/ })).toContainText('Front deskOnly Studio');
  const bookings = await theirs('/');
  expect(bookings.path).toBe(hrefOf('/bookings'));
  expect(bookings.html).toContain(`href="${hrefOf('/bookings')}"`);
  expect(bookings.html).not.toContain(`href="${hrefOf('/catalog')}"`);
  await as(page, ofMember, '/catalog');
  await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  await as(page, ofOwner, '/team');
  await page.getByRole('button', { name: 'Change Nadia New’s role' }).click();
  await page.getByRole('dialog').getByLabel('Owner', { exact: true }).check();
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click();
  await expect(members(page).getByRole('row', { name: /Nadia New/ })).toContainText('Owner');
  expect((await theirs('/')).html).toContain(`href="${hrefOf('/team')}"`);
  await page.getByRole('button', { name: 'Remove Nadia New' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
  await expect(members(page).getByRole('row')).toHaveCount(3);
  expect((await theirs('/')).path).toBe('/sign-in');
  await page.context().clearCookies();
  await page.goto(link);
  await expect(page.getByText('This link does not work.')).toBeVisible();
  await lookAt(page, 'team-link-ended');
});

test('a support member changes their own password and does not see the team', async ({ page }) => {
  const { support } = await makeHouse();
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, support, '/team');
  await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  await page.getByRole('button', { name: 'Signed in as Sam Support' }).click();
  await page.getByRole('menuitem', { name: 'Your account' }).click();
  await expect(page).toHaveURL(at('/account'));
  const [current, next] = [
    page.getByRole('textbox', { name: 'Current password' }),
    page.getByRole('textbox', { name: 'New password' }),
  ];
  await current.fill('wrong');
  await next.fill('correct horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This is not your password.')).toBeVisible();
  await current.fill(support.password);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('Password changed.')).toBeVisible();
  expect(await db().auditLog.count({ where: { objectId: support.userId } })).toBe(1);
});
