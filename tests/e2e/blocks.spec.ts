import { expect } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { expectAccessible, go, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book, dayFromNow as day } from '@/tests/support/e2e-booking';
import { lookAt, testLooks } from '@/tests/support/look';

test('an owner blocks time by dragging and with the keyboard, and adds a calendar, whose busy times show in the day schedule', async ({
  page,
}) => {
  const house = await makeHouse();
  const date = day(7);
  await book(house, '15:00', 'order-1');
  await signIn(page, house.owner, `/bookings/day?date=${date}`);
  const column = page.locator('[data-column]').first();
  const dialog = page.getByRole('dialog');
  await expect(column).toBeVisible();
  const blocked = page.getByRole('button', { name: /^Blocked / });

  // An hour is 84 px high. The drag covers at least half an hour.
  const box = await column.boundingBox();
  const frame = await page.getByRole('region', { name: /^Day schedule/ }).boundingBox();
  if (!box || !frame) throw new Error('no column');
  const [x, y] = [box.x + box.width / 2, frame.y + 120];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x, y + 30);
  await page.mouse.move(x, y + 60, { steps: 3 });
  await page.mouse.up();
  await expect(dialog.getByRole('heading', { name: 'Block time' })).toBeVisible();
  await dialog.getByLabel('Reason').fill('Dentist');
  await expectAccessible(page);
  await screenshot(page, 'block-form');
  await dialog.getByRole('button', { name: 'Block time' }).click();
  await expect(dialog).toBeHidden();
  await expect(blocked).toHaveText(/Dentist/);
  await expectAccessible(page);
  await screenshot(page, 'blocks-day');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(blocked).toHaveCount(0);

  // With the keyboard, for the whole location. The booking inside is listed first.
  await page.getByRole('button', { name: 'Block time' }).press('Enter');
  await dialog.getByLabel('Start time').fill('14:30');
  await dialog.getByLabel('End time').fill('16:00');
  await dialog.getByLabel('End time').press('Enter');
  await expect(page.getByRole('dialog', { name: '1 booking is inside the blocked time' })).toBeVisible();
  await page.getByRole('button', { name: 'Save anyway' }).click();
  await expect(blocked).toHaveText('Blocked 14:30–16:00');
  await blocked.focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('End time').fill('15:00');
  await dialog.getByRole('button', { name: 'Save block' }).click();
  await expect(blocked).toHaveText('Blocked 14:30–15:00');
  await page.setViewportSize({ width: 390, height: 844 });
  await screenshot(page, 'blocks-day-390');
  const row = page.getByRole('button', { name: '14:30–15:00 Blocked' });
  await row.click();
  await screenshot(page, 'block-form-390');
  await dialog.getByRole('button', { name: 'Delete block' }).click();
  await expect(row).toHaveCount(0);
  expect(await db().block.count({ where: { tenantId: house.tenant.id } })).toBe(0);

  await page.setViewportSize({ width: 1280, height: 720 });
  const event = (hour: string) => [
    ...[
      'BEGIN:VEVENT',
      `UID:${hour}`,
      'SUMMARY:Dentist',
      `DTSTART:${date.replaceAll('-', '')}T${hour}0000`,
      'DURATION:PT1H',
    ],
    'END:VEVENT',
  ];
  const text = ['BEGIN:VCALENDAR', ...event('11'), ...event('13'), 'END:VCALENDAR', ''].join('\r\n');
  const specialist = await db().specialist.findFirstOrThrow({ where: { tenantId: house.tenant.id } });
  const path = `/catalog/specialists/${specialist.id}`;
  await go(page, path);
  const section = page.getByRole('region', { name: 'Calendars' });
  await expect(section).toContainText('No calendar yet.');
  await section.getByRole('button', { name: 'Add calendar' }).click();
  await dialog.getByLabel('Name').fill('Private');
  await dialog.getByLabel('Address of the calendar').fill('https://calendar.example/basic.ics');
  await dialog.getByRole('button', { name: 'Add calendar' }).click();
  await expect(dialog).toContainText('must be on the public internet');
  await lookAt(page, 'calendar-add');
  await dialog.getByText('File (.ics)').click();
  await dialog.getByLabel('Show titles').check();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'a.ics', mimeType: 'text/calendar', buffer: Buffer.from(text) });
  await dialog.getByRole('button', { name: 'Add calendar' }).click();
  await expect(dialog).toContainText('It has 2 busy times');
  await lookAt(page, 'calendar-added');
  await dialog.getByRole('button', { name: 'Done' }).click();
  await db().calendar.updateMany({
    where: { tenantId: house.tenant.id },
    data: { url: Buffer.alloc(60), nextAttemptAt: new Date(Date.now() + 3_600_000), failures: 2, problem: 'timeout' },
  });
  await page.reload();
  await expect(section).toContainText('The known times keep counting.');
  await lookAt(page, 'calendar-section');

  await go(page, `/bookings/day?date=${date}`);
  const busy = page.getByText(/^Busy \(calendar\)/);
  await expect(busy).toHaveText(['Busy (calendar) 11:00–12:00: Dentist', 'Busy (calendar) 13:00–14:00: Dentist']);
  await go(page, path);
  await section.getByRole('button', { name: 'Edit Private' }).click();
  await dialog.getByLabel('Name').fill('Ayla, private');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(section).toContainText('Ayla, private');
  await section.getByRole('button', { name: 'Remove Ayla, private' }).click();
  await expect(section).toContainText('No calendar yet.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(section).toContainText('2 busy times');
});

testLooks('the whole business is blocked, holidays become closures, and both are undone', async (page) => {
  const { tenant, owner, location } = await makeHouse();
  await signIn(page, owner, '/catalog/blocks');
  const dialog = page.getByRole('dialog');
  await expect(page.getByText('No time is blocked.')).toBeVisible();
  await page.getByRole('button', { name: 'Block time' }).click();
  await dialog.getByLabel('Reason').fill('Company party');
  await dialog.getByRole('button', { name: 'Block time' }).click();
  await expect(page.getByText(': Company party')).toBeVisible();
  expect(await db().block.findFirst({ where: { tenantId: tenant.id } })).toMatchObject({ subjectId: tenant.id });
  await lookAt(page, 'catalog-blocks');

  await go(page, '/catalog/locations');
  await page.getByRole('button', { name: 'Add closure' }).click();
  await dialog.getByText('Public holidays').click();
  await dialog.getByLabel('Year').click();
  await page.getByRole('option').nth(1).click();
  await dialog.getByLabel('Region').click();
  await page.getByRole('option', { name: 'Bayern', exact: true }).click();
  await dialog.getByLabel(/Epiphany/).check();
  await dialog.getByLabel(/Christmas Day/).check();
  await lookAt(page, 'closure-holidays');
  await dialog.getByRole('button', { name: 'Add 2 closures to 1 location' }).click();
  await expect(page.getByText('2 closures added to 1 location.')).toBeVisible();
  const closures = () => db().locationException.count({ where: { locationId: location.id } });
  expect(await closures()).toBe(2);
  await page.getByRole('alert').filter({ hasText: '2 closures' }).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone.')).toBeVisible();
  expect(await closures()).toBe(0);

  await go(page, '/audit');
  await expect(page.getByText('undid an earlier change: ')).toBeVisible();
  await page
    .getByRole('row', { name: /blocked time/ })
    .getByRole('button', { name: 'Undo' })
    .click();
  await lookAt(page, 'audit-undo-dialog');
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('undid an earlier change: deleted a block')).toBeVisible();
  expect(await db().block.count({ where: { tenantId: tenant.id } })).toBe(0);
});
