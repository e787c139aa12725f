import { expect, type Page } from '@playwright/test';
import { claimEnvironment } from '@/lib/operations/environment/claim';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
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
  // The first test needs the address of an Inngest server that is not running.
  server = await startServer({ env: { ...provider.settings, INNGEST_DEV: 'http://127.0.0.1:4321' }, databaseUrl });
});
test.afterAll(async () => {
  await server?.stop();
  await provider?.close();
});

const press = (page: Page) => page.getByRole('button', { name: 'Sign in with Harbour ID' }).click();
const sessionsOf = (userId: string) => db().session.count({ where: { userId, endedAt: null } });

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
