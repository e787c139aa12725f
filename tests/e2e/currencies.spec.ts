import { type Browser, expect, type Page, test } from '@playwright/test';
import { CURRENCIES } from '@/lib/contract/currencies';
import { db } from '@/lib/platform/db';
import { bothBrowsers } from '@/tests/support/browser';
import { at, expectAccessible, makeHouse, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { makeService } from '@/tests/support/factories';
import { lookAt } from '@/tests/support/look';

const BROWSERS = await bothBrowsers(2, 'prices');

/** The price of every service, in minor units, and how it is written with each number of decimals. */
const AMOUNT = 1_234_567;
const SHOWN: Record<number, string> = { 0: '1,234,567', 2: '12,345.67', 3: '1,234.567' };
/** The same after 7 major units have been added. */
const RAISED: Record<number, string> = { 0: '1,234,574', 2: '12,352.67', 3: '1,241.567' };

const PER_PAGE = 50;

/** Creates a business with one service per currency, whose name is the currency's code. */
async function makePriced() {
  const house = await makeHouse();
  await db().offering.deleteMany({ where: { tenantId: house.tenant.id } });
  await db().service.deleteMany({ where: { tenantId: house.tenant.id } });
  for (const { code } of CURRENCIES)
    await makeService(house.tenant.id, { name: { en: code }, priceAmount: AMOUNT, priceCurrency: code });
  return house;
}

/** Returns the number in the text of a price, without its symbol. */
const numberIn = (text: string | null) => /\d[\d.,]*/.exec(text ?? '')?.[0];

/** Returns the number in the column of prices of each row on a page of the list, by the name of the service. */
async function pricesOn(page: Page): Promise<Record<string, string | undefined>> {
  const rows = page.getByRole('row').filter({ has: page.getByRole('link', { name: /^[A-Z]{3}$/ }) });
  await expect(rows.first()).toBeVisible();
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [row.querySelector('a')?.textContent ?? '', row.querySelector('[data-label=Price]')?.textContent]),
  );
  return Object.fromEntries(texts.map(([code, text]) => [code ?? '', numberIn(text ?? null)]));
}

const expected = (numbers: Record<number, string>, page: number) =>
  Object.fromEntries(
    CURRENCIES.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(({ code, digits }) => [code, numbers[digits]]),
  );

async function raiseAllOn(page: Page, count: number): Promise<void> {
  await page
    .getByLabel(/^Select [A-Z]{3}$/)
    .first()
    .check();
  await page.getByRole('button', { name: 'Select all on this page' }).click();
  await page.getByRole('button', { name: 'Change prices' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change prices' });
  await dialog.getByText('Amount', { exact: true }).click();
  await dialog.getByLabel('Amount to add to each price').fill('7');
  await dialog.getByRole('button', { name: `Change ${count} prices` }).click();
  await expect(dialog).toBeHidden();
}

/** Returns the sentences of the changes on a page of the audit log. */
async function changesOn(page: Page): Promise<string[]> {
  const sentences = page.getByText(/raised the price of /);
  await expect(sentences.first()).toBeVisible({ timeout: 60_000 });
  return sentences.allTextContents();
}

async function turnPage(page: Page): Promise<void> {
  const url = page.url();
  const first = page.getByText(/raised the price of /).first();
  const text = await first.textContent();
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page).not.toHaveURL(url);
  await expect(first).not.toHaveText(text ?? '');
}

for (const [i, launch] of BROWSERS.entries()) {
  test(`every currency is shown and typed with the decimals of ISO 4217, browser ${i + 1} of ${BROWSERS.length}`, async ({
    playwright,
  }) => {
    test.setTimeout(360_000);
    const browser: Browser = await playwright.chromium.launch(launch);
    test.info().annotations.push({ type: 'browser', description: `Chromium ${browser.version()}` });
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    const { owner, tenant } = await makePriced();
    await signIn(page, owner, null);

    const pages = Math.ceil(CURRENCIES.length / PER_PAGE);
    for (let number = 1; number <= pages; number += 1) {
      await page.goto(at(`/catalog?page=${number}`));
      const count = Object.keys(expected(SHOWN, number)).length;
      expect(await pricesOn(page)).toEqual(expected(SHOWN, number));
      await raiseAllOn(page, count);
      await expect.poll(() => pricesOn(page)).toEqual(expected(RAISED, number));
    }
    const stored = await db().service.findMany({ where: { tenantId: tenant.id }, orderBy: { priceCurrency: 'asc' } });
    expect(stored.map(({ priceCurrency, priceAmount }) => [priceCurrency, priceAmount])).toEqual(
      CURRENCIES.map(({ code, digits }) => [code, AMOUNT + 7 * 10 ** digits]),
    );

    await page.goto(at('/audit?action=service.updated'));
    const audited: Record<string, (string | undefined)[]> = {};
    for (let number = 1; number <= pages; number += 1) {
      for (const text of await changesOn(page)) {
        const [, name = '', before = '', after = ''] = /price of ([A-Z]{3}) from (.+) to (.+)/.exec(text) ?? [];
        audited[name] = [numberIn(before), numberIn(after)?.replace(/[^\d]*$/, '')];
      }
      if (number < pages) await turnPage(page);
    }
    expect(audited).toEqual(
      Object.fromEntries(CURRENCIES.map(({ code, digits }) => [code, [SHOWN[digits], RAISED[digits]]])),
    );
    await browser.close();
  });

  test(`a price is typed in the form with the decimals of ISO 4217, browser ${i + 1} of ${BROWSERS.length}`, async ({
    playwright,
  }) => {
    test.setTimeout(240_000);
    const browser: Browser = await playwright.chromium.launch(launch);
    const page = await (await browser.newContext({ reducedMotion: 'reduce' })).newPage();
    const { owner, service } = await makeHouse();
    await db().service.update({ where: { id: service.id }, data: { priceAmount: 100, priceCurrency: 'EUR' } });
    await signIn(page, owner, `/catalog/services/${service.id}`);
    for (const [code, amount, text] of [
      ['HUF', 900_000, '9000.00'],
      ['IQD', 9_000_000, '9000.000'],
      ['RSD', 900_000, '9000.00'],
      ['JPY', 9_000, '9000'],
      ['XCG', 900_000, '9000.00'],
    ] as const) {
      const currency = page.getByRole('combobox', { name: 'Currency' });
      await currency.click();
      await currency.fill(code);
      await page.getByRole('option', { name: new RegExp(`^${code} – `) }).click();
      await page.getByLabel('Amount').fill('9000');
      await page.getByLabel('Amount').blur();
      await expect(page.getByLabel('Amount')).toHaveValue(new RegExp(`^${text.replace('.', '\\.')} `));
      await page.getByRole('button', { name: 'Save service' }).click();
      await page.getByRole('button', { name: 'Save anyway' }).click();
      await expect(page.getByRole('dialog')).toBeHidden();
      await expect
        .poll(() => db().service.findUnique({ where: { id: service.id } }))
        .toMatchObject({ priceAmount: amount, priceCurrency: code });
    }
    await browser.close();
  });
}

test('the picker offers only current currencies, and a stored code that is none is marked', async ({ page }) => {
  const { owner, service } = await makeHouse();
  await db().service.update({ where: { id: service.id }, data: { priceAmount: 900_000, priceCurrency: 'DEM' } });
  await signIn(page, owner, '/');
  const item = page.getByText(/the price is in DEM, which is not a current currency of ISO 4217/);
  await expect(item).toBeVisible();
  await lookAt(page, 'overview-invalid-price');
  await page.getByRole('link', { name: 'Correct the price of Haircut' }).click();
  const currency = page.getByRole('combobox', { name: 'Currency' });
  await expect(currency).toHaveValue('DEM – not a currency');
  await expect(page.getByLabel('Amount')).toHaveValue('900000 DEM');
  await page.getByLabel('Minimum notice').fill('1:15');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText('This must be the ISO 4217 code of a current currency')).toBeVisible();
  // The refused field gets the focus, which opens its list.
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
  await page.goto(at('/'));
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(item).toHaveCount(0);
});

test('a booking page shows the price at which it was booked', async ({ page }) => {
  const { owner, service, key } = await makeHouse();
  await db().service.update({ where: { id: service.id }, data: { priceAmount: 900_000, priceCurrency: 'HUF' } });
  const reference = await book({ key, service }, '10:00', 'order-1');
  await db().service.update({ where: { id: service.id }, data: { priceAmount: 100, priceCurrency: 'EUR' } });
  await signIn(page, owner, `/bookings/${reference}`);
  await expect(page.getByText('HUF 9,000.00', { exact: false })).toBeVisible();
  await expect(page.getByText('per seat, when booked')).toBeVisible();
  await lookAt(page, 'booking-price');
});
