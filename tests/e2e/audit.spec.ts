import { expect } from '@playwright/test';
import { recordFailure } from '@/lib/access/owners/sign-in-record';
import { recordChanges } from '@/lib/activity/audit/record';
import { flushRefusedCalls, recordRefusedCall } from '@/lib/activity/audit/refused-calls';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { freshAddress } from '@/tests/support/client';
import { makePerson, signInOverHttp } from '@/tests/support/control-center';
import { at, go, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt, testLooks } from '@/tests/support/look';

const FAILED = { outcome: 'wrong_password', method: 'password' } as const;

test('an owner sees each change with its author, and filters by object', async ({ page }) => {
  const { owner, keyId, applicationId } = await makeHouse();
  await signIn(page, owner, `/applications/${applicationId}`);
  await page.getByRole('button', { name: 'Suspend Full access partner' }).click();
  await page.getByRole('button', { name: 'Suspend application' }).click();
  await expect(page.getByText('Suspended', { exact: true }).first()).toBeVisible();
  await page.getByRole('link', { name: 'Audit' }).click();
  const table = page.getByRole('region', { name: 'Changes, newest first' });
  const first = table.getByRole('row').nth(1);
  await expect(first).toContainText('application suspended');
  await expect(first).toContainText('Olivia Owner');
  await expect(first).toContainText('suspended false → , now true');
  await page.getByLabel('Object', { exact: true }).fill(keyId);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at(`/audit?object=${keyId}`));
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await expect(page.getByText('Exported.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.reload();
  await expect(table.getByText('exported 1 change.')).toBeVisible();
  await page.getByLabel('Object', { exact: true }).fill(keyId);
  await page.keyboard.press('Enter');
  await expect(table.getByRole('row')).toHaveCount(2);
  await page.getByLabel('Action').selectOption({ label: 'key issued' });
  await expect(page).toHaveURL(at(`/audit?action=key.issued&object=${keyId}`));
  await page.getByLabel('Person').selectOption({ label: 'Olivia Owner' });
  await expect(page.getByRole('heading', { name: 'No matching changes' })).toBeVisible();
});

test('a sign-in during an attack takes a second, and the owner sees the failed ones', async ({ page }) => {
  const { owner, support } = await makeHouse();
  for (let guess = 0; guess < 11; guess += 1)
    expect(await signInOverHttp(at('/'), support.email, 'a wrong password', freshAddress())).toBeNull();
  await page.goto(at('/sign-in'));
  await page.getByLabel('Email address').fill(support.email);
  await page.locator('input[type=password]').fill(support.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(
    page.getByText('There were many attempts to sign in to this account, so checking your password takes'),
  ).toBeVisible();
  await page.waitForURL(at('/'));
  await page.context().clearCookies();
  await signIn(page, owner, '/audit');
  await page.getByRole('link', { name: 'Sign-ins' }).click();
  const table = page.getByRole('region', { name: 'Sign-ins, latest first' });
  await expect(table.getByRole('row', { name: /Sam Support.*Signed in with password/ })).toHaveCount(1);
  await page.getByLabel('Result').selectOption({ label: 'Failed' });
  await expect(page).toHaveURL(at('/audit/sign-ins?result=failed'));
  await expect(table.getByRole('row', { name: /Sam Support.*Incorrect password/ })).toHaveCount(10);
});

testLooks('the audit log is accessible', async (page) => {
  const { tenant, owner } = await makeHouse();
  const about = { service: 'Haircut', date: '2026-12-25', start_time: '10:00' };
  const references = ['pbr_1', 'pbr_2'];
  const ofOwner = { tenantId: tenant.id, actor: { kind: 'owner', id: owner.userId, tenantId: tenant.id } as const };
  const object = { kind: 'booking', id: 'pbr_1' };
  const found = {
    ...ofOwner,
    object,
    action: 'booking.found_by_phone',
    after: { references, bookings: [about, about] },
  };
  const canceled = { ...about, status: 'cancelled' };
  await recordChanges(db(), new Date(), [
    found,
    { ...ofOwner, object, action: 'booking.cancelled', before: { ...about, status: 'confirmed' }, after: canceled },
  ]);
  await signIn(page, owner, '/audit');
  const table = page.getByRole('region', { name: 'Changes, newest first' });
  await expect(table.getByText('application created')).toBeVisible();
  await expect(table.getByText('searched by phone number and opened 2 bookings.')).toBeVisible();
  await expect(table.getByText('booking opened Haircut, Fri, Dec 25, 2026, 10:00 (pbr_2)')).toBeVisible();
  await expect(table.getByText('canceled the booking of Haircut on Fri, Dec 25, 2026, 10:00.')).toBeVisible();
  await expect(table.getByRole('link', { name: 'Haircut, Fri, Dec 25, 2026, 10:00' })).toHaveCount(1);
  await lookAt(page, 'audit');
  await recordFailure(new Date(), { userIds: [owner.userId], ...FAILED, address: '2001:db8::1' });
  await recordFailure(new Date(), { userIds: [owner.userId], ...FAILED, address: null });
  await go(page, '/audit/sign-ins');
  await expect(page.getByText('Several addresses')).toBeVisible();
  await lookAt(page, 'audit-sign-ins');
  await go(page, '/audit/refused');
  await expect(page.getByText('No refused calls')).toBeVisible();
  const desk = await makePerson(tenant.id, 'FRONT_DESK', 'Fiona Desk');
  const refused = { userId: desk.userId, tenantId: tenant.id };
  recordRefusedCall(new Date(), { ...refused, procedure: 'catalog.transfer.import', code: 'forbidden' });
  recordRefusedCall(new Date(), { ...refused, procedure: 'bookings.get', code: 'not_found' });
  for (let n = 0; n < 30; n += 1)
    recordRefusedCall(new Date(), {
      ...refused,
      procedure: `catalog.${'abcdefghijklmnopqrstuvwxyz_abcdef'.slice(0, n + 1)}`,
      code: 'forbidden',
    });
  await flushRefusedCalls();
  await page.reload();
  const calls = page.getByRole('region', { name: 'Refused calls, latest first' });
  await expect(calls.getByRole('row', { name: /Fiona Desk.*bookings\.get.*Not found/ })).toHaveCount(1);
  await expect(calls.getByRole('row', { name: /Several calls.*Role not allowed/ })).toHaveCount(1);
  await page.getByLabel('Reason').selectOption({ label: 'Not found' });
  await expect(page).toHaveURL(at('/audit/refused?reason=not_found'));
  await expect(calls.getByRole('row', { name: /Role not allowed/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(calls.getByRole('row', { name: /Role not allowed/ }).first()).toBeVisible();
  await lookAt(page, 'audit-refused');
});
