import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { expectAccessible, makeHouse, screenshot, signIn } from '@/tests/support/e2e';

const phone = (page: Page) => page.getByLabel('Phone');
const SAVED = 'Location saved. Partners see the change within a second.';

test('offline is said at once, nothing is sent later in silence, and of a field that two people changed, one chooses the value that is saved', async ({
  page,
  context,
}) => {
  const { owner, location } = await makeHouse();
  const path = `/catalog/locations/${location.id}`;
  await signIn(page, owner, path);
  await phone(page).fill('+49 30 5550 1234');
  // The dialogs that the page loads later are there before the connection is lost.
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  await expect(page.getByText('You are offline')).toBeVisible();
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText('Cannot reach the server. Check your connection and try again.')).toBeVisible();
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`${path}$`));
  await expect(phone(page)).toHaveValue('+49 30 5550 1234');
  await expectAccessible(page);
  await screenshot(page, 'offline');

  await context.setOffline(false);
  await expect(page.getByText('You are offline')).toBeHidden();
  // The page polls again, so a call that was held back would have been sent by now.
  await page.waitForResponse((response) => response.url().includes('/api/trpc/') && response.ok());
  expect(await db().location.findUnique({ where: { id: location.id } })).toMatchObject({ version: 1 });
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText(SAVED)).toBeVisible();
  expect(await db().location.findUnique({ where: { id: location.id } })).toMatchObject({
    version: 2,
    phone: '+49 30 5550 1234',
  });

  for (const [contentType, body] of [
    ['application/json', '{"error":{"code":"service_unavailable"}}'],
    ['text/html', '<html>Bad Gateway</html>'],
    ['text/plain', ''],
  ] as const) {
    await page.route('**/api/trpc/**', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 503, contentType, body }) : route.continue(),
    );
    await phone(page).fill('+49 30 5550 1235');
    const answered = page.waitForResponse((response) => response.request().method() === 'POST');
    await page.getByRole('button', { name: 'Save location' }).click();
    await answered;
    await expect(page.getByText('Cannot reach the server. Check your connection and try again.')).toBeVisible();
    await page.unroute('**/api/trpc/**');
    await phone(page).fill('+49 30 5550 1234');
    await expect(page.getByText('Cannot reach the server. Check your connection and try again.')).toBeHidden();
  }

  await page.route('**/api/auth/**', (route) => route.abort());
  await page.getByRole('button', { name: `Signed in as ${owner.name}` }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await expect(page.getByText('You are still signed in: the server cannot be reached. Try again.')).toBeVisible();
  await page.unroute('**/api/auth/**');

  const second = await context.newPage();
  await signIn(second, owner, path);
  await second.getByLabel('Name (English)').fill('Studio South');
  await phone(second).fill('+49 30 5550 2222');
  await page.getByLabel('Name (English)').fill('Studio North');
  await phone(page).fill('+49 30 5550 1111');
  await page.getByLabel('Opening hours, Monday, interval 1, closes').fill('12:00');
  // That of the first save would be taken for that of the second.
  await expect(page.getByText(SAVED)).toBeHidden();
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText(SAVED)).toBeVisible();

  await second.getByRole('button', { name: 'Save location' }).click();
  const conflict = second.getByRole('alert').filter({ hasText: 'Someone else saved changes' });
  // The notice is beside the button, wherever the form is scrolled, and has the focus.
  await expect(conflict).toBeFocused();
  await expect(conflict).toBeInViewport();
  await expect(conflict).toContainText('Opening hours');
  await second.getByLabel('Use theirs: Studio North (English)').check();
  await expect(second.getByLabel('Keep yours: +49 30 5550 2222')).toBeChecked();
  await expectAccessible(second);
  await screenshot(second, 'conflict-merge');
  await second.setViewportSize({ width: 390, height: 844 });
  await screenshot(second, 'conflict-merge-390');
  await second.getByRole('button', { name: 'Load newer version' }).click();
  await expect(second.getByLabel('Name (English)')).toHaveValue('Studio North');
  await second.getByRole('button', { name: 'Save location' }).click();
  await expect(second.getByText(SAVED)).toBeVisible();
  expect(await db().location.findUnique({ where: { id: location.id } })).toMatchObject({
    version: 4,
    name: { en: 'Studio North' },
    phone: '+49 30 5550 2222',
  });
});
