import { expect } from '@playwright/test';
import { makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { lookAt, testLooks } from '@/tests/support/look';

testLooks('a row of the statistics leads to its bookings, and the table is exported', async (page) => {
  const house = await makeHouse();
  await book(house, '10:00', 'order-1');
  await book(house, '11:00', 'order-2');
  await signIn(page, house.owner, '/statistics');
  await expect(page.getByText('No bookings in this period')).toBeVisible();
  await page.getByLabel('Period').selectOption('Dates');
  await page.getByLabel('To', { exact: true }).fill(new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10));
  await expect(page.getByRole('rowheader', { name: 'Haircut' })).toBeVisible();
  await lookAt(page, 'statistics');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^statistics-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole('rowheader').getByRole('link').click();
  await expect(page.getByText('order-1').filter({ visible: true })).toBeVisible();
  await screenshot(page, 'bookings-export');
});
