import { expect, type Page } from '@playwright/test';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { invite } from '@/lib/access/owners/invitations';
import { issuePassword } from '@/lib/access/owners/password';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import type { Person } from '@/tests/support/control-center';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

const section = (page: Page) => page.getByRole('region', { name: 'Sessions' });
const dialog = (page: Page) => page.getByRole('dialog');

async function signInByForm(page: Page, { email, password }: Pick<Person, 'email' | 'password'>, path: string) {
  await page.goto(at(`/sign-in?next=${encodeURIComponent(path)}`));
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(at(path));
}

/** Makes the sign-ins of a person older than the time for which they confirm sensitive changes. */
const ageSignIn = ({ userId }: Person) =>
  db().session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 31 * 60_000) } });

test('a member signs out one session and then all others', async ({ page, browser }) => {
  const { support } = await makeHouse();
  await signInByForm(page, support, '/account');
  const others = [];
  for (let count = 0; count < 3; count += 1) {
    const other = await (await browser.newContext()).newPage();
    await signIn(other, support, '/account');
    others.push(other);
  }
  await page.reload();
  await expect(section(page).getByRole('listitem')).toHaveCount(4);
  const [first] = await section(page).getByRole('listitem').all();
  if (first) await expect(first.filter({ hasText: 'This session' })).toContainText(/Chrome \(/);
  await section(page)
    .getByRole('button', { name: /^Sign out Unknown browser/ })
    .first()
    .click();
  await expect(page.getByText('Session signed out.')).toBeVisible();
  await expect(section(page).getByRole('listitem')).toHaveCount(3);
  await section(page).getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(page.getByText('Signed out everywhere else.')).toBeVisible();
  await expect(section(page).getByRole('listitem')).toHaveCount(1);
  await expect(section(page).getByRole('button')).toHaveCount(0);
  for (const other of others) {
    await other.goto(at('/account'));
    await expect(other).toHaveURL(/\/sign-in/);
    await other.context().close();
  }
});

test('an owner signs a member out everywhere', async ({ page, browser }) => {
  const { owner, support } = await makeHouse();
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, support, '/account');
  await signIn(page, owner, '/team');
  await page.getByRole('button', { name: 'Sign out Sam Support everywhere' }).click();
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('Sam Support signed out everywhere.')).toBeVisible();
  await theirs.reload();
  await expect(theirs).toHaveURL(/\/sign-in/);
  await theirs.context().close();
});

test('with an issued password, a member first sets a new password', async ({ page }) => {
  const { support } = await makeHouse();
  const issued = (await issuePassword(new Date(), { email: support.email, resetSecondFactor: false })) ?? '';
  await signInByForm(page, { ...support, password: issued }, '/requests');
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await expect(page.getByRole('navigation', { name: 'Sections' })).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Issued password' }).fill(issued);
  await page.getByRole('textbox', { name: 'New password' }).fill(issued);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This must differ from your current password.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Issued password' }).fill(issued);
  await page.getByRole('textbox', { name: 'New password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Requests', level: 1 })).toBeVisible();
});

/** Makes a person whose only account belongs to a business in which the person can take it over. Returns the issued password. */
async function issueToStranger(): Promise<{ email: string; password: string; business: string }> {
  const { owner, tenant } = await makeHouse();
  const email = `new-${owner.userId}@example.com`;
  const actor = { kind: 'owner', id: owner.userId, tenantId: tenant.id } as const;
  const by = { tenantId: tenant.id, actor, userId: owner.userId, email, role: 'SUPPORT' } as const;
  const { link } = await invite(new Date(), by);
  const given = {
    token: link.split('/invite/')[1] ?? '',
    person: null,
    name: 'Nora New',
    password: 'a phrase of somebody',
  };
  await acceptInvitation(new Date(), given);
  const password = (await issuePassword(new Date(), { email, resetSecondFactor: false })) ?? '';
  return { email, password, business: tenant.name };
}

test('with an issued password, a person without a business first sets a new password, and then joins', async ({
  page,
}) => {
  const { email, password, business } = await issueToStranger();
  await page.goto(at('/sign-in'));
  await page.getByLabel('Email address').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await expect(page.getByText(business)).toHaveCount(0);
  await page.getByRole('textbox', { name: 'Issued password' }).fill(password);
  await page.getByRole('textbox', { name: 'New password' }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await page.getByRole('button', { name: `Join ${business}` }).click();
  await expect(page.getByRole('heading', { name: 'Overview', level: 1 })).toBeVisible();
});

test('half an hour after the sign-in, an invitation and an export ask for the password', async ({ page }) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/team');
  await ageSignIn(owner);
  const confirm = dialog(page).filter({ hasText: 'Confirm that it is you' });
  const invitation = dialog(page).filter({ hasText: 'Create link' });
  await page.getByRole('button', { name: 'Invite' }).click();
  await invitation.getByLabel('Email address').fill('new@example.com');
  await invitation.getByRole('button', { name: 'Create link' }).click();
  await confirm.getByRole('button', { name: 'Cancel' }).click();
  await expect(invitation.getByText('Confirm that it is you to make this change.')).toBeVisible();
  await expect(confirm.getByLabel('Your password')).toHaveCount(0);
  await invitation.getByRole('button', { name: 'Create link' }).click();
  await expect(confirm.getByRole('textbox', { name: 'Your password' })).toBeFocused();
  await confirm.getByLabel('Your password').fill('wrong');
  await confirm.getByRole('button', { name: 'Confirm' }).click();
  await expect(confirm.getByText('This is not your password.')).toBeVisible();
  await expectAccessible(page);
  await confirm.getByLabel('Your password').fill(owner.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();

  await ageSignIn(owner);
  await db().session.updateMany({ where: { userId: owner.userId }, data: { confirmedAt: null } });
  await page.goto(at('/audit'));
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await confirm.getByLabel('Your password').fill(owner.password);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toMatch(/^audit/);
});

testLooks('sessions and required passwords are accessible', async (page) => {
  const { owner, support } = await makeHouse();
  await signInByForm(page, owner, '/account');
  const other = await page.context().browser()?.newContext();
  const second = await other?.newPage();
  if (second) await signInByForm(second, owner, '/account');
  await other?.close();
  await page.reload();
  await expect(section(page).getByRole('listitem')).toHaveCount(2);
  await lookAt(page, 'sessions-account');
  await page.goto(at('/team'));
  await page.getByRole('button', { name: 'Sign out Sam Support everywhere' }).click();
  await expect(dialog(page)).toBeVisible();
  await lookAt(page, 'sessions-team-dialog');
  await ageSignIn(owner);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Invite' }).click();
  await dialog(page).getByLabel('Email address').fill('new@example.com');
  await dialog(page).getByRole('button', { name: 'Create link' }).click();
  await expect(dialog(page).getByLabel('Your password')).toBeVisible();
  await lookAt(page, 'sessions-confirm');
  await page.context().clearCookies();
  const issued = (await issuePassword(new Date(), { email: support.email, resetSecondFactor: false })) ?? '';
  await signInByForm(page, { ...support, password: issued }, '/requests');
  await expect(page.getByRole('heading', { name: 'Set a new password' })).toBeVisible();
  await lookAt(page, 'sessions-issued-password');
});
