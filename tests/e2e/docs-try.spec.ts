import { expect, type Page } from '@playwright/test';
import { OPERATIONS } from '@/lib/contract/operations';
import { test } from '@/tests/support/browser-test';
import { at, makeHouse } from '@/tests/support/e2e';
import { lookInBothSchemes } from '@/tests/support/look';
import { SOAK } from '@/tests/support/soak';

let key = '';
let serviceId = '';

test.beforeAll(async () => {
  const house = await makeHouse();
  key = house.key;
  serviceId = house.service.id;
});

/**
 * Opens an operation's page in the documentation. Returns the fields, buttons, and outputs of the form that sends
 * requests.
 */
async function consoleOf(page: Page, operation: string) {
  await page.goto(at(`/docs/reference/${operation}`));
  const form = page.locator('form.try');
  return {
    form,
    key: form.getByLabel('API key'),
    body: form.getByLabel('Body'),
    send: form.getByRole('button', { name: 'Send request' }),
    outcome: form.getByRole('status'),
    answer: form.locator('.answer code'),
    curl: form.locator('> .code code'),
  };
}

test('makes a booking by keyboard alone, and keeps the key only in its input', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const it = await consoleOf(page, 'createBooking');
  await it.key.focus();
  await page.keyboard.insertText(key);
  await it.form.getByRole('button', { name: 'Fill in a free slot' }).press('Enter');
  await expect(it.outcome).toContainText('Filled in the free slot at');
  await expect(it.body).toHaveValue(new RegExp(serviceId));
  await it.key.press('Enter');
  await expect(it.outcome).toContainText('201 Created');
  await expect(it.answer.nth(0)).toContainText(/x-ratelimit-remaining: \d+\n(.*\n)*x-request-id: req_/);
  await expect(it.answer.nth(1)).toContainText('"status": "confirmed"');
  // If the same request is sent again, its stored response is returned, even if one of the requests in between got no
  // response. A changed body makes it a new request.
  await page.route('**/bookings', (route) => route.abort());
  await it.send.click();
  await expect(it.outcome).toHaveText('No response. The outcome is unknown: send the same request again.');
  await page.unroute('**/bookings');
  await it.send.click();
  await expect(it.answer.nth(0)).toContainText('idempotent-replayed: true');
  await it.body.fill((await it.body.inputValue()).replace('order-4711', 'test:slot_taken'));
  await it.send.click();
  await expect(it.answer.nth(1)).toContainText('"reason": "slot_taken"');
  await expect(it.curl).toContainText(`curl -i -X POST '${at('/api/partner/v1/bookings')}'`);
  await expect(it.curl).toContainText('-H "Authorization: Bearer $API_KEY"');
  await page.setViewportSize({ width: 390, height: 900 });
  await lookInBothSchemes(page, 'docs-try');

  const kept = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, databases, history.state]);
  });
  expect(kept).toBe('[{},{},"",[],null]');
  expect(await page.content()).not.toContain(key);
  expect(await it.curl.textContent()).not.toContain(key);
  expect([...requests, page.url()].filter((url) => url.includes(key) || !url.startsWith(at('')))).toEqual([]);
  await page.reload();
  await expect(it.key).toHaveValue('');
});

// In `npm test`, of one operation of each method, with and without an id in its path.
test('sends the documented example of operations', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  const first = new Map(OPERATIONS.toReversed().map((one) => [`${one.method} ${/\{/.test(one.path)}`, one]));
  for (const { id, path } of SOAK ? OPERATIONS : first.values()) {
    const it = await consoleOf(page, id);
    await it.key.fill(key);
    await it.send.click();
    // Operations that require an id return a 404, because the example ids belong to no record.
    const refused =
      /\{/.test(path) ||
      ['listAvailability', 'listAvailabilityDays', 'explainAvailability', 'createBooking'].includes(id);
    await expect(it.outcome, id).toContainText(refused ? '404 Not Found' : /^(200 OK|202 Accepted|409 Conflict)/);
    await expect(it.answer.nth(1), id).toContainText('"request_id": "req_');
  }
  expect(problems).toEqual([]);
});

test('shows a refusal, and sends neither an empty key, nor a LIVE key, nor a header that is not ASCII', async ({
  page,
}) => {
  const it = await consoleOf(page, 'listCatalog');
  await it.send.click();
  await expect(it.outcome).toHaveText('Enter a TEST key first.');
  await expect(it.key).toBeFocused();
  await it.key.fill(`pbk_live_${'0'.repeat(38)}`);
  await it.send.click();
  await expect(it.outcome).toContainText('This is a LIVE key. It was not sent');
  await it.key.fill(key);
  await it.form.getByLabel('Accept-Language').fill('日本語');
  await it.send.click();
  await expect(it.outcome).toHaveText('Accept-Language has a character that is not ASCII.');
  await it.form.getByLabel('Accept-Language').fill('');
  await it.form.getByLabel('limit').fill('0');
  await it.send.click();
  await expect(it.outcome).toContainText('400 Bad Request');
  await expect(it.answer.nth(1)).toContainText('"code": "invalid_request"');
  await expect(it.curl).toContainText("/catalog?limit=0'");
});
