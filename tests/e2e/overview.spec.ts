import { expect } from '@playwright/test';
import { request } from 'undici';
import { issueKey } from '@/lib/access/applications/keys';
import { deriveTenant } from '@/lib/booking/bookings/derive-again';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, go, hrefOf, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { lookInBothSchemes } from '@/tests/support/look';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

test('figures link to their requests, and items that need attention link to their fix', async ({ page }) => {
  const { tenant, applicationId, key, support } = await makeHouse();
  const actor = { kind: 'system' } as const;
  const hook = await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:3999/hooks');
  await db().webhookSecret.updateMany({ where: { applicationId }, data: { sealed: new Uint8Array(64) } });
  const [delivery = ''] = await hook.emit();
  const expiresAt = new Date(Date.now() + 5 * 86_400_000);
  await issueKey(new Date(), { tenantId: tenant.id, applicationId, name: 'Old', expiresAt, actor });
  for (const path of ['/catalog', '/catalog?color=1', '/nothing']) {
    const headers = { authorization: `Bearer ${key}` };
    await (await request(at(BASE_PATH + path), { headers })).body.dump();
  }
  await until(
    () => db().requestLog.count({ where: { tenantId: tenant.id } }),
    (count) => count === 3,
  );
  await until(
    () => hook.attempts(delivery),
    ([attempt]) => attempt?.error === 'secret_unreadable',
  );
  await signIn(page, support);
  await expect(page.getByText('the secret of the endpoint cannot be decrypted')).toBeVisible();
  const link = page.getByRole('link', { name: /^Rotate the secret of / });
  await expect(link).toHaveAttribute('href', hrefOf(`/applications/${applicationId}/webhook`));
  await expect(page.getByRole('link', { name: '66.7%' })).toHaveAttribute('href', hrefOf('/requests?status=error'));
  await expect(page.getByRole('link', { name: 'Rotate key Old' })).toHaveAttribute(
    'href',
    hrefOf(`/applications/${applicationId}/keys`),
  );
  await expectAccessible(page);
  await page.getByText('7 days').click();
  await expect(page).toHaveURL(at('/?period=7d'));
  const errors = page.getByRole('region', { name: 'Errors by application, code, and reason' });
  await expect(errors.getByRole('row', { name: /unknown_route/ })).toContainText('33.3%');
  await lookInBothSchemes(page, 'overview-errors');
  await errors.getByRole('link', { name: /unknown_route/ }).click();
  await expect(page).toHaveURL(/application=app_\w+&code=not_found&period=7d&reason=unknown_route&status=error/);
  await expect(page.getByLabel('Reason')).toHaveValue('unknown_route');
  await expect(page.getByRole('region', { name: 'Requests', exact: true }).getByRole('link')).toHaveCount(1);
  await page.goBack();
  await page.getByRole('link', { name: '66.7%' }).click();
  await expect(page).toHaveURL(/\/requests\?period=7d&status=error/);
  await expect(page.getByRole('region', { name: 'Requests', exact: true }).getByRole('link')).toHaveCount(2);
  await go(page, `/applications/${applicationId}/webhook?delivery=${delivery}`);
  await expect(page.getByText('so the attempt could not be signed').first()).toBeVisible();
});

test('two appointments that overlap after a change of time zone rules stand first, with both ways out', async ({
  page,
}) => {
  const house = await makeHouse();
  const { tenant, applicationId, owner } = house;
  const key = { tenantId: tenant.id, applicationId, name: 'Old', actor: { kind: 'system' } } as const;
  await issueKey(new Date(), { ...key, expiresAt: new Date(Date.now() + 5 * 86_400_000) });
  const [standing, moved] = [await book(house, '10:00', 'order-1'), await book(house, '12:00', 'order-2')];
  // The customer was told 10:15, and other rules had put that at 12:00.
  await db().$executeRaw`UPDATE bookings SET start_time = '10:15' WHERE reference = ${moved}`;
  await deriveTenant(new Date(), tenant.id, new AbortController().signal);
  await signIn(page, owner);
  const items = page.getByRole('listitem').filter({ hasText: /two appointments|Rotate key/ });
  await expect(items).toHaveText([/has two appointments at the same time/, /Rotate key Old/]);
  await screenshot(page, 'overlap-overview');
  await items
    .first()
    .getByRole('link', { name: /10:15$/ })
    .click();
  const alert = page.getByRole('status').filter({ hasText: 'This booking now overlaps' });
  await expect(alert).toBeVisible();
  await expect(page.getByText('Updated for new time zone rules · version 2')).toBeVisible();
  await expectAccessible(page);
  await screenshot(page, 'overlap-booking');
  await alert.getByRole('link', { name: /10:00$/ }).click();
  await expect(page).toHaveURL(new RegExp(standing));
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel booking' }).click();
  await expect(page.getByText('Canceled · version 2')).toBeVisible();
  await go(page, '/');
  await expect(items).toHaveText([/Rotate key Old/]);
});
