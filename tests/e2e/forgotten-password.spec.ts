import { expect } from '@playwright/test';
import { unsubscribeUrl } from '@/lib/activity/mail/unsubscribe';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { expectAccessible, makeHouse } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';
import { linkIn, startMailServer } from '@/tests/support/mail-server';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';

let mail: Awaited<ReturnType<typeof startMailServer>>;
let server: TestServer;

test.beforeAll(async () => {
  mail = await startMailServer();
  const databaseUrl = process.env.DATABASE_URL ?? '';
  await claimEnvironment(databaseUrl, { environment: 'TEST', secretKey: TEST_SECRET });
  server = await startServer({ env: mail.settings, databaseUrl });
});
test.afterAll(async () => {
  await server?.stop();
  await mail?.close();
});

/** The server's origin is only known after its start, so its links name the default origin. */
const here = (link: string) => `${server.origin}${new URL(link).pathname}`;

testLooks('a member who forgot the password sets a new one with the mailed link, and signs in', async (page) => {
  const { owner } = await makeHouse();
  await page.goto(`${server.origin}/sign-in`);
  await expect(page.getByRole('link', { name: 'Forgot your password?' })).toBeVisible();
  await lookAt(page, 'sign-in-mail');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('button', { name: 'Mail the link' }).click();
  await expect(page.getByText('Enter your email address.')).toBeVisible();
  await lookAt(page, 'password-request');
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByRole('button', { name: 'Mail the link' }).click();
  await expect(page.getByRole('status')).toContainText('a link is on its way');
  const link = here(linkIn(await mail.mailTo(owner.email), '/password/'));
  await page.goto(link);
  await expect(page.getByText(owner.email)).toBeVisible();
  await page.getByRole('textbox', { name: 'New password' }).fill('a wholly new password');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL(/\/sign-in$/);
  await page.getByLabel('Email address').fill(owner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('a wholly new password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  await page.goto(link);
  await expect(page.getByText('This link does not work.')).toBeVisible();

  // The same person tests the mail server, chooses mails, and refuses a kind with the link of a mail.
  const tenant = new URL(page.url()).origin;
  await page.goto(`${tenant}/t/${owner.tenantId}/environment`);
  await page.getByRole('button', { name: 'Send me a test mail' }).click();
  await expect(page.getByText('The mail server took the last test mail.')).toBeVisible({ timeout: 20_000 });
  await lookAt(page, 'environment-mail');
  await page.goto(`${tenant}/t/${owner.tenantId}/account`);
  await page.getByRole('checkbox', { name: 'Daily summary' }).check();
  await expect
    .poll(async () => (await db().user.findUniqueOrThrow({ where: { id: owner.userId } })).unwantedMails)
    .toEqual([]);
  await lookAt(page, 'account-mail');
  const path = new URL(unsubscribeUrl({ userId: owner.userId, kind: 'overlaps' }));
  await page.goto(`${server.origin}/unsubscribe/${path.searchParams.get('token')}`);
  await page.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(page.getByRole('status')).toContainText('no more mails');
  await expectAccessible(page);
  await page.goto(`${tenant}/t/${owner.tenantId}/account`);
  await expect(page.getByRole('checkbox', { name: 'Appointments overlap' })).not.toBeChecked();

  const invited = `${newId('usr')}@new.example`;
  await page.goto(`${tenant}/t/${owner.tenantId}/team`);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email address').fill(invited);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  await expect(dialog.getByText('A mail with another link')).toBeVisible();
  expect(linkIn(await mail.mailTo(invited), '/invite/')).toContain('/invite/');
});

testLooks('a member changes the email address with a link to the new one, and keeps the session', async (page) => {
  const { owner } = await makeHouse();
  const email = `${newId('usr')}@new.example`;
  const signIn = async (typed: string) => {
    await page.getByLabel('Email address').fill(typed);
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/\/t\/ten_\w{26}$/);
  };
  await page.goto(`${server.origin}/sign-in`);
  await signIn(owner.email);
  await page.goto(`${server.origin}/t/${owner.tenantId}/account`);
  const section = page.getByRole('region', { name: 'Email address' });
  await expect(section).toContainText(owner.email);
  await section.getByRole('button', { name: 'Change email address' }).click();
  const dialog = page.getByRole('dialog');
  const mailTo = async (typed: string, password: string) => {
    await dialog.getByLabel('New email address').fill(typed);
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password);
    await dialog.getByRole('button', { name: 'Mail the link' }).click();
  };
  await mailTo(owner.email, owner.password);
  await expect(dialog.getByText('This is your address already.')).toBeVisible();
  await mailTo(email, 'not my password');
  await expect(dialog.getByText('This is not your password.')).toBeVisible();
  await lookAt(page, 'account-address');
  await mailTo(email, owner.password);
  await expect(section.getByRole('status')).toContainText(email);
  await expect(dialog).toBeHidden();
  await lookAt(page, 'account-address-sent');

  const link = here(linkIn(await mail.mailTo(email), '/email/'));
  await page.goto(link);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByText('Enter the password of your account.')).toBeVisible();
  await page.getByRole('textbox', { name: 'Password of your account' }).fill('not my password');
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByText('This is not your password.')).toBeVisible();
  await lookAt(page, 'address-link');
  await page.getByRole('textbox', { name: 'Password of your account' }).fill(owner.password);
  await page.getByRole('button', { name: 'Change the address' }).click();
  await expect(page.getByRole('status')).toContainText(`is now ${email}`);
  await expectAccessible(page);
  expect((await mail.mailTo(owner.email, 1, 'was changed')).text).toContain('The email address of your account');
  await page.getByRole('link', { name: 'Open the Control Center' }).click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  await page.goto(`${server.origin}/t/${owner.tenantId}/audit`);
  await expect(page.getByText('changed their email address')).toBeVisible();
  await page.goto(link);
  await expect(page.getByText('This link does not work.')).toBeVisible();
  await page.context().clearCookies();
  await page.goto(`${server.origin}/sign-in`);
  await signIn(email);
});
