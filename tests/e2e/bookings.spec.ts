import { expect, type Locator, type Page } from '@playwright/test';
import { request } from 'undici';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '@/tests/support/control-center';
import { at, expectAccessible, go, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book, dayFromNow as day } from '@/tests/support/e2e-booking';
import { catalogChanged } from '@/tests/support/factories';
import { lookAt } from '@/tests/support/look';
import { moveToPast } from '@/tests/support/past';

/**
 * Inserts canceled copies of a booking on its day and the following days. Each of these days then has eight bookings,
 * except that the last day can have fewer. Canceled bookings need no claims.
 */
async function copyBooking(reference: string, copies: number) {
  await db().$executeRaw`
    INSERT INTO bookings (reference, tenant_id, application_id, status, version, service_id, location_id, specialist_id,
      starts_at, ends_at, time_zone, date, start_time, end_date, end_time, local_version, zone_rules,
      cancellation_cutoff_minutes, external_reference, consent_at, cancelled_at, cancelled_by, created_at, updated_at)
    SELECT 'pbr_' || substr(md5(b.reference || n), 1, 26), tenant_id, application_id, 'cancelled', version, service_id,
      location_id, specialist_id, starts_at + (n / 8) * interval '1 day', ends_at + (n / 8) * interval '1 day', time_zone,
      date + n / 8, start_time, end_date + n / 8, end_time, local_version, zone_rules, cancellation_cutoff_minutes, 'copy-' || n, consent_at, created_at, 'owner', created_at,
      updated_at
    FROM bookings b, generate_series(1, ${copies}::int) n WHERE b.reference = ${reference}`;
}

type House = Awaited<ReturnType<typeof makeHouse>>;

async function readAsPartner({ key }: House, reference: string) {
  const headers = { authorization: `Bearer ${key}` };
  const response = await request(at(`${BASE_PATH}/bookings/${reference}`), { headers });
  return ((await response.body.json()) as { data: { booking: Record<string, unknown> } }).data.booking;
}

const table = (page: Page) => page.getByRole('region', { name: 'Bookings', exact: true });

/** Returns the rows of bookings, without the header and day headings. */
const rows = (page: Page) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('link') });

/** Finds a booking by phone number from any page, and cancels it. Asserts that this takes four clicks. */
async function cancelForCaller(page: Page, phone: string, externalReference: string) {
  let clicks = 0;
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
  };
  await click(page.getByRole('button', { name: 'Search', exact: true }));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').fill(phone);
  await click(dialog.getByRole('option', { name: 'Find bookings for' }));
  await expect(dialog).toBeHidden();
  await expect(page).toHaveURL(at('/bookings'));
  await expect(page.getByRole('textbox', { name: /phone number$/ })).toHaveValue(phone);
  const row = rows(page).filter({ hasText: externalReference });
  await click(row.getByRole('button', { name: 'Cancel booking' }));
  await click(dialog.getByRole('button', { name: 'Cancel booking' }));
  await expect(row).toContainText('Canceled');
  await expect(dialog).toBeHidden();
  expect(clicks).toBe(4);
}

test('an owner finds a booking, reveals its contact, and cancels it, and the partner reads version 2', async ({
  page,
}) => {
  const house = await makeHouse();
  const reference = await book(house, '10:00', 'order-1');
  await book(house, '11:00', 'order-2');
  await signIn(page, house.owner, '/bookings');
  await expect(rows(page)).toHaveCount(2);
  await page.getByRole('textbox', { name: /^Booking reference/ }).fill('order-1');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at('/bookings?period=all&reference=order-1'));
  await expect(rows(page)).toHaveCount(1);
  await table(page).getByRole('link').first().click();
  await expect(page).toHaveURL(at(`/bookings/${reference}`));
  // Contact details are shown on request, which is audited.
  await expect(page.getByText('R***')).toBeVisible();
  expect(await page.content()).not.toContain('Robin');
  await page.getByRole('button', { name: 'Show contact' }).click();
  await expect(page.getByText('Robin Sample')).toBeVisible();
  await expect(page.getByText('+493055501234')).toBeVisible();
  const seen = { objectId: reference, action: 'booking.contact_viewed' };
  expect(await db().auditLog.count({ where: seen })).toBe(1);
  await page.getByRole('button', { name: 'Hide contact' }).click();
  await expect(page.getByText('Robin Sample')).toHaveCount(0);
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(/, 10:00–10:30 \(Europe\/Berlin\)$/)).toBeVisible();
  for (const fact of ['Haircut', 'Studio', 'Alex Example', 'order-1']) {
    await expect(dialog.getByRole('definition').filter({ hasText: fact })).toBeVisible();
  }
  await dialog.getByLabel('Reason').selectOption('duplicate');
  await lookAt(page, 'bookings-cancel');
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(page.getByText('Canceled · version 2')).toBeVisible();
  await expect(page.getByText('by Olivia Owner')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel booking' })).toHaveCount(0);
  expect(await readAsPartner(house, reference)).toMatchObject({
    version: 2,
    status: 'cancelled',
    cancelled_by: 'owner',
  });
  await page.getByRole('link', { name: 'View request' }).click();
  await expect(page).toHaveURL(/\/requests\/req_/);
  await page.getByRole('link', { name: 'View booking' }).click();
  await expect(page).toHaveURL(at(`/bookings/${reference}`));
  // Closes the location for the whole day of the 11:00 booking. This booking then needs attention.
  await db().locationException.create({ data: { locationId: house.location.id, date: new Date(day(7)), hours: [] } });
  await catalogChanged(house.tenant.id);
  await go(page, '/');
  await expect(page.getByText('Studio: 1 future booking no longer matches the opening hours')).toBeVisible();
  await page.getByRole('link', { name: 'View bookings at Studio' }).click();
  await expect(page.getByText('1 future booking no longer matches the catalog')).toBeVisible();
  await lookAt(page, 'bookings-list');
  await page.setViewportSize({ width: 1440, height: 900 });
  // Like the list, the booking's page and the day schedule state that the booking needs attention.
  await page.getByRole('link', { name: /, 11:00, / }).click();
  await expect(
    page.getByText('Outside the opening hours of Studio or the working hours of Alex Example'),
  ).toBeVisible();
  await page.getByRole('link', { name: 'Day schedule' }).click();
  await expect(page.getByRole('link', { name: /^order-2.*Needs attention: outside working or/ })).toBeVisible();
  await lookAt(page, 'bookings-day');
});

test('a concurrent change is reported, reloaded, the action succeeds and is undone, also for a whole day', async ({
  page,
}) => {
  const house = await makeHouse();
  const reference = await book(house, '10:00', 'order-1');
  await moveToPast(reference);
  await signIn(page, house.owner, `/bookings/${reference}`);
  await page.getByRole('button', { name: 'Mark as no-show' }).click();
  await db().booking.update({ where: { reference }, data: { version: 2 } });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Mark as no-show' }).click();
  await expect(dialog.getByText('Someone else has changed this record.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('button', { name: 'Mark as completed' }).click();
  await dialog.getByRole('button', { name: 'Mark as completed' }).click();
  await expect(page.getByText('Completed · version 3')).toBeVisible();
  await page.getByRole('button', { name: 'Undo completion' }).click();
  await dialog.getByRole('button', { name: 'Undo completion' }).click();
  await expect(page.getByText('Reopened · version 4')).toBeVisible();

  await go(page, '/bookings');
  await page.getByRole('button', { name: 'Complete visits' }).click();
  await expect(dialog.getByText(/^No confirmed booking of /)).toBeVisible();
  await dialog.getByLabel('Day').fill(day(7 - 30));
  await expect(dialog.getByRole('checkbox', { name: /^Complete 10:00 .*order-1$/ })).toBeChecked();
  await expectAccessible(page);
  await screenshot(page, 'bookings-visits');
  await dialog.getByRole('button', { name: 'Complete 1 visit' }).click();
  await expect(page.getByText('1 visit completed.')).toBeVisible();
  expect(await db().booking.findUnique({ where: { reference } })).toMatchObject({ status: 'completed', version: 5 });
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await db().booking.findUnique({ where: { reference } })).toMatchObject({ status: 'confirmed', version: 6 });
});

test('the front desk finds a caller, moves and cancels the booking, and sees nothing of partners', async ({ page }) => {
  const house = await makeHouse();
  const desk = await makePerson(house.tenant.id, 'FRONT_DESK', 'Dora Desk');
  const reference = await book(house, '10:00', 'order-1');
  await book(house, '11:00', 'order-2', day(8));
  await signIn(page, desk, `/bookings/day?date=${day(7)}`);
  const sections = page.getByRole('navigation', { name: 'Sections' });
  await expect(sections.getByRole('link')).toHaveText(['Bookings', 'Catalog']);
  await go(page, '/statistics');
  await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
  await expect(page.getByLabel('Period')).toHaveCount(0);
  await sections.getByRole('link', { name: 'Bookings' }).click();
  await page.getByRole('textbox', { name: /phone number$/ }).fill('+49 (30) 5550-1234');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 bookings with +49 30 55501234.')).toBeVisible();
  await expect(page).toHaveURL(at('/bookings'));
  await screenshot(page, 'bookings-caller');
  await rows(page).filter({ hasText: 'order-1' }).click();
  await expect(page).toHaveURL(at(`/bookings/${reference}`));
  await expect(page.getByRole('link', { name: /request/i })).toHaveCount(0);
  await page.goBack();
  await expect(page.getByText('2 bookings with +49 30 55501234.')).toBeVisible();
  await page.goForward();
  await page.getByRole('button', { name: 'Show contact' }).click();
  await expect(page.getByRole('link', { name: '+493055501234' })).toHaveAttribute('href', 'tel:+493055501234');

  await page.getByRole('button', { name: 'Reschedule' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('radio', { name: '11:00' })).toBeAttached();
  await dialog.getByText('11:00', { exact: true }).click();
  await expect(dialog.getByText(/^New time: .*, 11:00–11:30 with Alex Example/)).toBeVisible();
  await lookAt(page, 'bookings-reschedule');
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await expect(page.getByText('Rescheduled · version 2')).toBeVisible();
  await expect(page.getByText('by Dora Desk')).toBeVisible();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Cancel booking' }).click();
  await dialog.getByRole('button', { name: 'Cancel booking' }).click();
  await expect(page.getByText('Canceled · version 3')).toBeVisible();
  await go(page, '/catalog/specialists');
  await cancelForCaller(page, '+49 (30) 5550-1234', 'order-2');
  await page.goto(at('/'));
  await expect(page).toHaveURL(at('/bookings'));
  await go(page, '/applications');
  await expect(page.getByRole('heading', { name: 'You do not have access' })).toBeVisible();
});

test('the day schedule is printed and can be read with forced colors, and 50 bookings fit in 2,600 px', async ({
  page,
}) => {
  const house = await makeHouse();
  const reference = await book(house, '10:00', 'order-1');
  await signIn(page, house.owner, `/bookings/day?date=${day(6)}`);
  await expect(page.getByText('0 bookings')).toBeVisible();
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect(page).toHaveURL(at(`/bookings/day?date=${day(7)}`));
  const list = page.getByRole('list', { name: 'Alex Example' });
  await expect(list.getByText('10:00–10:30 Haircut')).toBeVisible();
  // The axis of the calendar begins at 08:00. The calendar is scrolled to 09:00, when the location opens.
  const frame = page.getByRole('region', { name: 'Day schedule for Studio' });
  await expect.poll(() => frame.evaluate(({ scrollTop }) => scrollTop)).toBe(72);
  await expect(page.getByRole('list', { name: 'Alex Example, works 09:00–17:00' })).toBeVisible();
  const sheet = page.getByRole('row', { name: /^10:00–10:30 Alex Example Haircut order-1 .*Confirmed$/ });
  await expect(sheet).toBeHidden();
  await page.emulateMedia({ media: 'print' });
  await expect(sheet).toBeVisible();
  await expect(list).toBeHidden();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen', forcedColors: 'active' });
  const current = page.getByRole('navigation', { name: 'Sections' }).locator('[aria-current="page"]');
  await expect(current).toHaveCSS('outline-style', 'solid');
  await expect(page.locator('[data-kind="closed"]').first()).toHaveCSS('background-image', /repeating-linear-gradient/);
  await screenshot(page, 'forced-colors-day');
  await page.emulateMedia({ forcedColors: 'none' });
  await list.getByRole('link', { name: 'order-1' }).click();
  await expect(page).toHaveURL(at(`/bookings/${reference}`));

  // The list of several days. From 1,280 px up, each row opens its booking.
  await copyBooking(reference, 49);
  await page.setViewportSize({ width: 1280, height: 900 });
  await go(page, '/bookings?status=any');
  await expect(rows(page)).toHaveCount(50);
  await expect(table(page).getByRole('table')).not.toHaveAttribute('data-stacked');
  await expect(table(page).getByRole('heading', { level: 2 })).toHaveCount(7);
  const heights = await rows(page).evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height));
  expect(new Set(heights.map(Math.round))).toEqual(new Set([44]));
  expect((await table(page).boundingBox())?.height).toBeLessThanOrEqual(2600);
  // At the end of the list, the table header is still visible below the page header.
  const last = rows(page).last();
  await last.scrollIntoViewIfNeeded();
  await expect(table(page).getByRole('columnheader', { name: 'Status' })).toBeInViewport();
  await last.click();
  await expect(page).toHaveURL(/\/bookings\/pbr_\w{26}$/);
});
