import { expect, type Locator, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book, dayFromNow as day } from '@/tests/support/e2e-booking';
import { makeSpecialist, offer } from '@/tests/support/factories';
import { expectFocusVisible, tabTo } from '@/tests/support/keyboard';
import { lookInBothSchemes } from '@/tests/support/look';

/** Drags a booking in the day schedule by a number of pixels. */
async function drag(page: Page, reference: string, [x, y]: readonly [number, number]) {
  const line = page.locator(`[data-reference="${reference}"]`);
  await line.scrollIntoViewIfNeeded();
  const box = await line.boundingBox();
  if (!box) throw new Error('the booking is not shown');
  const [left, top] = [box.x + 5, box.y + 5];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + x / 2, top + y / 2);
  await page.mouse.move(left + x, top + y, { steps: 3 });
  await page.mouse.up();
}

test('a booking is moved in the day schedule with the keyboard and with the pointer', async ({ page }) => {
  const house = await makeHouse();
  const bea = await makeSpecialist(house.tenant.id, { displayName: 'Bea Example' });
  await offer(house.tenant.id, [bea], [house.service], [house.location]);
  const reference = await book(house, '10:00', 'order-1', day(7), house.specialist.id);
  await book(house, '11:00', 'order-2', day(7), house.specialist.id);
  await signIn(page, house.owner, `/bookings/day?date=${day(7)}`);
  const link = page.getByRole('link', { name: 'order-1' });
  const dialog = page.getByRole('dialog');
  await tabTo(page, link);
  // All bookings together are one tab stop. The arrow keys move the focus between them.
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('link', { name: 'order-2' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'order-2' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expectFocusVisible(page);
  const block = page.getByRole('listitem').filter({ hasText: '10:00–10:30 Haircut' }).first();
  expect((await block.boundingBox())?.height).toBeGreaterThanOrEqual(40);
  await page.keyboard.press('m');
  await dialog.getByLabel('Specialist').selectOption(house.specialist.id);
  // 11:00 is taken.
  await expect(dialog.getByRole('radio', { name: '11:30' })).toBeAttached();
  await expect(dialog.getByRole('radio', { name: '11:00' })).toHaveCount(0);
  await expect(dialog.getByRole('button', { name: 'Reschedule' })).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(link).toBeFocused();
  await page.keyboard.press('m');
  await expect(dialog.getByText('10:00–10:30')).toBeVisible();
  await dialog.getByLabel('Specialist').selectOption(bea.id);
  await tabTo(page, dialog.getByRole('radio').first());
  await page.keyboard.press('Space');
  await expect(dialog.getByRole('status')).toContainText('09:00–09:30 with Bea Example');
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('status')).not.toContainText('09:00–09:30');
  await dialog.getByText('09:30', { exact: true }).click();
  await expect(dialog.getByRole('status')).toContainText('09:30–10:00 with Bea Example');
  await lookInBothSchemes(page, 'bookings-day-confirm');
  await dialog.getByRole('button', { name: 'Reschedule' }).press('Enter');
  await expect(page.getByRole('list', { name: 'Bea Example' }).getByText('09:30–10:00 Haircut')).toBeVisible();
  await expect(link).toBeFocused();

  // One hour is 84 pixels tall.
  await drag(page, reference, [0, 84]);
  await expect(dialog.getByText(/10:30–11:00 with Bea Example/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep current time' }).click();
  await expect(dialog).toBeHidden();
  const left = (await page.getByRole('list', { name: 'Alex Example' }).boundingBox())?.x ?? 0;
  const right = (await page.getByRole('list', { name: 'Bea Example' }).boundingBox())?.x ?? 0;
  await drag(page, reference, [left - right, 126]);
  await expect(dialog.getByText('Alex Example has another booking at that time.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep current time' }).click();
  await expect(dialog).toBeHidden();
  await drag(page, reference, [left - right, 42]);
  await expect(dialog.getByText(/10:00–10:30 with Alex Example/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await expect(page.getByRole('list', { name: 'Alex Example' }).getByText('10:00–10:30 Haircut')).toBeVisible();
  expect(await db().booking.findUnique({ where: { reference } })).toMatchObject({
    version: 3,
    specialistId: house.specialist.id,
  });

  await page.getByRole('link', { name: 'Week', exact: true }).click();
  await expect(page).toHaveURL(at(`/bookings/week?date=${day(7)}`));
  const week = page.getByRole('region', { name: 'Week schedule for Studio' });
  await expect(week.getByRole('list', { name: '09:00–17:00' })).toHaveCount(7);
  // In the week schedule, a booking is dragged to another day of the shown week. The week ends on Sunday, so a booking on
  // Sunday is dragged to the day before.
  const weekday = (new Date(day(7)).getUTCDay() + 6) % 7;
  const isSunday = weekday === 6;
  const leftOf = async (index: number) =>
    (await week.getByRole('list', { name: '09:00–17:00' }).nth(index).boundingBox())?.x ?? 0;
  await drag(page, reference, [(await leftOf(weekday + (isSunday ? -1 : 1))) - (await leftOf(weekday)), 0]);
  await expect(dialog.getByRole('status')).toContainText('10:00–10:30 with Alex Example');
  await dialog.getByRole('button', { name: 'Reschedule' }).click();
  await expect(dialog).toBeHidden();
  await expect(link).toBeFocused();
  expect((await db().booking.findUniqueOrThrow({ where: { reference } })).startsAt.toISOString().slice(0, 10)).toBe(
    day(isSunday ? 6 : 8),
  );
  await expect(week.getByRole('listitem').filter({ hasText: 'order-1' }).last()).toContainText('Alex Example');
  await screenshot(page, 'bookings-week-two');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('row', { name: /^10:00–10:30 Alex Example Haircut order-1 .*Confirmed$/ })).toBeVisible();
  await expect(page.getByText('No bookings on this day.').first()).toBeVisible();
  await expect(week).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await page.getByLabel('Specialist').first().selectOption(bea.id);
  await expect(page).toHaveURL(at(`/bookings/week?date=${day(7)}&specialist=${bea.id}`));
  await expect(link).toHaveCount(0);
  await expect(page.getByText('0 bookings')).toBeVisible();
});

test('a week fits into 1440 px, and a swipe on a narrow screen selects the next specialist', async ({ page }) => {
  const house = await makeHouse();
  const others = await Promise.all(
    ['Bea', 'Cem', 'Dora', 'Eli'].map((name) => makeSpecialist(house.tenant.id, { displayName: `${name} Example` })),
  );
  await offer(house.tenant.id, others, [house.service], [house.location]);
  for (const { id, displayName } of [house.specialist, ...others])
    await book(house, '10:00', `order-${displayName.split(' ')[0]}`, day(7), id);
  await page.setViewportSize({ width: 1440, height: 900 });
  await signIn(page, house.owner, `/bookings/week?date=${day(7)}`);
  const week = page.getByRole('region', { name: 'Week schedule for Studio' });
  const more = week.getByRole('link', { name: /^\+\d more bookings$/ });
  await expect(more).toBeVisible();
  expect(await week.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
  const shown = await week.getByRole('link', { name: /^order-/ }).count();
  await expect(more).toHaveAccessibleName(`+${5 - shown} more bookings`);
  await more.click();
  const dayPage = page.getByRole('region', { name: 'Day schedule for Studio' });
  await expect(dayPage.getByRole('link', { name: /^order-/ })).toHaveCount(5);

  // A narrow screen begins with the day's bookings in rows. The sheet of filters is within reach of a thumb.
  await page.setViewportSize({ width: 390, height: 844 });
  const rows = page.getByRole('region', { name: 'Bookings at Studio' });
  await expect(rows.getByRole('listitem')).toHaveCount(5);
  await expect(rows.getByRole('listitem').first()).toContainText('10:00–10:30');
  await screenshot(page, 'bookings-day-rows');
  const filters = page.getByRole('button', { name: 'Filters' });
  expect((await filters.boundingBox())?.y).toBeGreaterThan(700);
  await filters.click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await expectAccessible(page);
  await screenshot(page, 'bookings-day-sheet');
  await sheet.getByText('Calendar', { exact: true }).click();
  await sheet.getByRole('button', { name: 'Show results' }).click();
  await expect(filters).toBeFocused();
  const picker = page.getByRole('combobox', { name: 'Specialist' });
  const swipe = async (x: number, y: number) => {
    // Both events are dispatched in one call, because a slower movement is not a swipe.
    await dayPage.evaluate(
      (element, to) => {
        const touch = { pointerType: 'touch', isPrimary: true, bubbles: true };
        element.dispatchEvent(new PointerEvent('pointerdown', { ...touch, clientX: 200, clientY: 500 }));
        element.dispatchEvent(new PointerEvent('pointerup', { ...touch, clientX: to.x, clientY: to.y }));
      },
      { x: 200 + x, y: 500 + y },
    );
  };
  await expect(picker).toHaveValue(house.specialist.id);
  await swipe(-20, -200);
  await expect(picker).toHaveValue(house.specialist.id);
  await swipe(-120, 10);
  await expect(picker.locator('option:checked')).toContainText('Bea Example');
  await expect(dayPage.getByRole('link', { name: 'order-Bea' })).toBeVisible();
  await swipe(120, 10);
  await expect(picker).toHaveValue(house.specialist.id);

  // The calendar begins in the upper half of the screen. The legend is hidden until the user clicks a button.
  const topOf = async (region: Locator) => (await region.boundingBox())?.y ?? Number.POSITIVE_INFINITY;
  await expect.poll(() => topOf(dayPage)).toBeLessThanOrEqual(360);
  const legend = page.getByText('Striped: closed.');
  await expect(legend).toBeHidden();
  await page.getByRole('button', { name: 'Legend' }).click();
  await expect(legend).toBeVisible();
  await screenshot(page, 'bookings-day-legend');
  await page.getByRole('link', { name: 'Week', exact: true }).click();
  await expect.poll(() => topOf(week)).toBeLessThanOrEqual(360);
});
