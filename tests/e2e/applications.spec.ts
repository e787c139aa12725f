import { expect } from '@playwright/test';
import { updatePolicy } from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '@/tests/support/control-center';
import { callWith, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt } from '@/tests/support/look';

const UNCHANGED = {
  ...{ name: 'Full access partner', scopes: SCOPES, quota: 600 },
  ...{ allLocations: true, agentsAsk: false, locationIds: [], origins: [] },
};

test('an owner restricts an application after a warning, keeps what another owner saved, and suspends it', async ({
  page,
}) => {
  const { owner, tenant, key, applicationId: id } = await makeHouse({ quota: 600 });
  const other = await makePerson(tenant.id, 'OWNER', 'Otto Other');
  const stored = () => db().application.findUnique({ where: { id } });
  expect(await callWith(key)).toBe(200);
  await expect.poll(() => db().requestLog.count({ where: { applicationId: id } })).toBe(1);
  await signIn(page, owner, `/applications/${id}`);
  const networks = page.getByLabel('Allowed networks').first();
  await networks.fill('203.0.113.0/24');
  await networks.press('Enter');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  const warning = dialog.getByText('This change would have refused 1 of 1 request allowed in the last 24 hours');
  await expect(warning).toBeVisible();
  await expect(dialog.getByRole('link', { name: /^req_/ })).toHaveAttribute('href', /\/requests\/req_\w{26}$/);
  await dialog.getByRole('button', { name: 'Save anyway' }).click();
  await expect(dialog).toBeHidden();
  await expect.poll(() => callWith(key)).toBe(403);

  await page.getByRole('button', { name: 'Remove 203.0.113.0/24' }).click();
  await page.getByRole('switch', { name: 'Agents must ask a person before they book or change' }).press('Space');
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(dialog.getByRole('row', { name: 'Agents From Must ask a person to May decide alone' })).toBeVisible();
  await dialog.getByRole('button', { name: 'Save policy' }).click();
  await expect.poll(() => callWith(key)).toBe(200);
  expect(await stored()).toMatchObject({ agentsAsk: false, version: 3 });

  // A concurrent edit is reported, overwrites nothing, and keeps the input.
  await expect(dialog).toBeHidden();
  await page.getByLabel('Requests per minute').fill('50');
  const actor = { kind: 'owner', id: other.userId, tenantId: tenant.id } as const;
  const target = { tenantId: tenant.id, applicationId: id, expectedVersion: 3, actor };
  await updatePolicy(new Date(), target, { ...UNCHANGED, networks: ['127.0.0.0/8'] });
  await page.getByRole('button', { name: 'Review changes' }).click();
  await dialog.getByRole('button', { name: 'Save policy' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Someone else saved changes' });
  await expect(notice).toContainText('Otto Other');
  await expect(notice).toContainText('Allowed networks');
  await expect(page.getByLabel('Requests per minute')).toHaveValue('50');
  expect(await stored()).toMatchObject({ quota: 600, networks: ['127.0.0.0/8'] });
  await notice.getByRole('button', { name: 'Load newer version' }).click();
  await expect(page.getByRole('button', { name: 'Remove 127.0.0.0/8' })).toBeVisible();
  await page.getByRole('button', { name: 'Review changes' }).click();
  await dialog.getByRole('button', { name: 'Save policy' }).click();
  await expect(dialog).toBeHidden();
  expect(await stored()).toMatchObject({ quota: 50, networks: ['127.0.0.0/8'], version: 5 });

  const suspend = page.getByRole('button', { name: 'Suspend Full access partner' });
  await suspend.click();
  await expect(dialog).toContainText('403, code credential_restricted, reason suspended');
  await dialog.getByRole('button', { name: 'Suspend application' }).click();
  await expect.poll(() => callWith(key)).toBe(403);
  await page.getByRole('button', { name: 'Resume Full access partner' }).click();
  await dialog.getByRole('button', { name: 'Resume application' }).click();
  await expect.poll(() => callWith(key)).toBe(200);

  // An owner sets a clock back that the partner has advanced.
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'clock-of-a-browser-test' };
  const data = { advance_seconds: 3 * 86_400 + 4 * 3_600 + 5 };
  expect(
    (await page.request.post(`${process.env.E2E_ORIGIN}/api/partner/v1/test/clock`, { headers, data })).status(),
  ).toBe(200);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.reload();
  const clock = page.getByRole('alert').filter({ hasText: 'Clock 3 days 4 hours ahead' });
  await expect(clock).toContainText('Other applications and your pages show real time.');
  await lookAt(page, 'application-clock');
  await clock.getByRole('button', { name: 'Back to real time' }).click();
  await expect(page.getByText('The clock of the application shows real time.')).toBeVisible();
  await expect(clock).toBeHidden();
});
