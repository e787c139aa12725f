import { expect, type Page } from '@playwright/test';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { makeLocation } from '@/tests/support/factories';
import { writeLines } from '@/tests/support/request-lines';

const KEY = `pbk_test_${'a1'.repeat(13)}`;

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name });

test('a page beyond the end of a list links to the first page', async ({ page }) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, null);
  await page.goto(at('/requests/%00'));
  await expect(heading(page, 'No request with this ID')).toBeVisible();
  for (const list of ['requests', 'bookings', 'audit']) {
    await page.goto(at(`/${list}?cursor=2026-02-31T00:00:00.000Z_${newId('evt')}`));
    await expect(heading(page, 'This page does not exist')).toBeVisible();
    if (list === 'requests') await expectAccessible(page);
    await page.getByRole('button', { name: 'Back to the first page' }).click();
    await expect(page).toHaveURL(at(`/${list}`));
    await expect(heading(page, 'This page does not exist')).toHaveCount(0);
  }
  for (const path of ['/applications?page=99', '/catalog?page=99']) {
    await page.goto(at(path));
    await expect(heading(page, 'Page 99 is empty')).toBeVisible();
    await page.getByRole('button', { name: 'Go to the first page' }).click();
    await expect(page.getByRole('main').getByRole('table')).toBeVisible();
  }
});

test('a key pasted into a search is neither sent nor put into the URL', async ({ page }) => {
  const { owner } = await makeHouse();
  // Opens a page of the Control Center first, so that the Back button cannot lead out of the Control Center.
  await signIn(page, owner, '/account');
  for (const path of ['/applications', '/bookings']) {
    await page.goto(at(path));
    const box = page.getByLabel(path === '/bookings' ? /^Booking reference/ : 'Search by name or ID');
    await box.fill(KEY);
    await box.press('Enter');
    await expect(page.getByText('This is a secret')).toBeVisible();
    // A search for a secret must not change the URL. After the next search, the Back button must not reveal the secret.
    await box.fill('somebody');
    await box.press('Enter');
    await expect(page).toHaveURL(/=somebody/);
    await expect(page.getByText('This is a secret')).toHaveCount(0);
    await page.goBack();
    expect(page.url()).not.toContain('pbk_');
  }
});

test('the policy review reports calls whose location is not logged as undecidable', async ({ page }) => {
  const { owner, tenant, applicationId } = await makeHouse();
  await makeLocation(tenant.id);
  const route = '/api/partner/v1/availability';
  const known = { tenant_id: tenant.id, application_id: applicationId, route, path: route };
  await writeLines([known, known, known, known]);
  await signIn(page, owner, `/applications/${applicationId}`);
  const review = async () => {
    await page.getByRole('button', { name: /^Review/ }).click();
    return page.getByRole('dialog');
  };
  await page.getByRole('radio', { name: 'Selected locations' }).check();
  const none = await review();
  await expect(none.getByRole('alert')).toContainText('This change would have refused 4 of 4 requests');
  await none.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('group', { name: 'Allowed locations' }).getByRole('checkbox').last().check();
  const some = await review();
  await expect(some.getByRole('status')).toContainText(
    '4 requests from the last 24 hours cannot be checked against the new locations',
  );
  await expectAccessible(page);
});
