import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, type Page } from '@playwright/test';
import { request } from 'undici';
import { unsubscribeUrl } from '@/lib/activity/mail/unsubscribe';
import { BASE_PATH } from '@/lib/contract/operations';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { makePerson, signInOverHttp } from '@/tests/support/control-center';
import { beforeScripts, expectAccessible, go, hrefOf, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { dayFromNow } from '@/tests/support/e2e-booking';
import { lookAt, testLooks } from '@/tests/support/look';
import { linkIn, startMailServer } from '@/tests/support/mail-server';
import { type Provider, startProvider } from '@/tests/support/oidc';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';

const date = dayFromNow(7);

/** What the dentist wrote into the calendar of the specialist. */
const DENTIST = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'UID:dentist',
  'SUMMARY:Dentist',
  `DTSTART:${date.replaceAll('-', '')}T110000`,
  'DURATION:PT1H',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

const calendar = http.createServer((_, response) => response.end(DENTIST));
let mail: Awaited<ReturnType<typeof startMailServer>>;
let provider: Provider;
/** With a mail server, an identity provider, and the address of an Inngest server that is not running. */
let server: TestServer;

test.beforeAll(async () => {
  [mail, provider] = await Promise.all([startMailServer(), startProvider()]);
  await new Promise<void>((resolve) => calendar.listen(0, '127.0.0.1', resolve));
  const databaseUrl = process.env.DATABASE_URL ?? '';
  await claimEnvironment(databaseUrl, { environment: 'TEST', secretKey: TEST_SECRET });
  const own = { WEBHOOKS_ALLOW_LOOPBACK: '1', INNGEST_DEV: 'http://127.0.0.1:4321' };
  server = await startServer({ env: { ...own, ...mail.settings, ...provider.settings }, databaseUrl });
});
test.afterAll(async () => {
  await server?.stop();
  await Promise.all([mail?.close(), provider?.close()]);
  calendar.closeAllConnections();
  calendar.close();
});

/** The server's origin is only known after its start, so its links name the default origin. */
const here = (link: string) => `${server.origin}${new URL(link).pathname}`;

async function signInWith(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
}

const press = (page: Page) => page.getByRole('button', { name: 'Sign in with Harbour ID' }).click();
const sessionsOf = (userId: string) => db().session.count({ where: { userId, endedAt: null } });

test('a calendar at a URL closes its times for partners, and a colleague is invited by mail', async ({ page }) => {
  const house = await makeHouse();
  await signIn(page, house.owner, null);
  const dialog = page.getByRole('dialog');

  // A specialist has an appointment at the dentist, in a calendar of their own, so a partner does not get that time.
  await page.goto(server.origin + hrefOf(`/catalog/specialists/${house.specialist.id}`));
  await page.getByRole('region', { name: 'Calendars' }).getByRole('button', { name: 'Add calendar' }).click();
  await dialog.getByLabel('Name').fill('Private');
  const { port } = calendar.address() as AddressInfo;
  await dialog.getByLabel('Address of the calendar').fill(`http://127.0.0.1:${port}/basic.ics`);
  await dialog.getByRole('button', { name: 'Add calendar' }).click();
  await expect(dialog).toContainText('It has 1 busy time');
  await dialog.getByRole('button', { name: 'Done' }).click();

  const { statusCode, body } = await request(`${server.origin}${BASE_PATH}/bookings`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${house.key}`,
      'content-type': 'application/json',
      'idempotency-key': newId('req'),
    },
    body: JSON.stringify({
      service_id: house.service.id,
      date,
      start_time: '11:00',
      external_reference: 'order-1',
      customer: { name: 'Sam Sample', phone: '+49 30 5550 5678', consent_to_contact: true },
    }),
  });
  expect(statusCode).toBe(409);
  expect(await body.json()).toMatchObject({ error: { reason: 'outside_schedule' } });

  // A new colleague is invited by mail.
  const email = `${newId('usr')}@new.example`;
  await go(page, '/team');
  await page.getByRole('button', { name: 'Invite' }).click();
  await dialog.getByLabel('Email address').fill(email);
  await dialog.getByRole('button', { name: 'Invite' }).click();
  const link = linkIn(await mail.mailTo(email), '/invite/');
  await page.context().clearCookies();
  await page.goto(server.origin + new URL(link).pathname);
  await expect(page.getByText('Olivia Owner invited')).toBeVisible();
});

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
  await beforeScripts(page, link, async () => {
    await expect(page.getByText(owner.email)).toBeVisible();
    await page.getByRole('textbox', { name: 'New password' }).fill('a wholly new password');
    await expect(page.getByRole('button', { name: 'Set password' })).toBeDisabled();
  });
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.waitForURL(/\/sign-in$/);
  await signInWith(page, owner.email, 'a wholly new password');
  expect(await (await page.request.get(link)).text()).toContain('>This link does not work.');

  // The same person tests the mail server, chooses mails, and refuses a kind with the link of a mail.
  await go(page, '/environment');
  await page.getByRole('button', { name: 'Send me a test mail' }).click();
  await expect(page.getByText('The mail server took the last test mail.')).toBeVisible({ timeout: 20_000 });
  await lookAt(page, 'environment-mail');
  await go(page, '/account');
  await page.getByRole('checkbox', { name: 'Daily summary' }).check();
  await expect
    .poll(async () => (await db().user.findUniqueOrThrow({ where: { id: owner.userId } })).unwantedMails)
    .toEqual([]);
  const path = new URL(unsubscribeUrl({ userId: owner.userId, kind: 'overlaps' }));
  await page.goto(`${server.origin}/unsubscribe/${path.searchParams.get('token')}`);
  await page.getByRole('button', { name: 'Stop these mails' }).click();
  await expect(page.getByRole('status')).toContainText('no more mails');
  await expectAccessible(page);
  expect((await db().user.findUniqueOrThrow({ where: { id: owner.userId } })).unwantedMails).toEqual(['overlaps']);
});

testLooks('a member changes the email address with a link to the new one, and keeps the session', async (page) => {
  const { owner } = await makeHouse();
  const email = `${newId('usr')}@new.example`;
  await page.goto(`${server.origin}/sign-in`);
  await signInWith(page, owner.email, owner.password);
  await go(page, '/account');
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
  expect((await mail.mailTo(owner.email, 1, 'was changed')).text).toContain('The email address of your account');
  await page.getByRole('link', { name: 'Open the Control Center' }).click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  expect(await (await page.request.get(link)).text()).toMatch(/>This link (does not work|no longer works)[.,]/);
  expect(await signInOverHttp(server.origin, owner.email, owner.password)).toBeNull();
  expect(await signInOverHttp(server.origin, email, owner.password)).not.toBeNull();
});

test('a stranger is refused, and a member signs in with an identity provider, reaches the page, and signs out', async ({
  page,
}) => {
  const { owner } = await makeHouse();
  provider.setClaims({ email: `${newId('usr')}@x.example`, email_verified: true });
  await page.goto(`${server.origin}/sign-in?next=%2Fenvironment`);
  await press(page);
  await expect(page.getByRole('alert').filter({ hasText: /No member/ })).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, 'sign-in-provider');
  provider.setClaims({ email: owner.email.toUpperCase(), email_verified: true });
  await page.goto(`${server.origin}/sign-in?next=%2Fenvironment`);
  await press(page);
  await page.waitForURL(/\/t\/ten_\w{26}\/environment$/);
  await expect(page.getByText(provider.issuer)).toBeVisible();
  expect(await sessionsOf(owner.userId)).toBe(1);

  // While Inngest starts no webhooks, the page states the reason, as soon as the server has checked Inngest.
  const alert = page.getByRole('alert').filter({ hasText: 'Webhooks are delayed' });
  await expect(async () => {
    await page.reload();
    await expect(alert).toContainText(/Inngest does not start webhooks \(.+\)\. Until/, { timeout: 5_000 });
  }).toPass();
  await expectAccessible(page);
  await screenshot(page, 'environment-inngest');
  await page.getByRole('button', { name: /Olivia Owner/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  expect(await sessionsOf(owner.userId)).toBe(0);
});

testLooks('a person joins with single sign-on, and sets up a second factor without a password', async (page) => {
  const { owner } = await makeHouse();
  const { tenantId, email } = await makePerson(owner.tenantId, 'SUPPORT', 'Vera Support', undefined, false);
  const anHourAgo = Math.floor(Date.now() / 1000) - 3_600;
  provider.setClaims({ email, email_verified: true, auth_time: anHourAgo });
  await page.goto(`${server.origin}/sign-in`);
  await press(page);
  await page.waitForURL(/\/join$/);
  const again = page.getByRole('button', { name: 'Sign in again with Harbour ID' });
  await expect(page.getByRole('button', { name: /^Join / })).toBeDisabled();
  await lookAt(page, 'join-later');
  await again.click();
  const join = page.getByRole('button', { name: /^Join / });
  await expect(join).toBeEnabled();
  await expect(again).toHaveCount(0);
  await join.click();
  await page.waitForURL(new RegExp(`/t/${tenantId}`));
  await go(page, '/account');
  await expect(page.getByRole('heading', { name: 'Change password' })).toHaveCount(0);
  const account = { email, addressProvenAt: { not: null } };
  const { id: userId } = await db().user.findFirstOrThrow({ where: account });
  const old = { createdAt: new Date(anHourAgo * 1000), confirmedAt: null };
  await db().session.updateMany({ where: { userId }, data: old });
  const setUp = page.getByRole('button', { name: 'Set up an authenticator app' });
  const dialog = page.getByRole('dialog');
  await setUp.click();
  await expect(dialog.getByLabel('Your password')).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(again).toBeVisible();
  await lookAt(page, 'confirm-with-provider');
  await again.click();
  await expect(dialog).toHaveCount(0);
  await setUp.click();
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Code' })).toBeVisible();
});
