import type { ServerResponse } from 'node:http';
import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { makeFailed, makePaused } from '@/tests/support/webhook-states';
import { addEndpoint } from '@/tests/support/webhooks';

type House = Awaited<ReturnType<typeof makeHouse>>;

let receiver: Receiver;

test.beforeEach(async () => {
  receiver = await startReceiver();
});
test.afterEach(() => receiver.close());

const webhookPath = ({ applicationId }: House) => `/applications/${applicationId}/webhook`;
const deliveries = (page: Page) => page.getByRole('region', { name: 'Deliveries', exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

test('a delivery shows its payload and attempts, and arrives after a replay', async ({ page }) => {
  const house = await makeHouse();
  await addEndpoint(house.tenant.id, house.applicationId, receiver.url);
  receiver.answer(status(500, {}, 'the disk is full'));
  await signIn(page, house.owner, webhookPath(house));
  const reference = await book(house, '10:00', 'order-1');
  const link = deliveries(page).getByRole('link', { name: /^dlv_/ });
  await expect(deliveries(page).getByText('1 of 10')).toBeVisible();
  // The next scheduled attempt would be after 5 s. A replay during an attempt is refused.
  await db().delivery.updateMany({
    where: { applicationId: house.applicationId },
    data: { nextAttemptAt: new Date(Date.now() + 3_600_000) },
  });
  await link.click();
  await expect(page).toHaveURL(/\?delivery=dlv_/);
  const drawer = page.getByRole('dialog');
  await expect(drawer.getByText('The receiver responded with an error.').first()).toBeVisible();
  await expect(drawer.getByText('the disk is full').first()).toBeVisible();
  await expect(drawer.getByText(`"reference": "${reference}"`)).toBeVisible();
  await expect(drawer.getByRole('heading', { name: 'Attempts' })).toBeVisible();
  await drawer.locator('time').first().hover();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await expectAccessible(page);
  receiver.answer(status(200));
  await drawer.getByRole('button', { name: 'Replay', exact: true }).click();
  await drawer.getByRole('button', { name: 'Replay now' }).click();
  await expect(drawer.getByText('Delivered.').first()).toBeVisible();
  await expect(drawer.getByText(/manual, by Olivia Owner/)).toBeVisible();
  const [first, ...others] = receiver.received;
  expect(others.every(({ headers }) => headers['webhook-id'] === first?.headers['webhook-id'])).toBe(true);
  await page.keyboard.press('Escape');
  await expect(drawer).toBeHidden();
  await expect(link).toBeFocused();
  await expect(page).toHaveURL(at(webhookPath(house)));

  await link.click();
  await drawer.getByRole('link', { name: 'View partner request' }).click();
  await expect(page.getByRole('heading', { name: 'Events and deliveries' })).toBeVisible();
  await expect(page.getByText(/of 10 attempts$/)).toBeVisible();
  await page.getByRole('link', { name: 'View delivery' }).click();
  await expect(drawer.getByText('Delivered.').first()).toBeVisible();
});

test('a replay counts the failed deliveries since a time, sends them, and can be stopped', async ({ page }) => {
  const house = await makeHouse();
  const hook = await addEndpoint(house.tenant.id, house.applicationId, receiver.url);
  await makePaused(house.applicationId);
  await makeFailed(house.applicationId, await hook.emit(12));
  await db().webhookEndpoint.update({
    where: { applicationId: house.applicationId },
    data: { state: 'active', stateReason: null },
  });
  const waiting: ServerResponse[] = [];
  receiver.answer((_, res) => waiting.push(res));
  await signIn(page, house.owner, webhookPath(house));
  await press(page, 'Replay failed deliveries…');
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('12 deliveries created since then have failed.')).toBeVisible();
  await dialog.getByLabel('Failed deliveries created after').fill('2020-01-01T00:00');
  await expect(dialog.getByText('Select a time within the last 14 days.')).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Replay', exact: true })).toBeDisabled();
  await expectAccessible(page);
  await dialog
    .getByLabel('Failed deliveries created after')
    .fill(new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 16));
  await dialog.getByRole('button', { name: 'Replay 12 deliveries' }).click();
  await expect(page.getByText('12 of 12 deliveries waiting, 0 succeeded.')).toBeVisible();
  await expect.poll(() => waiting.length).toBe(4);
  await press(page, 'Stop replay');
  await press(page, 'Stop replay');
  await expect(page.getByText('Stopped: 0 of 12 deliveries succeeded. The others stay failed.')).toBeVisible();
  for (const res of waiting) res.end();
  await expect(page.getByText('Stopped: 4 of 12 deliveries succeeded. The others stay failed.')).toBeVisible();

  receiver.answer(status(200));
  await press(page, 'Replay failed deliveries…');
  await dialog.getByRole('button', { name: 'Replay 8 deliveries' }).click();
  await expect(page.getByText('Done: 8 of 8 deliveries succeeded.')).toBeVisible();
  expect(receiver.received).toHaveLength(12);
});

test('the section is hidden without the scope and paused for a suspended application', async ({ page }) => {
  const house = await makeHouse({ scopes: ['catalog.read'] });
  await signIn(page, house.owner, webhookPath(house));
  await expect(page.getByText('Webhooks are not enabled')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Webhook', exact: true })).toHaveCount(0);

  const other = await makeHouse();
  await addEndpoint(other.tenant.id, other.applicationId, receiver.url);
  await db().application.update({ where: { id: other.applicationId }, data: { suspendedAt: new Date() } });
  await page.context().clearCookies();
  await signIn(page, other.owner, webhookPath(other));
  await expect(page.getByText('Paused because the application is suspended')).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Pause|Resume)$/ })).toHaveCount(0);
});
