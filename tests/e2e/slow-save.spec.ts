import { expect, type Locator, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { go, makeHouse, signIn } from '@/tests/support/e2e';
import { dayFromNow as day } from '@/tests/support/e2e-booking';

const asked = (page: Page) => page.getByRole('dialog').filter({ hasText: /^Leave without/ });

/** Holds the calls of a procedure until the returned function is called. */
async function hold(page: Page, procedure: string): Promise<() => void> {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isCall = (url: URL) => url.pathname.startsWith('/api/trpc/') && url.pathname.includes(procedure);
  await page.route(isCall, async (route) => {
    await released;
    await route.continue();
  });
  return () => release();
}

type Save = { procedure: string; field: Locator; text: string; save: Locator; saved: Locator };

/** Enters `text` and saves it. While the answer is awaited, expects that the field cannot be changed. */
async function saveSlowly(page: Page, { procedure, field, text, save, saved }: Save): Promise<void> {
  const release = await hold(page, procedure);
  await field.fill(text);
  await save.click();
  await expect(field, procedure).toBeDisabled();
  await expect(field).toHaveValue(text);
  release();
  await expect(saved).toBeVisible();
}

test('what is being saved cannot be changed until it is saved, and leaving meanwhile asks', async ({ page }) => {
  const { owner, service, tenant } = await makeHouse();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await signIn(page, owner, `/catalog/services/${service.id}`);
  const description = page.getByLabel('Description (English)');
  const release = await hold(page, 'catalog.services.update');
  await description.fill('First text');
  await button('Save service').click();
  await expect(description).toBeDisabled();
  await page.getByRole('link', { name: 'Team', exact: true }).click();
  await expect(asked(page)).toBeVisible();
  await asked(page).getByRole('button', { name: 'Stay on page' }).click();
  release();
  await expect(page.getByText('Service saved.')).toBeVisible();
  await expect(description).toBeEnabled();
  await expect(description).toHaveValue('First text');
  await expect(button('Save service')).toBeHidden();

  await go(page, '/catalog/services/new');
  await page.getByLabel('Name (English)').fill('Beard trim');
  await page.getByLabel('Duration').fill('30');
  await saveSlowly(page, {
    procedure: 'catalog.services.create',
    field: page.getByLabel('Description (English)'),
    text: 'With oil',
    save: button('Create service'),
    saved: page.getByRole('heading', { name: 'Beard trim', level: 1 }),
  });

  await go(page, '/environment');
  const details = page.getByRole('region', { name: 'Business details' });
  await saveSlowly(page, {
    procedure: 'environment.change_business',
    field: details.getByLabel('Business name'),
    text: 'Unhurried Hair',
    save: details.getByRole('button', { name: 'Save' }),
    saved: page.getByText('Business details saved.'),
  });
  await expect(details.getByLabel('Business name')).toHaveValue('Unhurried Hair');
  const hours = page.getByLabel('Hours after the end');
  await page.getByLabel('Complete visits automatically').click();
  await saveSlowly(page, {
    procedure: 'bookings.visits.set_automatic',
    field: hours,
    text: '12',
    save: page.getByRole('button', { name: 'Save' }).last(),
    saved: page.getByText('Visits are completed after 12 hours.'),
  });
  await expect(hours).toHaveValue('12');

  await go(page, `/bookings/new?date=${day(7)}`);
  await page.getByLabel('Phone number').fill('+49 30 5550 1234');
  await page.getByLabel('Name').fill('Robin Sample');
  await page.getByLabel('Service').selectOption(service.id);
  await page.getByText('10:00', { exact: true }).click();
  await page.getByRole('checkbox').check();
  await saveSlowly(page, {
    procedure: 'bookings.create',
    field: page.getByLabel('Note'),
    text: 'Ground floor',
    save: button('Make booking'),
    saved: page.getByText('Booking made.'),
  });
  expect(await db().booking.count({ where: { tenantId: tenant.id } })).toBe(1);
});

test('a save whose answer is lost counts as saved when it is repeated', async ({ page }) => {
  const { owner, location } = await makeHouse();
  await signIn(page, owner, `/catalog/locations/${location.id}`);
  const loses = (url: URL) => url.pathname.includes('catalog.locations.update');
  await page.route(
    loses,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const phone = page.getByLabel('Phone');
  const save = page.getByRole('button', { name: 'Save location' });
  await phone.fill('+49 30 5550 1234');
  await save.click();
  await expect(page.getByText('Cannot reach the server.', { exact: false })).toBeVisible();
  await save.click();
  await expect(page.getByText('Location saved.', { exact: false })).toBeVisible();
  await expect(save).toBeHidden();
  await expect(phone).toHaveValue('+49 30 5550 1234');
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  expect(await db().location.findUnique({ where: { id: location.id } })).toMatchObject({ version: 2 });
});
