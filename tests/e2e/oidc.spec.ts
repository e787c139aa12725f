import { expect, type Page, test } from '@playwright/test';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makePerson } from '@/tests/support/control-center';
import { expectAccessible, makeHouse, screenshot } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';
import { type Provider, startProvider } from '@/tests/support/oidc';
import { startServer, TEST_SECRET, type TestServer } from '@/tests/support/server';

let provider: Provider;
let server: TestServer;

test.beforeAll(async () => {
  provider = await startProvider();
  const databaseUrl = process.env.DATABASE_URL ?? '';
  await claimEnvironment(databaseUrl, { environment: 'TEST', secretKey: TEST_SECRET });
  // The last test needs the address of an Inngest server that is not running.
  server = await startServer({ env: { ...provider.settings, INNGEST_DEV: 'http://127.0.0.1:4321' }, databaseUrl });
});
test.afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

const press = (page: Page) => page.getByRole('button', { name: 'Sign in with Harbour ID' }).click();
const sessionsOf = (userId: string) => db().session.count({ where: { userId, endedAt: null } });

test('a member signs in with an identity provider, reaches the requested page, and signs out', async ({ page }) => {
  const { owner } = await makeHouse();
  provider.setClaims({ email: owner.email.toUpperCase(), email_verified: true });
  await page.goto(`${server.origin}/sign-in?next=%2Fenvironment`);
  await expectAccessible(page);
  await screenshot(page, 'sign-in-provider');
  await press(page);
  await page.waitForURL(/\/t\/ten_\w{26}\/environment$/);
  await expect(page.getByText(provider.issuer)).toBeVisible();
  expect(await sessionsOf(owner.userId)).toBe(1);
  await page.getByRole('button', { name: /Olivia Owner/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/sign-in/);
  expect(await sessionsOf(owner.userId)).toBe(0);
});

test('a provider that returns the email address only from its userinfo endpoint works as well', async ({ page }) => {
  const { owner } = await makeHouse();
  provider.setClaims({}, false, { email: owner.email, email_verified: true });
  await page.goto(`${server.origin}/sign-in`);
  await press(page);
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  expect(await sessionsOf(owner.userId)).toBe(1);
});

const REFUSED: [string, (email: string) => [object, boolean?, object?], RegExp][] = [
  ['the userinfo of another user', (email) => [{}, false, { sub: 'person-2', email, email_verified: true }], /failed/],
  ['an address that no member has', () => [{ email: `${newId('usr')}@x.example`, email_verified: true }], /No member/],
  ['an address that was not verified', (email) => [{ email, email_verified: false }], /No member/],
  ['an address without email_verified', (email) => [{ email }], /No member/],
  ['email_verified as a string', (email) => [{ email, email_verified: 'true' }], /No member/],
  ['no address', () => [{ email_verified: true }], /No member/],
  ['a list of addresses', (email) => [{ email: [email], email_verified: true }], /No member/],
  ['an address with blanks', (email) => [{ email: ` ${email}\n`, email_verified: true }], /No member/],
  ['an address with a NUL', (email) => [{ email: `${email}\0`, email_verified: true }], /No member/],
  ['a signature of another key', (email) => [{ email, email_verified: true }, true], /failed/],
  ['a token for another client', (email) => [{ email, email_verified: true, aud: 'other' }], /failed/],
  ['a token of another issuer', (email) => [{ email, email_verified: true, iss: 'http://x.example' }], /failed/],
  ['an expired token', (email) => [{ email, email_verified: true, exp: 1 }], /failed/],
  ['a nonce of another sign-in', (email) => [{ email, email_verified: true, nonce: 'other' }], /failed/],
];

for (const [what, claims, sentence] of REFUSED) {
  test(`${what} starts no session`, async ({ page }) => {
    const { owner } = await makeHouse();
    provider.setClaims(...(claims(owner.email) as Parameters<Provider['setClaims']>));
    await page.goto(`${server.origin}/sign-in`);
    await press(page);
    await expect(page.getByRole('alert').filter({ hasText: sentence })).toBeVisible();
    await expectAccessible(page);
    expect(await sessionsOf(owner.userId)).toBe(0);
    await page.goto(`${server.origin}/`);
    await expect(page).toHaveURL(/\/sign-in/);
  });
}

test('another user of the provider with the same address starts no session', async ({ page, browser }) => {
  const { owner } = await makeHouse();
  provider.setClaims({ email: owner.email, email_verified: true });
  await page.goto(`${server.origin}/sign-in`);
  await press(page);
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  provider.setClaims({ sub: 'a different subject', email: owner.email, email_verified: true });
  const theirs = await (await browser.newContext()).newPage();
  await theirs.goto(`${server.origin}/sign-in`);
  await press(theirs);
  await expect(theirs.getByRole('main').getByRole('alert')).toContainText(
    'belongs to another user of your sign-in provider',
  );
  await expectAccessible(theirs);
  expect(await sessionsOf(owner.userId)).toBe(1);
  await theirs.context().close();
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
  await lookAt(page, 'join');
  await join.click();
  await page.waitForURL(new RegExp(`/t/${tenantId}`));
  await page.goto(`${server.origin}/t/${tenantId}/account`);
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

test('an unsolicited response starts no session, and a deployment without a provider shows no button', async ({
  page,
}) => {
  const { owner } = await makeHouse();
  provider.setClaims({ email: owner.email, email_verified: true });
  await page.goto(`${server.origin}/api/auth/callback/oidc?code=x&state=y`);
  await expect(page.getByText(/failed/)).toBeVisible();
  await page.goto(`${process.env.E2E_ORIGIN}/sign-in`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  await expect(page.getByRole('button', { name: /Sign in with/ })).toHaveCount(0);
  expect(await sessionsOf(owner.userId)).toBe(0);
});

test('while Inngest starts no webhooks, the Environment page states the reason', async ({ page }) => {
  const { owner } = await makeHouse();
  provider.setClaims({ email: owner.email, email_verified: true });
  await page.goto(`${server.origin}/sign-in?next=%2Fenvironment`);
  await press(page);
  await page.waitForURL(/\/t\/ten_\w{26}\/environment$/);
  const alert = page.getByRole('alert').filter({ hasText: 'Webhooks are delayed' });
  // Waits until the server has checked Inngest.
  await expect(async () => {
    await page.reload();
    await expect(alert).toContainText(/Inngest does not start webhooks \(.+\)\. Until/, { timeout: 5_000 });
  }).toPass();
  await expectAccessible(page);
  await screenshot(page, 'environment-inngest');
});
