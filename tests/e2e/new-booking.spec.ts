import { expect } from '@playwright/test';
import { request } from 'undici';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makePerson } from '@/tests/support/control-center';
import { at, go, makeHouse, signIn } from '@/tests/support/e2e';
import { book, dayFromNow as day } from '@/tests/support/e2e-booking';
import { lookInBothSchemes } from '@/tests/support/look';

test('existing bookings are imported after a preview that names what is in the way', async ({ page }) => {
  const house = await makeHouse();
  await book(house, '10:00', 'order-1');
  await signIn(page, house.owner, '/bookings/new');
  await page.getByRole('link', { name: 'Import bookings' }).click();
  await expect(page.getByRole('heading', { name: 'Import bookings', level: 1 })).toBeVisible();
  const header = 'service,specialist,date,start_time,customer_name,customer_phone,consent_to_contact';
  const line = (time: string) => `Haircut,Alex Example,${day(7)},${time},Robin Sample,+49 30 5550 1234,true`;
  const field = page.getByLabel('Bookings as CSV or JSON');
  await field.fill([header, line('10:00'), line('25:00')].join('\n'));
  await page.getByRole('button', { name: 'Check bookings' }).click();
  await expect(page.getByText('These bookings cannot be imported: 2 problems')).toBeVisible();
  await expect(page.getByText('another appointment of the specialist', { exact: false })).toBeVisible();
  await lookInBothSchemes(page, 'import-bookings-problems');
  await field.fill([header, line('11:00'), line('20:10')].join('\n'));
  await page.getByRole('button', { name: 'Check bookings' }).click();
  await expect(page.getByText('1 booking breaks a rule')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import 2 bookings' })).toBeDisabled();
  await page.getByLabel('Import it anyway').check();
  await lookInBothSchemes(page, 'import-bookings');
  await page.getByRole('button', { name: 'Import 2 bookings' }).click();
  await expect(page.getByText('2 bookings imported.')).toBeVisible();
  expect(await db().booking.count({ where: { tenantId: house.tenant.id, source: 'business' } })).toBe(2);

  // The business shows names: the list, the day, and the search know them.
  await go(page, '/privacy');
  await page.getByLabel('Show customer names').click();
  await page.getByRole('button', { name: 'Show names' }).click();
  await expect(page.getByText('Customer names are shown.')).toBeVisible();
  await go(page, '/bookings');
  await expect(page.getByText('Robin Sample').filter({ visible: true })).toHaveCount(3);
  await page.getByLabel(/phone number, or name/).fill('sample');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('3 bookings with sample.', { exact: false })).toBeVisible();
  await go(page, `/bookings/day?date=${day(7)}`);
  await expect(page.locator('[data-item]').getByText('Robin Sample')).toHaveCount(3);
  const viewed = { tenantId: house.tenant.id, action: 'customer_names.viewed' };
  const views = (await db().auditLog.findMany({ where: viewed })).map(({ after }) => Object(after).view);
  expect(views.sort()).toEqual(['day', 'list']);
});

test('a caller is booked, and then a partner gets 409 for that time', async ({ page }) => {
  const house = await makeHouse();
  const desk = await makePerson(house.tenant.id, 'FRONT_DESK', 'Dora Desk');
  const partners = await book(house, '09:00', 'order-1', day(7), undefined, {
    customer: { email: 'robin@mail.example.com', locale: 'de-DE' },
    note: 'Ground floor.\nWithout stairs.',
    metadata: { campaign: 'spring', basket: '4711' },
  });
  await signIn(page, desk, `/bookings/${partners}`);
  await expect(page.getByText('r***@m***.com')).toBeVisible();
  await page.getByRole('button', { name: 'Show contact' }).click();
  await expect(page.getByRole('link', { name: 'robin@mail.example.com' })).toBeVisible();
  for (const text of ['Without stairs.', 'campaign: spring', 'de-DE'])
    await expect(page.getByText(text, { exact: false })).toBeVisible();
  await lookInBothSchemes(page, 'booking-optional');

  await go(page, `/bookings/day?date=${day(7)}`);
  await page.getByRole('link', { name: 'New booking' }).click();
  await page.getByLabel('Phone number').fill('030 5550 1234');
  await page.getByLabel('Phone number').press('Enter');
  await expect(page.getByText('Known customer.')).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue('Robin Sample');
  await expect(page.getByLabel('Phone number')).toHaveValue('+493055501234');
  await page.getByRole('button', { name: 'Make booking' }).click();
  await expect(page.getByText('Select a service.')).toBeVisible();
  await page.getByLabel('Service').selectOption(house.service.id);
  await expect(page.getByLabel('Date')).toHaveValue(day(7));
  await page.getByText('10:00', { exact: true }).click();
  await expect(page.getByRole('radio', { name: '09:00' })).toHaveCount(0);
  await page.getByLabel(/agreed to be contacted/).check();
  await page.getByLabel('Note').fill('Rings the bell.');
  await page.getByLabel('Email').fill('robin@example');
  await page.getByRole('button', { name: 'Make booking' }).click();
  await expect(page.getByText('must be an email address', { exact: false })).toBeVisible();
  await page.getByLabel('Email').fill(' robin@example.com ');
  await lookInBothSchemes(page, 'new-booking');
  await page.getByRole('button', { name: 'Make booking' }).dblclick();
  await expect(page.getByText('The business. No partner sees this booking.')).toBeVisible();
  await page.getByRole('button', { name: 'Show contact' }).click();
  await expect(page.getByText('Rings the bell.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'robin@example.com' })).toBeVisible();
  expect(await db().booking.count({ where: { tenantId: house.tenant.id, source: 'business' } })).toBe(1);

  const response = await request(at(`${BASE_PATH}/bookings`), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${house.key}`,
      'content-type': 'application/json',
      'idempotency-key': 'key-of-order-2-0123456789',
    },
    body: JSON.stringify({
      service_id: house.service.id,
      date: day(7),
      start_time: '10:00',
      external_reference: 'order-2',
      customer: { name: 'Robin Sample', phone: '+49 30 5550 1234', consent_to_contact: true },
    }),
  });
  expect(response.statusCode).toBe(409);
  expect(await response.body.json()).toMatchObject({ error: { reason: 'slot_taken' } });

  // A click on free time fills in the specialist, the day, and the time. So does N on the booking before it.
  await go(page, `/bookings/day?date=${day(7)}`);
  const column = page.locator('[data-column]').first();
  const box = await column.boundingBox();
  const frame = await page.getByRole('region', { name: /^Day schedule/ }).boundingBox();
  if (!box || !frame) throw new Error('no column');
  await page.mouse.click(box.x + box.width / 2, frame.y + 300);
  await expect(page.getByRole('heading', { name: 'New booking', level: 1 })).toBeVisible();
  const specialist = house.specialist.id;
  const preset = (time: RegExp) => {
    const { searchParams: asked } = new URL(page.url());
    expect([asked.get('date'), asked.get('specialist')]).toEqual([day(7), specialist]);
    expect(asked.get('time')).toMatch(time);
  };
  preset(/^\d\d:(00|15|30|45)$/);
  await page.getByLabel('Service').selectOption(house.service.id);
  await expect(page.getByLabel('Specialist')).toHaveValue(specialist);
  await go(page, `/bookings/day?date=${day(7)}`);
  await page.locator('[data-item]').first().focus();
  await page.keyboard.press('n');
  await expect(page.getByRole('heading', { name: 'New booking', level: 1 })).toBeVisible();
  preset(/^09:\d\d$|^10:00$/);
  // In the week, a finger taps, and the front desk, who may not block time, can drag.
  await go(page, `/bookings/week?date=${day(7)}&specialist=${specialist}`);
  const shown = page.locator(`[data-column="${day(7)}"]`);
  await shown.evaluate((element) => element.scrollIntoView());
  await shown.dispatchEvent('click', { clientY: (await shown.boundingBox())?.y ?? 0 });
  await expect(page.getByRole('heading', { name: 'New booking', level: 1 })).toBeVisible();
  preset(/^\d\d:(00|15|30|45)$/);

  // In the evening, the business books after a confirmation that names the broken rule.
  await page.goto(at(`/bookings/new?date=${day(7)}&time=20:10`));
  await page.getByLabel('Phone number').fill('+49 30 5550 1234');
  await page.getByLabel('Name').fill('Robin Sample');
  await page.getByLabel(/agreed to be contacted/).check();
  await page.getByLabel('Service').selectOption(house.service.id);
  await expect(page.getByLabel('Another time')).toBeChecked();
  await expect(page.getByLabel('Start time')).toHaveValue('20:10');
  await expect(page.getByText(/outside the hours of the location/)).toBeVisible();
  await page.getByRole('button', { name: 'Make booking' }).click();
  await expect(page.getByText('this time cannot be booked', { exact: false })).toBeVisible();
  await page.getByLabel('Book it anyway').check();
  await page.getByRole('button', { name: 'Make booking' }).click();
  await expect(page.getByText('The business. No partner sees this booking.')).toBeVisible();
  expect(await db().booking.count({ where: { tenantId: house.tenant.id, source: 'business' } })).toBe(2);
});
