import { expect } from '@playwright/test';
import { CURRENCIES } from '@/lib/contract/currencies';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { expectAccessible, go, makeHouse, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { lookAt } from '@/tests/support/look';

test('a stored code that is no currency is marked and corrected, and a booking keeps the price at which it was made', async ({
  page,
}) => {
  const { owner, service, key } = await makeHouse();
  await db().service.update({ where: { id: service.id }, data: { priceAmount: 900_000, priceCurrency: 'DEM' } });
  await signIn(page, owner, '/');
  const item = page.getByText(/the price is in DEM, which is not a current currency of ISO 4217/);
  await expect(item).toBeVisible();
  await page.getByRole('link', { name: 'Correct the price of Haircut' }).click();
  const currency = page.getByRole('combobox', { name: 'Currency' });
  await expect(currency).toHaveValue('DEM – not a currency');
  await expect(page.getByLabel('Amount')).toHaveValue('900000 DEM');
  await page.getByLabel('Minimum notice').fill('1:15');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText('This must be the ISO 4217 code of a current currency')).toBeVisible();
  // The refused field gets the focus, which opens its list.
  await expect(page.getByRole('option').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('option')).toHaveCount(0);
  await expectAccessible(page);
  await currency.click();
  await expect(page.getByRole('option')).toHaveCount(CURRENCIES.length + 1);
  await expect(page.getByRole('option', { name: /^(XXX|XAU|CHE|BGN)/ })).toHaveCount(0);
  await currency.click();
  await currency.fill('HUF');
  await page.getByRole('option', { name: 'HUF – Forint' }).click();
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText('from 900000 minor units of DEM to HUF 9,000.00')).toBeVisible();
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await expect(page.getByText('Service saved.')).toBeVisible();
  await page.getByLabel('Amount').fill('9500');
  await page.getByLabel('Amount').blur();
  await expect(page.getByLabel('Amount')).toHaveValue('9500.00 HUF');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect
    .poll(() => db().service.findUnique({ where: { id: service.id } }))
    .toMatchObject({ priceAmount: 950_000, priceCurrency: 'HUF' });
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await go(page, '/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(item).toHaveCount(0);

  const reference = await book({ key, service }, '10:00', 'order-1');
  await db().service.update({ where: { id: service.id }, data: { priceAmount: 100, priceCurrency: 'EUR' } });
  await go(page, `/bookings/${reference}`);
  await expect(page.getByText('HUF 9,500.00', { exact: false })).toBeVisible();
  await expect(page.getByText('per seat, when booked')).toBeVisible();
  await lookAt(page, 'booking-price');
});
