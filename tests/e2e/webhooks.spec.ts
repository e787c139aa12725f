import { expect, type Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, go, hrefOf, makeHouse, signIn } from '@/tests/support/e2e';
import { book, dayFromNow } from '@/tests/support/e2e-booking';
import { moveToPast } from '@/tests/support/past';
import { type Received, type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
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

/** Waits until the receiver has received `count` events. Returns the newest event. */
async function arrived(count: number): Promise<Received> {
  const all = await until(
    async () => receiver.received,
    ({ length }) => length >= count,
  );
  expect(all).toHaveLength(count);
  return all.at(-1) as Received;
}

function verify(secret: string, { body, headers }: Received): { id: string; type: string } {
  return new Webhook(secret).verify(body, headers) as { id: string; type: string };
}

async function takeSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog');
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
  await expect(dialog.getByText(`WEBHOOK_SECRET=${secret}`, { exact: true })).toBeVisible();
  await expect(dialog.getByRole('button', { name: 'Copy secret' })).toBeFocused();
  await page.keyboard.press('Escape');
  // Once the page behind has loaded the endpoint, its heading can receive the focus.
  await expect(page.locator('#endpoint')).toBeAttached();
  await dialog.getByLabel('I have stored this secret').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(dialog).toBeHidden();
  expect(await page.content()).not.toContain(secret);
  return secret;
}

test('an owner creates, pauses and resumes an endpoint, and changes its secret and its URL', async ({ page }) => {
  test.slow();
  const house = await makeHouse();
  await signIn(page, house.owner, `/applications/${house.applicationId}`);
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await expect(page.getByText('No endpoint yet')).toBeVisible();
  await press(page, 'Create endpoint');
  const dialog = page.getByRole('dialog');
  // The dialog accepts http URLs, because this server allows endpoints at loopback addresses.
  await expect(dialog).toContainText('A public https URL, or an http or https URL on the server’s machine');
  await dialog.getByLabel('URL').fill('https://10.0.0.1/hooks');
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog.getByText('This must be on the public internet.')).toBeVisible();
  await expect(dialog.getByLabel('URL')).toBeFocused();
  await expectAccessible(page);
  await dialog.getByLabel('URL').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog.getByText(/^whsec_/)).toBeVisible();
  await expectAccessible(page);
  const secret = await takeSecret(page);
  await expect(page.getByRole('heading', { name: 'Endpoint', exact: true })).toBeFocused();

  const reference = await book(house, '10:00', 'order-1');
  expect(verify(secret, await arrived(1))).toMatchObject({ type: 'booking.created', data: { booking: { reference } } });
  await expect(deliveries(page).getByText('Succeeded')).toBeVisible();

  await press(page, 'Pause');
  await expect(dialog).toContainText('Only test events will be sent.');
  await expect(dialog).toContainText(
    'You can still send test events. If the receiver responds to a test event with 410 Gone, the endpoint is disabled.',
  );
  await expectAccessible(page);
  await press(page, 'Pause endpoint');
  await expect(page.getByText('Paused by an owner')).toBeVisible();
  await book(house, '11:00', 'order-2');
  await expect(deliveries(page).getByText('Held')).toBeVisible();
  await expect(page.getByText(/^1 delivery is held\./)).toContainText('at least 30 days');
  // A paused endpoint still gets test events. This test event must be the next event that arrives, because the event of
  // the second booking is held.
  await press(page, 'Send test event');
  await expect(page.getByText(/^Test event delivered\. Status 200/)).toBeVisible();
  expect(verify(secret, await arrived(2))).toMatchObject({ type: 'webhook.test', data: {} });

  await press(page, 'Resume');
  await expect(page.getByRole('button', { name: 'Resume endpoint' })).toBeVisible();
  await press(page, 'Resume endpoint');
  expect(verify(secret, await arrived(3))).toMatchObject({ type: 'booking.created' });
  await expect(deliveries(page).getByText('Held')).toHaveCount(0);
  await expect(deliveries(page).getByText('Succeeded')).toHaveCount(3);

  // During an overlap, both secrets sign.
  await press(page, 'Rotate secret');
  await page.getByLabel('Current secret stops signing').selectOption('7');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Rotate secret' }).click();
  const second = await takeSecret(page);
  await expect(page.getByText('Signing secrets: 2 of 5')).toBeVisible();
  await expect(page.getByText(/^expires in 6 d 23 h$/)).toBeVisible();
  await book(house, '12:00', 'order-3');
  const both = await arrived(4);
  for (const one of [secret, second]) expect(verify(one, both)).toMatchObject({ type: 'booking.created' });
  // Ends the overlap of the first secret early.
  await press(page, 'Deactivate secret 1');
  await expect(dialog).toContainText('New attempts are no longer signed with secret 1');
  await dialog.getByRole('button', { name: 'Deactivate secret' }).click();
  await expect(page.getByText('Signing secrets: 1 of 5')).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Endpoint', exact: true })).toBeFocused();
  await expect(page.getByRole('button', { name: /^Deactivate/ })).toHaveCount(0);
  await book(house, '13:00', 'order-4');
  const last = await arrived(5);
  expect(verify(second, last)).toMatchObject({ type: 'booking.created' });
  expect(() => verify(secret, last)).toThrow();

  // A concurrent edit is reported and keeps the input.
  await press(page, 'Edit');
  const theirs = { url: `${receiver.url}/theirs`, version: { increment: 1 } };
  const where = { applicationId: house.applicationId };
  await db().webhookEndpoint.update({ where, data: theirs });
  await dialog.getByLabel('URL').fill(`${receiver.url}/mine`);
  await dialog.getByRole('checkbox', { name: /^booking\.no_show/ }).uncheck();
  await press(page, 'Save endpoint');
  await expect(dialog.getByText('Someone else saved changes')).toBeVisible();
  await expect(dialog.getByText(`${receiver.url}/theirs`)).toBeVisible();
  await expectAccessible(page);
  await press(page, 'Keep my changes');
  await press(page, 'Save endpoint');
  await expect(dialog).toBeHidden();
  expect(await db().webhookEndpoint.findUnique({ where })).toMatchObject({ url: `${receiver.url}/mine` });
});

test('a 410 disables the endpoint and shows a banner on every page until an owner re-enables it', async ({ page }) => {
  const house = await makeHouse();
  await addEndpoint(house.tenant.id, house.applicationId, receiver.url);
  receiver.answer(status(410, {}, 'moved out'));
  await signIn(page, house.owner, webhookPath(house));
  const reference = await book(house, '10:00', 'order-1');
  await expect(page.getByText('Disabled because the receiver responded with 410 Gone')).toBeVisible({
    timeout: 20_000,
  });
  const link = page.getByRole('link', { name: 'View Full access partner’s endpoint' });
  await go(page, '/nowhere');
  await expect(page.getByText('A webhook endpoint is disabled')).toBeVisible();
  const today = new Intl.DateTimeFormat('sv', { timeZone: house.location.timeZone }).format(new Date());
  await moveToPast(reference, (Date.parse(dayFromNow(7)) - Date.parse(today)) / 86_400_000);
  await go(page, '/');
  await expect(page.getByText(/^1 booking, /)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Day schedule for Studio' })).toHaveAttribute(
    'href',
    hrefOf(`/bookings/day?date=${today}&location=${house.location.id}`),
  );
  await expect(page.getByRole('link', { name: 'Open webhook for Full access partner' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Webhook endpoints' })).toContainText('Disabled');
  await page.getByRole('link', { name: 'Webhooks', exact: true }).click();
  const row = page.getByRole('region', { name: 'Webhook endpoints' }).locator('tbody tr');
  await expect(row).toContainText('1 held');
  // Clicks the middle of the row, which is outside the row's link.
  await row.click();
  await expect(page).toHaveURL(at(webhookPath(house)));
  const chart = page.getByRole('figure', { name: 'Attempts over time' });
  await expect(chart.getByText('1 attempt, 1 failed')).toBeVisible();
  await chart.getByText('Show as table').click();
  await expect(chart.getByRole('row')).toHaveCount(2);
  await expectAccessible(page);
  await link.click();
  // The delivery is held, and none has failed.
  await expect(page.getByRole('button', { name: 'Replay failed deliveries…' })).toHaveCount(0);

  await press(page, 'Send test event');
  await expect(page.getByText(/^Test event failed\. The receiver responded with 410 Gone/)).toBeVisible();
  receiver.answer(status(200));
  await press(page, 'Send test event');
  await expect(page.getByText(/^Test event delivered\./)).toBeVisible();
  await press(page, 'Re-enable');
  await expect(page.getByRole('button', { name: 'Re-enable endpoint' })).toBeVisible();
  await press(page, 'Re-enable endpoint');
  await expect(page.getByText('A webhook endpoint is disabled')).toBeHidden();
  await expect(deliveries(page).getByText('Succeeded')).toHaveCount(2);
  // The first attempt got a 410, which disabled the endpoint. The second attempt sent the same event.
  const [refused] = receiver.received;
  const again = receiver.received.at(-1);
  expect(again?.headers).toMatchObject({ 'webhook-id': refused?.headers['webhook-id'], 'webhook-attempt': '2' });
});
