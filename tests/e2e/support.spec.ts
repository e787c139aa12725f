import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, go, makeHouse, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { makeApplication } from '@/tests/support/factories';
import { startReceiver } from '@/tests/support/receiver';
import { callPartner, paste, searchBox } from '@/tests/support/steps';
import { addEndpoint } from '@/tests/support/webhooks';

const ELSEWHERE = '203.0.113.0/24';
const CHANGES = /suspend |rotate|revoke|issue|save|review|publish|cancel|contact|send test|edit|pause|replay/i;

async function expectReadOnly(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.getByRole('button', { name: CHANGES })).toHaveCount(0);
  await expect(main.getByRole('link', { name: /^New / })).toHaveCount(0);
}

/** Of pages that only owners open. */
const FORBIDDEN = ['/applications/new', '/catalog/services/new', '/team', '/audit', '/privacy', '/calendar-feeds'];

test('a support member finds the cause of a refusal, receives no secret, and is offered no change on any page', async ({
  page,
}) => {
  test.slow();
  const receiver = await startReceiver();
  const { tenant, support, key, applicationId, service, location, specialist } = await makeHouse({
    networks: [ELSEWHERE],
  });
  const partner = await makeApplication(tenant.id, { name: 'Unrestricted' });
  const reference = await book({ key: partner.key, service }, '10:00', 'order-1');
  const hook = await addEndpoint(tenant.id, applicationId, `${receiver.url}/path-with-a-token`);
  await hook.emit(1);
  const { requestId } = await callPartner(key, '/catalog');
  const answers: Promise<string>[] = [];
  // The browser keeps no answers of a page that is left.
  page.on('response', (response) => {
    if (response.url().includes('/api/trpc/')) answers.push(response.text().catch(() => ''));
  });
  const sent = async () => (await Promise.all(answers)).join('\n');
  await signIn(page, support, '/requests');
  await searchBox(page).click();
  await paste(page, `"request_id": "${requestId}",`);
  await expect(page).toHaveURL(at(`/requests/${requestId}`));
  await expect(page.getByText('not in the application’s allowed networks')).toBeVisible();
  await expect(page.locator('pre')).toContainText(`X-Request-Id: ${requestId}`);
  await expect(page.getByRole('button', { name: 'Copy for support' })).toBeVisible();
  await page.getByRole('link', { name: 'Open the policy for Full access partner' }).click();
  await expect(page.getByRole('list', { name: 'Networks' })).toContainText(ELSEWHERE);
  await expectReadOnly(page);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await expect(page.getByText(`pbk_test_…${key.slice(-4)}`)).toBeVisible();
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await expectReadOnly(page);
  await page.waitForLoadState('networkidle');
  expect(await sent()).toContain(applicationId);
  expect(await sent()).not.toContain(key);
  expect(await sent()).not.toMatch(/hash/i);
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  const deliveries = page.getByRole('region', { name: 'Deliveries', exact: true });
  await expect(deliveries.getByText('Succeeded')).toBeVisible();
  await expect(page.getByText('Only owners can see the full URL.')).toBeVisible();
  await expectReadOnly(page);
  await expectAccessible(page);
  await deliveries.getByRole('link', { name: /^dlv_/ }).click();
  await expect(page.getByRole('dialog').getByText('Delivered.')).toBeVisible();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Replay' })).toHaveCount(0);
  expect(await page.content()).not.toMatch(/path-with-a-token|whsec_/);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Applications', exact: true }).first().click();
  await expect(page.getByRole('link', { name: 'Full access partner', exact: true })).toBeVisible();
  await expectReadOnly(page);

  await go(page, `/bookings/${reference}`);
  await expect(page.getByText('Your role does not allow you to view contact details.')).toBeVisible();
  await expectReadOnly(page);
  for (const path of [`services/${service.id}`, `locations/${location.id}`, `specialists/${specialist.id}`]) {
    await go(page, `/catalog/${path}`);
    await expect(page.getByText('Read-only.')).toBeVisible();
    await expectReadOnly(page);
  }
  await expectAccessible(page);
  await go(page, '/catalog/transfer');
  await expect(page.getByText('Only owners can import a catalog.')).toBeVisible();
  for (const path of FORBIDDEN) {
    await go(page, path);
    await expect(page.getByText('You do not have access').first(), path).toBeVisible();
  }

  expect(await sent()).not.toContain('path-with-a-token');
  expect((await db().application.findUnique({ where: { id: applicationId } }))?.version).toBe(1);
  await receiver.close();
});
