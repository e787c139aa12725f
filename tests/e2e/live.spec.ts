import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { Webhook } from 'standardwebhooks';
import { request } from 'undici';
import { certify } from '@/lib/booking/readiness/certificate';
import { FORCED } from '@/lib/contract/forced';
import { BASE_PATH } from '@/lib/contract/operations';
import { CRITERIA, type Readiness } from '@/lib/contract/readiness';
import { signerFrom } from '@/lib/platform/ed25519';
import { newId } from '@/lib/platform/ids';
import { test } from '@/tests/support/browser-test';
import { callProcedure } from '@/tests/support/control-center';
import { at, beforeScripts, expectAccessible, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { type PublicPartner, startPublicPartner } from '@/tests/support/internet/partner';
import { endLaunches, freshDataDir, launch, removeDataDirs, setupLinkOf } from '@/tests/support/launcher';
import { lookAt } from '@/tests/support/look';
import { until } from '@/tests/support/until';

const PASSWORD = 'correct horse battery';

// The tests share one deployment. Each test continues where the previous test ended.
test.describe.configure({ mode: 'serial' });

/** The key with which TEST signs readiness files. */
const signer = signerFrom(randomBytes(32));

let partner: PublicPartner;
let origin = '';
let link = '';

test.beforeAll(async () => {
  test.setTimeout(120_000);
  partner = await startPublicPartner();
  const DATA_DIR = await freshDataDir();
  const live = launch({ DATA_DIR, ENVIRONMENT: 'LIVE', TEST_READINESS_KEY: signer.publicKey, ...partner.settings });
  await live.running();
  [link = ''] = /http:\/\/localhost:\d+\/setup\/[\w-]{43}/.exec((await setupLinkOf(DATA_DIR)) ?? '') ?? [];
  ({ origin } = new URL(link));
});

test.afterAll(async () => {
  await endLaunches();
  await removeDataDirs();
  await partner.close();
});

/** Calls the LIVE API as a partner's server would. */
async function call(key: string, method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) };
  const once = body ? { 'idempotency-key': crypto.randomUUID() } : {};
  const options = { method, headers: { ...headers, ...once }, body: body ? JSON.stringify(body) : undefined };
  const answer = await request(`${origin}${BASE_PATH}${path}`, options);
  const content = (await answer.body.json()) as { data: never; error: { code: string; reason: string | null } };
  return { status: answer.statusCode, ...content };
}

async function setUp(page: Page): Promise<void> {
  await page.goto(`${origin}/sign-in`);
  await expect(page.getByText('This deployment has no owner yet')).toBeVisible();
  await page.goto(`${origin}/setup/${'a'.repeat(43)}`);
  await expect(page.getByText('This link does not work')).toBeVisible();
  const create = page.getByRole('button', { name: 'Create Control Center' });
  const entries = [
    [page.getByLabel('Business name'), 'Harbour Hair'],
    [page.getByRole('combobox', { name: 'Time zone' }), 'Europe/Berlin'],
    [page.getByLabel('Your name'), 'Olivia Owner'],
    [page.getByLabel('Email address'), 'olivia@harbour.example'],
    [page.getByRole('textbox', { name: 'Password' }), PASSWORD],
  ] as const;
  await beforeScripts(page, link, async () => {
    for (const [field, text] of entries) await field.fill(text);
    await expect(page.getByRole('combobox', { name: 'Languages' })).not.toBeEditable();
    await expect(create).toBeDisabled();
  });
  await expect(page.getByRole('button', { name: 'Remove English' })).toBeVisible();
  await expect(page.getByText('LIVE', { exact: true })).toBeVisible();
  for (const [field, text] of entries) await expect(field).toHaveValue(text);
  await page.getByLabel('Business name').fill('');
  await create.click();
  await expect(page.getByText('Enter the business name.')).toBeVisible();
  await lookAt(page, 'setup');
  await page.getByLabel('Business name').fill('Harbour Hair');
  await create.click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
  await expect(page.getByText('Harbour Hair').first()).toBeVisible();
}

async function importCatalog(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Catalog', exact: true }).click();
  await page.getByRole('link', { name: 'Import and export' }).click();
  await page.getByLabel('Catalog as JSON').fill(await readFile('docs/catalog-example.json', 'utf8'));
  await page.getByRole('button', { name: 'Check changes' }).click();
  await page.getByRole('button', { name: 'Import 3 changes' }).click();
  await expect(page.getByText('Catalog imported.')).toBeVisible();
}

/** Creates an application and returns its first key. */
async function letIn(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByRole('link', { name: 'New application' }).first().click();
  await page.waitForURL(/\/applications\/new$/);
  await page.getByLabel('Name').fill('Booking site');
  for (const scope of [/booking\.create/, /booking\.manage/, /webhooks\.manage/]) await page.getByLabel(scope).check();
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.waitForURL(/\/applications\/app_\w+\/keys$/);
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Production server');
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  const key = (await dialog.getByText(/^pbk_live_\w{38}$/).textContent()) ?? '';
  await page.getByLabel('I have stored this key').check();
  await page.getByRole('button', { name: 'Done' }).click();
  return key;
}

/** Creates the application's webhook endpoint and returns its secret. */
async function addEndpoint(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Webhook', exact: true }).click();
  await page.getByRole('button', { name: 'Create endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill('http://127.0.0.1/hooks');
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  await expect(dialog.getByLabel('URL')).toBeFocused();
  await expect(dialog.getByRole('button', { name: 'Create endpoint' })).toBeEnabled();
  await dialog.getByLabel('URL').fill(partner.url);
  await dialog.getByRole('button', { name: 'Create endpoint' }).click();
  const secret = (await dialog.getByText(/^whsec_/).textContent()) ?? '';
  await dialog.getByLabel('I have stored this secret').check();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return secret;
}

/** Books the first available slot and returns the booking's reference. */
async function book(key: string, external_reference = 'order-1'): Promise<string> {
  const { data: catalog } = await call(key, 'GET', '/catalog');
  type Catalog = { services: [{ id: string }]; locations: [{ id: string }] };
  const [{ id: service_id }] = (catalog as Catalog).services;
  const [{ id: location_id }] = (catalog as Catalog).locations;
  const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const query = `service_id=${service_id}&location_id=${location_id}&date=${day(3)}&date_to=${day(9)}`;
  const { data: free } = await call(key, 'GET', `/availability?${query}`);
  const [{ date, start_time }] = (free as { slots: [{ date: string; start_time: string }] }).slots;
  const customer = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true };
  const booked = await call(key, 'POST', '/bookings', {
    service_id,
    location_id,
    date,
    start_time,
    external_reference,
    customer,
  });
  expect(booked.status).toBe(201);
  return (booked.data as { booking: { reference: string } }).booking.reference;
}

async function arrived(count: number, secret: string) {
  const all = await until(
    async () => partner.received,
    ({ length }) => length >= count,
  );
  return all.map(({ body, headers }) => new Webhook(secret).verify(body, headers));
}

test('a LIVE deployment works from its first start to an imported catalog, a booking and its cancellation', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await setUp(page);
  await importCatalog(page);
  const key = await letIn(page);
  const secret = await addEndpoint(page);
  const reference = await book(key);
  const created = { type: 'booking.created', environment: 'LIVE', data: { booking: { reference, version: 1 } } };
  expect(await arrived(1, secret)).toMatchObject([created]);

  await page.getByRole('link', { name: 'Bookings', exact: true }).click();
  await page.getByRole('region', { name: 'Bookings', exact: true }).getByRole('link').first().click();
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').selectOption('duplicate');
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(page.getByText('Canceled · version 2')).toBeVisible();
  const read = await call(key, 'GET', `/bookings/${reference}`);
  expect(read).toMatchObject({ status: 200, data: { booking: { version: 2, status: 'cancelled' } } });
  const cancelled = { type: 'booking.cancelled', data: { booking: { reference, version: 2 }, actor: 'owner' } };
  expect(await arrived(2, secret)).toMatchObject([created, cancelled]);

  // External references that force a response in TEST have no special meaning in LIVE (contract B13).
  for (const word of FORCED) {
    const read = await call(key, 'GET', `/bookings/${await book(key, `test:${word}`)}`);
    expect(read, word).toMatchObject({ status: 200, data: { booking: { version: 1, status: 'confirmed' } } });
  }
});

/** Opens the used setup link, follows the link on that page to the sign-in page, and signs in. */
async function signInToLive(page: Page): Promise<void> {
  await page.goto(link);
  await expect(page.getByText('this Control Center already has an owner')).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.getByLabel('Email address').fill('olivia@harbour.example');
  await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/\/t\/ten_\w{26}$/);
}

const daysAway = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const scoreOf = (name: string): Readiness => ({
  application: { id: newId('app'), name },
  ...{ business: 'Studio Mitte', environment: 'TEST', host: 'https://test.booking.example', contract: 'v1' },
  criteria: CRITERIA.map((criterion, index) =>
    index === 0
      ? { criterion, state: 'not_yet', at: null, request_id: null }
      : { criterion, state: 'met', at: daysAway(-2), request_id: newId('req') },
  ),
  met: CRITERIA.length - 1,
  conformance: { at: daysAway(-1), passed: 120, failed: 0, skipped: 1, calls: 240, seen: 240 },
  ...{ issued_at: daysAway(-1), expires_at: daysAway(29) },
});

test('LIVE does not accept the used owner link, takes a readiness file, offers no reset, and rejects TEST keys', async ({
  page,
}) => {
  // One browser can be signed in to TEST and LIVE at the same time.
  const { owner } = await makeHouse();
  await signIn(page, owner, null);
  await signInToLive(page);
  await page.getByRole('link', { name: 'Applications', exact: true }).click();
  await page.getByRole('link', { name: 'Booking site', exact: true }).click();
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  const section = page.getByRole('region', { name: 'Readiness for LIVE' });
  await expect(section).toContainText('No readiness file.');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await expect(page.getByRole('dialog')).toContainText('You can issue the key without it.');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await section.getByRole('button', { name: 'Add readiness file' }).click();
  const dialog = page.getByRole('dialog');
  const file = certify(scoreOf('Booking site'), signer);
  for (const [bad, why] of [
    [file.slice(0, -2), 'The file was changed or cut off'],
    [certify(scoreOf('Another site'), signer), 'The file is for an application with another name'],
  ] as const) {
    await dialog.getByLabel('Readiness file').fill(bad);
    await dialog.getByRole('button', { name: 'Add file' }).click();
    await expect(dialog.getByRole('alert')).toContainText(why);
  }
  await expectAccessible(page);
  await dialog.locator('input[type=file]').setInputFiles({
    ...{ name: 'readiness.jws', mimeType: 'application/jose' },
    buffer: Buffer.from(`${file}\n`),
  });
  await expect(dialog.getByLabel('Readiness file')).toHaveValue(`${file}\n`);
  await dialog.getByRole('button', { name: 'Add file' }).click();
  await expect(section).toContainText('4 of 5 criteria met');
  await expect(section).toContainText('Signed by https://test.booking.example for “Studio Mitte”');
  await expect(section).toContainText('check that it is yours');
  await lookAt(page, 'readiness-live');
  await page.getByRole('button', { name: 'Issue key' }).click();
  await expect(page.getByRole('dialog')).toContainText('Readiness in TEST: 4 of 5 criteria met.');
  await lookAt(page, 'readiness-live-issue');

  await page.goto(at('/environment'));
  await expect(page.getByRole('banner').getByText('TEST', { exact: true })).toBeVisible();
  await page.goto(`${origin}/environment`);
  await expect(page.getByRole('heading', { level: 1, name: 'Environment' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('LIVE', { exact: true })).toBeVisible();
  await expect(page.getByText(/PostgreSQL \d/)).toBeVisible();
  await expect(page.getByText(/reset/i)).toHaveCount(0);
  await screenshot(page, 'environment-live');
  const foreign = await call(`pbk_test_${'0'.repeat(38)}`, 'GET', '/catalog');
  expect(foreign).toMatchObject({ status: 401, error: { code: 'invalid_api_key' } });
  const cookie = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
  for (const [procedure, input] of [
    ['environment.reset_now', { tenant_name: 'Harbour Hair' }],
    ['environment.set_reset_policy', { policy: 'DAILY' }],
  ] as const) {
    const reply = await callProcedure(procedure, { origin, cookie, type: 'mutation', input });
    expect(reply.status).toBe(404);
  }
});

test('LIVE documentation has no console that sends requests', async () => {
  const html = await (await fetch(`${origin}/docs/reference/createBooking`)).text();
  expect(html).toMatch(/<h1[^>]*>Create a booking/);
  expect(html).not.toMatch(/class="try"|id="try-it"|<script[^>]*src="[^"]*try/);
  const inTest = await (await fetch(at('/docs/reference/createBooking'))).text();
  expect(inTest).toMatch(/class="try"|id="try-it"/);
});
