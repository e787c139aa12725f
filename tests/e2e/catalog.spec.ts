import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { createBooking, listCatalog } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, go, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { makeService } from '@/tests/support/factories';
import { lookAt } from '@/tests/support/look';
import { CATALOG } from '@/tests/support/paths';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Returns the names of the services in the partner API's catalog. */
async function serviceNamesOf(key: string): Promise<string[]> {
  const response = await fetch(at(CATALOG), {
    method: listCatalog.method,
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: { services: { name: string }[] } };
  return data.services.map(({ name }) => name);
}

/** Creates a booking through the partner API. */
async function book(key: string, service_id: string, start_time: string): Promise<void> {
  const customer = { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true };
  const external_reference = `order-${start_time.replace(':', '')}`;
  const response = await fetch(at(CATALOG.replace('/catalog', createBooking.path)), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `key-of-${external_reference}-0123`,
    },
    body: JSON.stringify({ service_id, date: day(7), start_time, external_reference, customer }),
  });
  expect(response.status).toBe(201);
}

/** Checks a page with `lookAt`, at 1440 px and 390 px in both color schemes. Leaves the viewport 1280 px wide. */
async function look(page: Page, name: string): Promise<void> {
  test.slow();
  await page.setViewportSize({ width: 1440, height: 900 });
  await lookAt(page, `catalog-${name}`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

test('an owner creates, offers, previews, and publishes a service that a partner reads, and unpublishes another one', async ({
  page,
}) => {
  const { owner, key, specialist, service } = await makeHouse();
  await signIn(page, owner, '/catalog');
  await page.getByRole('link', { name: 'New service' }).click();
  await page.getByRole('button', { name: 'Create service' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'One field is invalid' })).toBeVisible();
  await expect(page.getByText('Name (English) is required.')).toBeVisible();
  await expect(page.getByLabel('Name (English)')).toBeFocused();
  await page.getByLabel('Name (English)').fill('Deep massage');
  await page.getByRole('tab', { name: 'German' }).click();
  await page.getByLabel('Name (German)').fill('Tiefenmassage');
  await page.getByLabel('Duration').fill('60');
  await page.getByLabel('Has a price').check();
  await page.getByLabel('Amount').fill('89.00');
  await page.getByRole('button', { name: 'Create service' }).click();
  await page.waitForURL(/\/catalog\/services\/svc_\w+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Deep massage');
  const id = page.url().split('/').at(-1) ?? '';
  expect(await db().service.findUnique({ where: { id } })).toMatchObject({ priceAmount: 8900, published: false });

  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const publish = page.getByRole('dialog');
  await expect(publish.getByText('Nobody offers this service')).toBeVisible();
  const anyway = publish.getByRole('button', { name: 'Publish anyway' });
  await expect(anyway).toHaveAccessibleDescription(/^Nobody offers this service/);
  await expectAccessible(page);
  await screenshot(page, 'catalog-publish-unoffered');
  await publish.getByRole('link', { name: 'Who offers this' }).click();
  await expect(publish).toBeHidden();
  await expect(page.getByRole('heading', { name: 'Who offers this' })).toBeFocused();

  await page.getByRole('combobox', { name: 'Specialist' }).click();
  await page.getByRole('option', { name: specialist.displayName }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(page.getByRole('button', { name: `Remove ${specialist.displayName} from Studio` })).toBeVisible();
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText('Service saved. Partners see the change within a second.')).toBeVisible();
  expect(await db().offering.count({ where: { serviceId: id, specialistId: specialist.id } })).toBe(1);
  await go(page, `/catalog/preview?service=${id}&date=${day(7)}`);
  await expect(page.getByText('The service is unpublished')).toBeVisible();
  await expect(page.getByRole('list', { name: 'Slots' }).getByRole('listitem')).toHaveCount(29);
  await look(page, 'preview');

  await go(page, `/catalog/services/${id}`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expect(publish.getByText('Nobody offers this service')).toHaveCount(0);
  await page.getByRole('dialog').getByRole('button', { name: 'Publish service' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText('Published', { exact: true })).toBeVisible();
  await expect.poll(() => serviceNamesOf(key)).toEqual(['Haircut', 'Deep massage']);

  // Unpublishing states its consequences. Bookings outside the catalog are kept and listed.
  await book(key, service.id, '10:00');
  await go(page, `/catalog/services/${service.id}`);
  await page.getByRole('button', { name: 'Unpublish' }).click();
  await expect(publish.getByText('1 future booking will be kept.')).toBeVisible();
  await expect(publish.getByRole('link')).toHaveCount(1);
  await screenshot(page, 'catalog-unpublish');
  await publish.getByRole('button', { name: 'Unpublish service' }).click();
  await expect(publish).toBeHidden();
  await expect(page.getByText('1 future booking no longer matches the catalog')).toBeVisible();
  await expect(page.getByText('the service is unpublished')).toBeVisible();
  await expect.poll(() => serviceNamesOf(key)).toEqual(['Deep massage']);
  expect(await db().booking.count({ where: { serviceId: service.id, status: 'confirmed', version: 1 } })).toBe(1);
});

test('hours can pass midnight, and are saved after a warning about the bookings outside', async ({ page }) => {
  const { owner, location, key, service } = await makeHouse();
  await book(key, service.id, '16:00');
  const path = `/catalog/locations/${location.id}`;
  await signIn(page, owner, path);
  await page.getByLabel('Opening hours, Monday, interval 1, closes').fill('12:00');
  await page.getByLabel('Opening hours: add interval on Monday').click();
  await page.getByLabel('Opening hours, Monday, interval 2, opens').fill('18:00');
  await page.getByLabel('Opening hours, Monday, interval 2, closes').fill('02:00');
  await expect(page.getByText('next day', { exact: true })).toBeVisible();
  await page.getByLabel('Opening hours: Copy Monday’s hours to every day').click();
  await page.getByLabel('Exceptions: add date').click();
  await page.getByLabel('Exceptions, exception 1, note').fill('Closed');
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText('This must be a date, YYYY-MM-DD.')).toBeVisible();
  await page.getByLabel('Exceptions, exception 1, date').fill('2030-12-24');
  await page.getByRole('button', { name: 'Save location' }).click();
  const warning = page.getByRole('dialog', { name: '1 booking falls outside the new hours' });
  await expect(warning.getByRole('link')).toHaveCount(1);
  await screenshot(page, 'catalog-affected');
  await warning.getByRole('button', { name: 'Back' }).click();
  await expect(warning).toBeHidden();
  expect(await db().locationHours.count({ where: { locationId: location.id, closes: '02:00' } })).toBe(0);
  await page.getByRole('button', { name: 'Save location' }).click();
  await warning.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Location saved. Partners see the change within a second.')).toBeVisible();
  await expect(page.getByText('1 future booking no longer matches the catalog')).toBeVisible();
  expect(await db().locationHours.count({ where: { locationId: location.id, closes: '02:00' } })).toBe(7);
});

test('a specialist is created with hours, a break, and time off, and an exported catalog is refused, corrected, and imported', async ({
  page,
}) => {
  const { owner, key, service, location } = await makeHouse();
  await signIn(page, owner, '/catalog/specialists');
  await page.getByRole('link', { name: 'New specialist' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Kim Beispiel');
  await page.getByRole('button', { name: 'Add location' }).click();
  await page.getByRole('combobox', { name: 'Services at Studio' }).click();
  await page.getByRole('option', { name: 'Haircut' }).click();
  await page.keyboard.press('Escape');
  // The hours begin as the opening hours.
  for (const day of ['Monday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])
    await page.getByLabel(`Remove Working hours at Studio, ${day}, interval 1`).click();
  await expect(page.getByRole('button', { name: 'Use the opening hours of Studio' })).toBeVisible();
  await page.getByLabel('Breaks: add interval on Tuesday').click();
  await page.getByLabel('Breaks, Tuesday, interval 1, opens').fill('12:00');
  await page.getByLabel('Breaks, Tuesday, interval 1, closes').fill('12:30');
  await page.getByRole('button', { name: 'Add time off' }).click();
  await page.getByLabel('Time off 1, from').fill('2030-01-01T00:00');
  await page.getByLabel('Time off 1, until').fill('2030-01-08T00:00');
  await look(page, 'new-specialist');
  await page.getByRole('button', { name: 'Create specialist' }).click();
  await page.waitForURL(/\/catalog\/specialists\/spc_\w+$/);
  const id = page.url().split('/').at(-1) ?? '';
  const include = { offerings: true, hours: true, breaks: true, timeOff: true };
  expect(await db().specialist.findUnique({ where: { id }, include })).toMatchObject({
    offerings: [{ serviceId: service.id, locationId: location.id }],
    hours: [{ weekday: 2, opens: '09:00', closes: '17:00' }],
    breaks: [{ weekday: 2, opens: '12:00', closes: '12:30' }],
    timeOff: [{ startsAt: new Date('2030-01-01T00:00Z') }],
  });

  await go(page, '/catalog/transfer');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export catalog' }).click();
  const text = await readFile(await (await downloading).path(), 'utf8');
  const box = page.getByLabel('Catalog as JSON');
  const check = page.getByRole('button', { name: 'Check changes' });
  await box.fill(text);
  await check.click();
  await expect(page.getByText('No changes')).toBeVisible();

  await box.fill(text.replace('"duration_minutes": 30', '"duration_minutes": 0'));
  await check.click();
  await expect(page.getByText('$.services[0].duration_minutes')).toBeVisible();
  await look(page, 'import-errors');

  await box.fill(text.replace('"Haircut"', '"Long haircut"'));
  await check.click();
  await expect(page.getByRole('region', { name: 'Changes', exact: true }).getByText('Long haircut')).toBeVisible();
  await look(page, 'import-plan');
  await page.getByRole('button', { name: 'Import 1 change' }).click();
  await expect(page.getByText('Catalog imported.')).toBeVisible();
  await expect.poll(() => serviceNamesOf(key)).toEqual(['Long haircut']);
});

test('a filter without matches is cleared, and a holiday closes all locations after its bookings are confirmed', async ({
  page,
}) => {
  const { owner, key, service, location } = await makeHouse();
  await book(key, service.id, '10:00');
  await signIn(page, owner, '/catalog/locations?search=nowhere');
  await expect(page.getByText('No matching results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('link', { name: 'Studio' })).toBeVisible();
  await page.getByRole('button', { name: 'Add closure' }).click();
  await page.getByLabel('First day').fill(day(7));
  await page.getByLabel('Note').fill('Public holiday');
  await look(page, 'closure');
  await page.getByRole('button', { name: 'Add closure to 1 location' }).click();
  const warning = page.getByRole('dialog', { name: '1 booking falls outside the new hours' });
  await expect(warning.getByRole('link')).toHaveCount(1);
  await look(page, 'affected');
  await expect(warning.getByText('Times are in Europe/Berlin.')).toBeVisible();
  await warning.getByRole('button', { name: 'Back' }).click();
  await expect(warning).toBeHidden();
  for (const hour of [9, 11, 12, 13, 14, 15, 16]) {
    const time = String(hour).padStart(2, '0');
    await book(key, service.id, `${time}:00`);
    await book(key, service.id, `${time}:30`);
  }
  await page.getByRole('button', { name: 'Add closure to 1 location' }).click();
  const long = page.getByRole('dialog', { name: '15 bookings fall outside the new hours' });
  await expect(long.getByRole('link')).toHaveCount(15);
  await page.setViewportSize({ width: 390, height: 600 });
  // The list of bookings scrolls, so the buttons below it stay visible.
  await expect(long.getByRole('button', { name: 'Save anyway' })).toBeInViewport({ ratio: 1 });
  await expect(long.getByRole('heading', { name: '15 bookings fall outside the new hours' })).toBeInViewport();
  await screenshot(page, 'catalog-affected-many');
  await long.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Closure added to 1 location.')).toBeVisible();
  expect(await db().locationException.findFirst({ where: { locationId: location.id } })).toMatchObject({
    date: new Date(`${day(7)}T00:00Z`),
    hours: [],
    note: 'Public holiday',
  });
});

test('selected services get new prices after a preview, and a large change is confirmed', async ({ page }) => {
  const { owner, service, tenant } = await makeHouse();
  await db().service.update({ where: { id: service.id }, data: { priceAmount: 16_500, priceCurrency: 'EUR' } });
  await makeService(tenant.id, { name: { en: 'Massage' }, published: false });
  await signIn(page, owner, '/catalog');
  await page.getByLabel('Select Haircut').check();
  await look(page, 'selected');
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeDisabled();
  await page.getByLabel('Select Massage').check();
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  const publish = page.getByRole('dialog', { name: 'Publish 2 services?' });
  await expect(publish.getByText('Nobody offers 1 selected service')).toBeVisible();
  await expect(publish.getByRole('button', { name: 'Publish anyway' })).toBeVisible();
  await expect(publish.getByRole('link', { name: 'Massage' })).toHaveAttribute('href', /\/svc_\w+#offered-by$/);
  await publish.getByRole('button', { name: 'Cancel' }).click();
  await expect(publish).toBeHidden();
  await page.getByLabel('Select Massage').uncheck();
  await page.getByRole('button', { name: 'Change prices' }).click();
  await page.getByLabel('Percentage change').fill('10');
  await expect(page.getByRole('cell', { name: '€181.50' })).toBeVisible();
  await look(page, 'prices');
  await page.getByLabel('Round to').selectOption('.90');
  await expect(page.getByRole('cell', { name: '€181.90' })).toBeVisible();
  await page.getByLabel('Round to').selectOption('none');
  await page.getByRole('radio', { name: 'From a date' }).check();
  await page.getByLabel('First date').fill(day(30));
  await page.getByRole('button', { name: 'Schedule 1 price' }).click();
  await expect(page.getByText('1 price scheduled.')).toBeVisible();
  await expect(page.getByText(/^€181\.50 from /)).toBeVisible();
  await page.getByLabel('Select Haircut').check();
  await expect(page.getByRole('button', { name: 'Remove 1 scheduled price' })).toBeVisible();
  await page.getByRole('button', { name: 'Change prices' }).click();
  await page.getByLabel('Percentage change').fill('-60');
  await page.getByRole('button', { name: 'Change 1 price' }).click();
  const question = page.getByRole('dialog', { name: 'Save these prices?' });
  await question.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('1 price changed.')).toBeVisible();
  expect(await db().service.findUnique({ where: { id: service.id } })).toMatchObject({ priceAmount: 6_600 });

  await page.getByRole('link', { name: 'Haircut' }).click();
  await expect(page.getByLabel('Amount')).toHaveValue('66.00 €');
  await expect(page.getByText(/^€181\.50 from .*for bookings that are made from then on/)).toBeVisible();
  await page.getByLabel('Amount').fill('free');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByLabel('Amount')).toBeFocused();
  await page.getByLabel('Amount').fill('175,50');
  await page.getByLabel('Minimum notice').fill('1:15');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(
    page.getByText('The price will change from €66.00 to €175.50. This is a change of more than 50%.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Service saved. Partners see the change within a second.')).toBeVisible();
  const stored = await db().service.findUnique({ where: { id: service.id } });
  expect(stored).toMatchObject({ priceAmount: 17_550, minLeadMinutes: 75 });
});
