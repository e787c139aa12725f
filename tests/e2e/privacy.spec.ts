import { expect } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { makeHouse, signIn } from '@/tests/support/e2e';
import { book } from '@/tests/support/e2e-booking';
import { lookAt, testLooks } from '@/tests/support/look';

testLooks('an owner shortens the retention of contacts after a preview', async (page) => {
  const { owner, tenant } = await makeHouse();
  await signIn(page, owner, '/privacy');
  await page.getByLabel('Days to keep after the visit').fill('90');
  await page.getByLabel('Days to keep', { exact: true }).fill('7');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('removed 365 days after the visit → removed 90 days after the visit')).toBeVisible();
  await expect(dialog.getByText('0 contacts will be removed.')).toBeVisible();
  await expect(page.getByText('Request log: 30 → 7 days')).toBeVisible();
  await lookAt(page, 'privacy-review');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Retention settings saved.')).toBeVisible();
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({ contactDays: 90 });
});

testLooks('an owner reads all data of one customer, erases it, and gets the proof', async (page) => {
  const house = await makeHouse();
  const options = {
    customer: { email: 'robin@mail.example.com' },
    note: 'Ground floor.',
    metadata: { campaign: 'spring' },
  };
  await book(house, '10:00', 'order-1', undefined, undefined, options);
  await book(house, '11:00', 'order-2');
  await signIn(page, house.owner, '/privacy');
  await page.getByRole('link', { name: 'Find data of a customer' }).click();
  await page.getByLabel('Phone number of the customer').fill('12');
  await page.getByRole('button', { name: 'Find data' }).click();
  await expect(page.getByText('Enter the whole number', { exact: false })).toBeVisible();
  await page.getByLabel('Phone number of the customer').fill('030 5550 1234');
  await page.getByRole('button', { name: 'Find data' }).click();
  await expect(page.getByText('2 bookings with data of the customer.', { exact: false })).toBeVisible();
  await expect(page.getByText('2 of 2 chosen')).toBeVisible();
  await lookAt(page, 'customer-found');
  await page.getByRole('button', { name: 'Readable page' }).click();
  await expect(page.getByText('Ground floor.')).toBeVisible();
  await lookAt(page, 'customer-report');
  await page.getByRole('button', { name: 'Back to the bookings' }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  expect((await saving).suggestedFilename()).toMatch(/^customer-data-[\d-]+\.json$/);
  await page.getByRole('button', { name: 'Erase…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Erase' })).toBeDisabled();
  await dialog.getByLabel('Type ERASE to confirm').fill('ERASE');
  await lookAt(page, 'customer-erase');
  await dialog.getByRole('button', { name: 'Erase' }).click();
  await expect(page.getByText('Erased: 2 bookings')).toBeVisible();
  await expect(page.getByText('2 contacts (name and phone number)')).toBeVisible();
  await page.getByText('What stays, and where copies can be').click();
  await lookAt(page, 'customer-erased');
  const where = { tenantId: house.tenant.id, customerName: { not: null } };
  expect(await db().booking.count({ where })).toBe(0);
});
