import { expect, type Page } from '@playwright/test';
import { test } from '@/tests/support/browser-test';
import { at, expectAccessible, go, makeHouse, signIn } from '@/tests/support/e2e';
import { callPartner, searchBox } from '@/tests/support/steps';

const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 });
const field = (page: Page) => page.getByRole('dialog').getByRole('combobox');

/** Presses keys until they take effect, because a page ignores keys until its scripts run. */
async function pressUntil(page: Page, keys: string[], effect: () => Promise<void>): Promise<void> {
  await expect(async () => {
    for (const key of keys) await page.keyboard.press(key);
    await effect();
  }).toPass();
}

test('the palette opens a pasted request ID, a record, and a page, with the keyboard alone', async ({ page }) => {
  const house = await makeHouse();
  const refused = await callPartner(house.key, '/catalog?color=1');
  await signIn(page, house.owner);
  await expect(title(page)).toHaveText('Overview');
  await pressUntil(page, ['Control+k'], () => expect(field(page)).toBeFocused({ timeout: 3_000 }));
  await page.keyboard.insertText(`X-Request-Id: ${refused.requestId}`);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at(`/requests/${refused.requestId}`));
  await expect(title(page)).toBeFocused();
  await expect(page.getByRole('button', { name: 'Copy as cURL' })).toBeVisible();
  await expect(page.getByText('none', { exact: true })).toHaveCount(0);
  await go(page, '/requests');
  // Clicks at a position far from the row's link.
  await page.getByRole('region', { name: 'Requests', exact: true }).locator('tbody tr').first().click();
  await expect(page).toHaveURL(at(`/requests/${refused.requestId}`));

  await expect(page.getByRole('button', { name: 'Copy as cURL' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('hairc');
  await expect(page.getByRole('option', { name: /Haircut/ })).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at(`/catalog/services/${house.service.id}`));

  await expect(title(page)).toHaveText('Haircut');
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.type('a');
  const applications = page.getByRole('option', { name: 'Applications' });
  await expect(applications).toBeVisible();
  await page.keyboard.press('ArrowDown');
  const active = (await page.getByRole('option').nth(1).getAttribute('id')) ?? '';
  await expect(field(page)).toHaveAttribute('aria-activedescendant', active);
  await page.keyboard.press('ArrowUp');
  await expect(field(page)).toHaveAttribute('aria-activedescendant', active.replace(/1$/, '0'));
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveCount(0);
  await expect(page).toHaveURL(at(`/catalog/services/${house.service.id}`));

  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  await page.keyboard.insertText('X-Request-Id: req_00000000000000000000000000');
  await expect(page.getByText('Refusals because of overload, or after too many failed')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(field(page)).toHaveCount(0);

  // Of a leaked key, only the last four characters reach the server.
  await page.keyboard.press('Control+k');
  await expect(field(page)).toBeFocused();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url() + (request.postData() ?? '')));
  await page.keyboard.insertText(house.key);
  await expect(page.getByText('only its last four characters were sent to the server.')).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(at(`/applications/${house.applicationId}/keys#${house.keyId}`));
  expect(sent.filter((text) => text.includes(house.key.slice(9, -4)))).toEqual([]);
  await shortcuts(page);
});

/** Keys open pages and the list of shortcuts, except while the user types. */
async function shortcuts(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await expect(searchBox(page)).toBeVisible();
  await pressUntil(page, ['/'], () => expect(searchBox(page)).toBeFocused({ timeout: 3_000 }));
  await searchBox(page).fill('');
  await page.keyboard.type('g b?');
  await expect(searchBox(page)).toHaveValue('g b?');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await searchBox(page).fill('');
  await searchBox(page).blur();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog').getByText('Search this page')).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await pressUntil(page, ['g', 'b'], () => expect(page).toHaveURL(at('/bookings'), { timeout: 3_000 }));
}
