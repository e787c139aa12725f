import { expect, type Page } from '@playwright/test';
import { acceptInvitation } from '@/lib/access/owners/accept';
import { invite } from '@/lib/access/owners/invitations';
import { issuePassword } from '@/lib/access/owners/password';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { openSessionOf, type Person } from '@/tests/support/control-center';
import { at, beforeScripts, go, makeHouse, signIn, signInByForm } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

const section = (page: Page) => page.getByRole('region', { name: 'Sessions' });
const dialog = (page: Page) => page.getByRole('dialog');

/** Returns where the account page leads in a browser with this session. */
async function opened(cookie: string): Promise<string> {
  const { headers, url } = await fetch(at('/account'), { headers: { cookie }, redirect: 'manual' });
  return headers.get('location') ?? url;
}

/** Makes the sign-ins of a person older than the time for which they confirm sensitive changes. */
const ageSignIn = ({ userId }: Person) =>
  db().session.updateMany({ where: { userId }, data: { createdAt: new Date(Date.now() - 31 * 60_000) } });

testLooks('a member signs out one session and then all others, and an owner signs the member out', async (page) => {
  const { owner, support } = await makeHouse();
  const others = [];
  for (let count = 0; count < 3; count += 1) others.push(await openSessionOf(support));
  await signInByForm(page, support, '/account');
  await expect(section(page).getByRole('listitem')).toHaveCount(4);
  await lookAt(page, 'sessions-account');
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
  const isOpen = async (cookie: string) => !(await opened(cookie)).includes('/sign-in');
  for (const other of others) expect(await isOpen(other)).toBe(false);

  const theirs = await openSessionOf(support);
  expect(await isOpen(theirs)).toBe(true);
  await page.context().clearCookies();
  await signIn(page, owner, '/team');
  await page.getByRole('button', { name: 'Sign out Sam Support everywhere' }).click();
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click();
  await expect(page.getByText('Sam Support signed out everywhere.')).toBeVisible();
  expect(await isOpen(theirs)).toBe(false);
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
  await beforeScripts(page, page.url(), async () => {
    await page.getByRole('textbox', { name: 'Issued password' }).fill(password);
    await page.getByRole('textbox', { name: 'New password' }).fill(password);
    await expect(page.getByRole('button', { name: 'Change password' })).toBeDisabled();
  });
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByText('This must differ from your current password.')).toBeVisible();
  await lookAt(page, 'sessions-issued-password');
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
  await lookAt(page, 'sessions-confirm');
  await confirm.getByLabel('Your password').fill(owner.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copy link' })).toBeVisible();

  await ageSignIn(owner);
  await db().session.updateMany({ where: { userId: owner.userId }, data: { confirmedAt: null } });
  await go(page, '/audit');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await confirm.getByLabel('Your password').fill(owner.password);
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toMatch(/^audit/);
});
