import { expect, type Locator, type Page } from '@playwright/test';
import { test } from '@/tests/support/browser-test';
import { go, makeHouse, signIn } from '@/tests/support/e2e';

const main = (page: Page) => page.getByRole('main');
const title = (page: Page) => main(page).getByRole('heading', { level: 1 });

/** Returns whether another element covers the middle of `target`. */
function isCovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return !above || !(element.contains(above) || above.contains(element));
  });
}

test('saving keeps the focus in the page, a load focuses nothing, and bars and messages cover neither a field nor a button', async ({
  page,
}) => {
  const house = await makeHouse();
  await signIn(page, house.owner, `/catalog/locations/${house.location.id}`);
  await expect(title(page)).toHaveText('Studio');
  await expect(page.locator('body')).toBeFocused();
  await page.getByLabel('City').fill('Potsdam');
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText('Location saved.')).toBeVisible();
  await expect(title(page)).toBeFocused();
  await go(page, `/catalog/services/${house.service.id}`);
  await expect(page).toHaveTitle('TEST · Haircut · Services · Tenant');
  await page.getByLabel('Capacity').fill('3');
  await page.getByLabel('Name (English)').fill('Balayage');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText('Service saved.')).toBeVisible();
  await expect(page).toHaveTitle('TEST · Balayage · Services · Tenant');
  await expect(title(page)).toBeFocused();

  await page.setViewportSize({ width: 1000, height: 500 });
  await go(page, `/applications/${house.applicationId}`);
  const quota = page.getByLabel('Requests per minute');
  // Scrolls the field to the bottom of the window, where the bar with the save button will appear.
  await quota.evaluate((field) => field.scrollIntoView({ block: 'end' }));
  await quota.evaluate((field: HTMLElement) => field.focus({ preventScroll: true }));
  await page.keyboard.press('End');
  await page.keyboard.press('Backspace');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await expect.poll(() => isCovered(quota)).toBe(false);
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
  await expect(page.getByText('Policy saved.')).toBeVisible();
  await expect.poll(() => isCovered(page.getByRole('button', { name: 'Signed in as Olivia Owner' }))).toBe(false);
  await expect(page.locator('.mantine-Notifications-root').first()).toHaveCSS('z-index', '190');
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('navigation', { name: 'Sections', exact: true })).toBeHidden();
  await expect(title(page)).toBeVisible();
});
