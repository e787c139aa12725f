import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '@/tests/support/control-center';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt, lookInBothSchemes, testLooks } from '@/tests/support/look';
import { setUpTotp, totpCode } from '@/tests/support/second-factor';

const section = (page: Page) => page.getByRole('region', { name: 'Two-factor authentication' });
const dialog = (page: Page) => page.getByRole('dialog');

async function enterPassword(page: Page, person: { email: string; password: string }, path = '/'): Promise<void> {
  await page.goto(at(`/sign-in?next=${encodeURIComponent(path)}`));
  await page.getByLabel('Email address').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Adds a virtual authenticator, which confirms every passkey request. */
async function addAuthenticator(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send('WebAuthn.enable');
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Opens the setup dialog and enters the password. Returns the shown key. */
async function startSetup(page: Page, password: string): Promise<string> {
  await section(page).getByRole('button', { name: 'Set up an authenticator app' }).click();
  await dialog(page).getByLabel('Your password').fill(password);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(dialog(page).getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible();
  return ((await dialog(page).locator('code').textContent()) ?? '').replaceAll(' ', '');
}

testLooks(
  'a member sets up an authenticator app and signs in with its codes and with a recovery code',
  async (page) => {
    const { support } = await makeHouse();
    await signIn(page, support, '/account');
    await expect(section(page).getByText('Not set up')).toBeVisible();
    const secret = await startSetup(page, support.password);
    await dialog(page).getByRole('textbox', { name: 'Code' }).fill('000000');
    await dialog(page).getByRole('button', { name: 'Set up' }).click();
    await expect(dialog(page).getByText('This is not the current code of your authenticator app.')).toBeVisible();
    await lookAt(page, 'second-factor-app');
    await dialog(page).getByRole('textbox', { name: 'Code' }).fill(totpCode(secret, new Date()));
    await dialog(page).getByRole('button', { name: 'Set up' }).click();
    await expect(dialog(page).getByText('These codes are shown only once.')).toBeVisible();
    await lookAt(page, 'second-factor-codes');
    const codes = ((await dialog(page).locator('code').textContent()) ?? '').split('\n');
    expect(codes).toHaveLength(10);
    await dialog(page).getByLabel('I have stored this list of codes').check();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await expect(section(page).getByText('10 of 10 left')).toBeVisible();

    await page.context().clearCookies();
    await enterPassword(page, support, '/requests');
    await expect(page.getByText('Enter the code that your authenticator app shows for this account.')).toBeVisible();
    // The password alone is not enough: the server redirects to the sign-in page.
    expect((await page.request.get(at('/requests'))).url()).toMatch(/\/sign-in/);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByText('This code is incorrect or has already been used. Enter another code.')).toBeVisible();
    await lookAt(page, 'second-factor-step');
    await page.getByLabel('Code').fill(totpCode(secret, new Date(Date.now() + 30_000)));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(at('/requests'));

    await page.context().clearCookies();
    await enterPassword(page, support, '/account');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(at('/account'));
    await expect(section(page).getByText('9 of 10 left')).toBeVisible();
    await section(page).getByRole('button', { name: 'Remove the authenticator app' }).click();
    await dialog(page).getByLabel('Your password').fill(support.password);
    await expect(dialog(page).getByRole('button', { name: 'Remove app' })).toBeDisabled();
    await dialog(page)
      .getByRole('textbox', { name: 'Code' })
      .fill(codes[0] ?? '');
    await dialog(page).getByRole('button', { name: 'Remove app' }).click();
    await expect(dialog(page).getByText('This is not correct, or was used before.')).toBeVisible();
    await lookAt(page, 'second-factor-remove');
    await dialog(page)
      .getByRole('textbox', { name: 'Code' })
      .fill(codes[1] ?? '');
    await dialog(page).getByRole('button', { name: 'Remove app' }).click();
    await expect(section(page).getByText('Not set up')).toBeVisible();
  },
);

test('a member adds a passkey and signs in with it, and a passkey of another member is refused', async ({ page }) => {
  const { owner, support } = await makeHouse();
  await addAuthenticator(page);
  await signIn(page, support, '/account');
  await section(page).getByRole('button', { name: 'Add a passkey' }).click();
  await dialog(page).getByLabel('Name').fill('Laptop');
  await dialog(page).getByLabel('Your password').fill(support.password);
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Continue' }).click();
  await expect(dialog(page).getByText('These codes are shown only once.')).toBeVisible();
  await dialog(page).getByLabel('I have stored this list of codes').check();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await expect(section(page).getByText('Passkey “Laptop”')).toBeVisible();
  await lookInBothSchemes(page, 'second-factor-passkey');

  await page.context().clearCookies();
  await enterPassword(page, support, '/account');
  await expect(page.getByLabel('Code')).toHaveCount(0);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.waitForURL(at('/account'));
  await expect(section(page).getByText('Last used on')).toBeVisible();
  expect(await db().signIn.count({ where: { userId: support.userId, method: 'passkey' } })).toBeGreaterThan(0);

  await section(page).getByRole('button', { name: 'Create new recovery codes' }).click();
  await dialog(page).getByLabel('Your password').fill(support.password);
  await expect(dialog(page).getByText('When you continue, your browser asks for your passkey.')).toBeVisible();
  await lookInBothSchemes(page, 'second-factor-proof');
  await dialog(page).getByRole('button', { name: 'Create codes' }).click();
  await expect(dialog(page).getByText('These codes are shown only once.')).toBeVisible();
  const [code = ''] = ((await dialog(page).locator('code').textContent()) ?? '').split('\n');
  await dialog(page).getByLabel('I have stored this list of codes').check();
  await dialog(page).getByRole('button', { name: 'Done' }).click();

  // The owner's account now has the passkey with another public key, so the signature does not match.
  const passkey = await db().passkey.findFirstOrThrow({ where: { userId: support.userId } });
  const forged = { publicKey: new Uint8Array(77), userId: owner.userId };
  await db().passkey.update({ where: { id: passkey.id }, data: forged });
  const session = await page.context().cookies();
  await page.context().clearCookies();
  await enterPassword(page, owner);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('This passkey was not accepted. Try again or use a recovery code.')).toBeVisible();
  expect((await page.request.get(at('/'))).url()).toMatch(/\/sign-in/);
  await db().passkey.update({ where: { id: passkey.id }, data: { userId: support.userId } });
  await page.context().clearCookies();
  await page.context().addCookies(session);
  await page.goto(at('/account'));
  await section(page).getByRole('button', { name: 'Remove the passkey Laptop' }).click();
  await dialog(page).getByLabel('Your password').fill(support.password);
  await dialog(page).getByRole('button', { name: 'Use a recovery code' }).click();
  await dialog(page).getByLabel('Recovery code').fill(code);
  await dialog(page).getByRole('button', { name: 'Remove passkey' }).click();
  await expect(section(page).getByText('Off')).toBeVisible();
});

test('an owner removes a lost second factor and requires one, and a member without one sets it up first', async ({
  page,
}) => {
  const { owner, support, tenant } = await makeHouse();
  // The address is not proven, so the account belongs to this business.
  const member = await makePerson(tenant.id, 'SUPPORT', 'Lea Lost', undefined, false);
  await setUpTotp(member, new Date());
  await signIn(page, owner, '/team');
  await page.getByRole('button', { name: 'Remove Lea Lost’s second factor' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await lookInBothSchemes(page, 'second-factor-team');
  await dialog(page).getByRole('button', { name: 'Remove second factor' }).click();
  await expect(page.getByText('Lea Lost’s second factor removed.')).toBeVisible();
  expect(await db().totpFactor.count({ where: { userId: member.userId } })).toBe(0);
  await expect(page.getByLabel('Require a second factor')).toBeDisabled();
  const { codes } = await setUpTotp(owner, new Date());
  await page.context().clearCookies();
  await enterPassword(page, owner, '/team');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.waitForURL(at('/team'));
  await page.getByRole('switch', { name: 'Require a second factor' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectAccessible(page);
  await dialog(page).getByRole('button', { name: 'Require second factor' }).click();
  await expect(page.getByText('A second factor is now required.')).toBeVisible();

  await page.context().clearCookies();
  await signIn(page, support, '/requests');
  await expect(page.getByRole('heading', { name: 'Tenant requires a second factor' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled();
  await lookInBothSchemes(page, 'second-factor-required');
  const secret = await startSetup(page, support.password);
  await dialog(page).getByRole('textbox', { name: 'Code' }).fill(totpCode(secret, new Date()));
  await dialog(page).getByRole('button', { name: 'Set up' }).click();
  await dialog(page).getByLabel('I have stored this list of codes').check();
  await dialog(page).getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Requests', level: 1 })).toBeVisible();
});
