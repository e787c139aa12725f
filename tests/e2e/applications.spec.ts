import { expect, type Page } from '@playwright/test';
import { updatePolicy } from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '../support/control-center';
import { at, callWith, expectAccessible, makeHouse, signIn } from '../support/e2e';
import { lookAt } from '../support/look';
import { savePolicy } from '../support/steps';

/** Fills in the form for a new application with the keyboard. */
async function typeApplication(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').focus();
  await page.keyboard.type(name);
  // Selects the second preset, and then the first one again. Then moves the focus to the checkbox for `booking.create`.
  await page.keyboard.press('Tab');
  await expect(page.getByRole('radio', { name: 'Read only' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('radio', { name: 'Can book' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: /Manage bookings/ })).toBeChecked();
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('checkbox', { name: /Manage bookings/ })).not.toBeChecked();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox', { name: /Create bookings/ })).toBeFocused();
  await page.keyboard.press('Space');
}

test('an owner restricts an application after a warning, and sees the change take effect', async ({ page }) => {
  const { owner, key, applicationId: id } = await makeHouse();
  expect(await callWith(key)).toBe(200);
  await expect.poll(() => db().requestLog.count({ where: { applicationId: id } })).toBe(1);
  await signIn(page, owner, `/applications/${id}`);
  const networks = page.getByLabel('Allowed networks').first();
  await networks.fill('203.0.113.0/33');
  await expect(page.getByText('Use a prefix length from 0 to 32.')).toBeVisible();
  await networks.fill('203.0.113.0/24');
  await expect(page.getByText('256 addresses. Press Enter to add this entry.')).toBeVisible();
  await networks.press('Enter');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  await expect(
    dialog.getByText('This change would have refused 1 of 1 request allowed in the last 24 hours'),
  ).toBeVisible();
  await expect(dialog.getByRole('link', { name: /^req_/ })).toHaveAttribute('href', /\/requests\/req_\w{26}$/);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => callWith(key)).toBe(403);

  await page.getByRole('button', { name: 'Remove 203.0.113.0/24' }).click();
  await page.getByRole('switch', { name: 'Agents must ask a person before they book or change' }).press('Space');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(dialog.getByRole('row', { name: 'Agents From Must ask a person to May decide alone' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save policy' }).click();
  await expect.poll(() => callWith(key)).toBe(200);
  expect(await db().application.findUnique({ where: { id } })).toMatchObject({ agentsAsk: false });
});

test('the keyboard alone creates an application and corrects its invalid fields', async ({ page }) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/applications/new');
  await page.getByRole('button', { name: 'Create application' }).press('Enter');
  await expect(page.getByLabel('Name')).toBeFocused();
  await expect(page.getByText('Enter a name.')).toBeVisible();
  // Only the server knows that this name cannot be stored.
  await page.keyboard.type('txt.exe\u202e');
  await page.getByRole('button', { name: 'Create application' }).press('Enter');
  await expect(page.getByLabel('Name')).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Name')).toBeFocused();
  await page.getByLabel('Name').fill('');
  await typeApplication(page, 'Typed by hand');
  await page.getByLabel('Allowed origins').first().focus();
  await page.keyboard.type('https://Partner.example/');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Enter https:\/\/partner\.example instead\./)).toBeVisible();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('https://partner.example');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove https://partner.example' })).toBeVisible();
  const quota = page.getByLabel('Requests per minute');
  await quota.fill('0');
  await page.getByRole('button', { name: 'Create application' }).press('Enter');
  await expect(page.getByText('Enter a whole number from 1 to 1,000,000.')).toBeVisible();
  await expect(quota).toBeFocused();
  await quota.fill('600');
  await page.getByRole('button', { name: 'Create application' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/keys$/);
  const created = await db().application.findFirst({ where: { name: 'Typed by hand', tenantId: owner.tenantId } });
  expect(created).toMatchObject({
    scopes: ['catalog.read', 'availability.read', 'booking.create'],
    origins: ['https://partner.example'],
    allLocations: true,
  });
});

const UNCHANGED = {
  ...{ name: 'Full access partner', scopes: SCOPES, quota: 600 },
  ...{ allLocations: true, agentsAsk: true, locationIds: [], origins: [] },
};

test('a concurrent edit is reported, overwrites nothing, and keeps the input', async ({ page }) => {
  const { owner, tenant, applicationId } = await makeHouse({ quota: 600 });
  const other = await makePerson(tenant.id, 'OWNER', 'Otto Other');
  await signIn(page, owner, `/applications/${applicationId}`);
  await page.getByLabel('Requests per minute').fill('50');
  const target = { tenantId: tenant.id, applicationId, expectedVersion: 1 };
  const actor = { kind: 'owner', id: other.userId, tenantId: tenant.id } as const;
  await updatePolicy(new Date(), { ...target, actor }, { ...UNCHANGED, networks: ['127.0.0.0/8'] });

  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved changes' });
  await expect(notice).toContainText('Otto Other');
  await expect(notice).toContainText('Allowed networks');
  await expect(page.getByLabel('Requests per minute')).toHaveValue('50');
  await expectAccessible(page);
  const stored = () => db().application.findUnique({ where: { id: applicationId } });
  expect(await stored()).toMatchObject({ quota: 600, networks: ['127.0.0.0/8'] });

  await notice.getByRole('button', { name: 'Load newer version' }).click();
  await expect(page.getByRole('button', { name: 'Remove 127.0.0.0/8' })).toBeVisible();
  await savePolicy(page, 'Save policy');
  expect(await stored()).toMatchObject({ quota: 50, networks: ['127.0.0.0/8'], version: 3 });
});

test('suspending states its consequences, takes effect, and can be undone', async ({ page }) => {
  const { owner, key, applicationId } = await makeHouse();
  await signIn(page, owner, `/applications/${applicationId}`);
  const button = page.getByRole('button', { name: 'Suspend Full access partner' });
  await button.click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('403, code credential_restricted, reason suspended');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(button).toBeFocused();
  expect(await callWith(key)).toBe(200);
  await button.click();
  await dialog.getByRole('button', { name: 'Suspend application' }).click();
  await expect.poll(() => callWith(key)).toBe(403);
  await page.goto(at('/applications?status=suspended'));
  await expect(page.getByRole('cell', { name: 'Suspended' })).toBeVisible();
  await page.getByRole('link', { name: 'Full access partner', exact: true }).click();
  await page.getByRole('button', { name: 'Resume Full access partner' }).click();
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Resume application' }).click();
  await expect.poll(() => callWith(key)).toBe(200);
});

test('a clock that a partner has advanced is shown, and an owner sets it back', async ({ page }) => {
  const { owner, key, applicationId } = await makeHouse();
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'clock-of-a-browser-test' };
  const data = { advance_seconds: 3 * 86_400 + 4 * 3_600 + 5 };
  expect(
    (await page.request.post(`${process.env.E2E_ORIGIN}/api/partner/v1/test/clock`, { headers, data })).status(),
  ).toBe(200);
  await page.setViewportSize({ width: 390, height: 900 });
  await signIn(page, owner, `/applications/${applicationId}`);
  const notice = page.getByRole('alert').filter({ hasText: 'Clock 3 days 4 hours ahead' });
  await expect(notice).toContainText('Other applications and your pages show real time.');
  await lookAt(page, 'application-clock');
  await notice.getByRole('button', { name: 'Back to real time' }).click();
  await expect(page.getByText('The clock of the application shows real time.')).toBeVisible();
  await expect(notice).toBeHidden();
  await page.goto(at('/audit'));
  await expect(page.getByText('set the clock of Full access partner back to real time')).toBeVisible();
  await expect(page.getByText('changed the clock of Full access partner')).toBeVisible();
});

test('the URL holds search, filter and sorting, and Back restores them', async ({ page }) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/applications');
  await page.getByRole('button', { name: 'Requests (24 h)' }).click();
  await expect(page).toHaveURL(/direction=desc&sort=requests_24h/);
  await expect(page.getByRole('columnheader', { name: 'Requests (24 h)' })).toHaveAttribute('aria-sort', 'descending');
  await page.getByRole('searchbox').fill('nobody');
  await expect(page).toHaveURL(/search=nobody/);
  await expect(page.getByRole('heading', { name: 'No matching applications' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Show all applications' }).click();
  await expect(page.getByRole('link', { name: 'Full access partner' })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('nobody');
});

test('a support member reads applications and is offered no change', async ({ page }) => {
  const { support, applicationId } = await makeHouse();
  await signIn(page, support, '/applications');
  await expect(page.getByRole('link', { name: 'Full access partner' })).toBeVisible();
  for (const path of ['/applications', `/applications/${applicationId}`, `/applications/${applicationId}/keys`]) {
    await page.goto(at(path));
    await expect(page.getByText('Active', { exact: true }).first()).toBeVisible();
    const offers = page.getByRole('main').getByRole('button', { name: /suspend |rotate|revoke|issue|save|new/i });
    await expect(offers).toHaveCount(0);
    await expect(page.getByRole('link', { name: 'New application' })).toHaveCount(0);
    await lookAt(page, `support${path.replace(applicationId, 'one').replaceAll('/', '-')}`);
  }
  await page.goto(at('/applications/new'));
  await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
});
