import { expect } from '@playwright/test';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, go, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt } from '@/tests/support/look';
import { callPartner, searchBox } from '@/tests/support/steps';

type House = Awaited<ReturnType<typeof makeHouse>>;

async function book({ key, service }: House, idempotencyKey: string) {
  const date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  const customer = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true };
  const body = { service_id: service.id, date, start_time: '10:00', external_reference: 'order-1', customer };
  const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return callPartner(key, '/bookings', { method: 'POST', headers, body: JSON.stringify(body) });
}

test('an original and its replay link to each other, the booking reference finds both, and a refusal states the slot', async ({
  page,
}) => {
  const business = await makeHouse();
  const idempotencyKey = 'the-same-write-twice';
  const original = await book(business, idempotencyKey);
  const replay = await book(business, idempotencyKey);
  expect([original.status, replay.status]).toEqual([201, 201]);
  await signIn(page, business.owner, `/requests/${original.requestId}`);
  await expect(page.getByText('booking.created')).toBeVisible();
  const related = page.getByRole('region', { name: 'Related requests' });
  await related
    .getByRole('row', { name: /Replay/ })
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(at(`/requests/${replay.requestId}`));
  await related
    .getByRole('row', { name: /Original/ })
    .getByRole('link')
    .click();
  await expect(page).toHaveURL(at(`/requests/${original.requestId}`));
  await page.getByRole('link', { name: 'Requests with this reference' }).first().click();
  await expect(page.getByRole('region', { name: 'Requests', exact: true }).getByRole('row')).toHaveCount(3);
  const taken = await book(business, 'another-write-of-the-slot');
  expect(taken.status).toBe(409);
  await go(page, `/requests/${taken.requestId}`);
  await expect(
    page.getByText(/^Haircut at Studio on .+ at 10:00 \(Europe\/Berlin\), external reference order-1$/),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'View Haircut' })).toBeVisible();
  await lookAt(page, 'request');
  await page.setViewportSize({ width: 1440, height: 900 });
  const log = `/requests/${taken.requestId}`;
  await page.getByRole('link', { name: 'Explain this day as of the request' }).click();
  await expect(page.getByText('10:00: Booked, or too close to another booking.')).toBeVisible();
  await expect(page.getByText(/since cannot be reconstructed/)).toBeVisible();
  await expect(
    page.getByRole('region', { name: 'Starts without a slot' }).getByRole('row', { name: /^10:00/ }),
  ).toBeVisible();
  await lookAt(page, 'preview-as-of-a-request');
  await page.getByRole('button', { name: 'Show now' }).click();
  await expect(page.getByText(/since cannot be reconstructed/)).toHaveCount(0);
  await go(page, log);
  await page.getByRole('link', { name: 'View the day schedule' }).click();
  await expect(page).toHaveURL(new RegExp(`/bookings/(?=.*date=\\d{4}-)(?=.*location=${business.location.id})`));
});

test('an unknown reference, a page past the end, a pasted key, and an unauthenticated request say what they are', async ({
  page,
}) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/requests');
  await searchBox(page).fill('pbk_test_0123456789');
  await searchBox(page).press('Enter');
  await expect(page.getByText('This is a secret')).toBeVisible();
  await lookAt(page, 'requests-secret');
  expect(page.url()).toBe(at('/requests'));
  await searchBox(page).fill('order-nobody-made');
  await searchBox(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'No request with this reference' })).toBeVisible();
  await go(page, '/requests/req_00000000000000000000000000');
  await expect(page.getByRole('heading', { name: 'No request with this ID' })).toBeVisible();
  await expect(page.getByText('a 503 with Retry-After: 1 while the server has too much work')).toBeVisible();
  await lookAt(page, 'request-unknown');
  await expectAccessible(page);
  for (const [path, name, back] of [
    [`/requests?cursor=2026-02-31T00:00:00.000Z_${newId('evt')}`, 'This page does not exist', 'Back to the first page'],
    ['/applications?page=99', 'Page 99 is empty', 'Go to the first page'],
  ] as const) {
    await go(page, path);
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await page.getByRole('button', { name: back }).click();
    await expect(page).toHaveURL(at(path.split('?')[0] ?? ''));
    await expect(page.getByRole('heading', { name })).toHaveCount(0);
  }

  const { requestId } = await callPartner('pbk_test_unknown', '/catalog');
  await go(page, `/requests/${requestId}`);
  await expect(page.getByText('Unauthenticated request')).toBeVisible();
  await expect(page.getByText('127.0.0.1')).toHaveCount(0);
});
