import { expect, type Locator, type Page, test } from '@playwright/test';
import { rotateKey } from '@/lib/access/applications/keys';
import { makePerson } from '@/tests/support/control-center';
import { at, makeHouse, signIn } from '@/tests/support/e2e';
import { ago, writeLines } from '@/tests/support/request-lines';
import { addEndpoint } from '@/tests/support/webhooks';

type House = Awaited<ReturnType<typeof makeHouse>>;

const main = (page: Page) => page.getByRole('main');
const title = (page: Page) => main(page).getByRole('heading', { level: 1 });

/** Writes `count` log entries for the application at intervals of one second. */
async function writeRequests({ tenant, applicationId, keyId }: House, count: number, status = 200): Promise<void> {
  const known = { tenant_id: tenant.id, application_id: applicationId, key_id: keyId, status };
  await writeLines(Array.from({ length: count }, (_, n) => ({ ...known, at: ago(n) })));
}

/** Returns whether another element covers the middle of `target`. */
function isCovered(target: Locator): Promise<boolean> {
  return target.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const above = document.elementFromPoint(left + width / 2, top + height / 2);
    return !above || !(element.contains(above) || above.contains(element));
  });
}

test('the next page of a list starts at its first row, and the breadcrumb returns to the filters', async ({ page }) => {
  const house = await makeHouse();
  await writeRequests(house, 60, 404);
  await signIn(page, house.owner, '/requests?status=4xx');
  const table = page.getByRole('region', { name: 'Requests', exact: true });
  const rows = table.locator('tbody tr');
  await expect(rows).toHaveCount(50);
  await page.getByRole('link', { name: 'Older' }).click();
  await expect(rows).toHaveCount(10);
  await page.getByRole('link', { name: 'Newer' }).click();
  await expect(rows).toHaveCount(50);
  await expect(rows.first()).toBeInViewport();
  await rows.first().getByRole('link').first().click();
  await expect(title(page)).toHaveText('Request');
  await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Requests' }).click();
  await expect(page).toHaveURL(/status=4xx/);
  await expect(rows).toHaveCount(50);
});

test('saving keeps the focus in the page, and a reload focuses nothing', async ({ page }) => {
  const house = await makeHouse();
  await signIn(page, house.owner, `/catalog/locations/${house.location.id}`);
  await expect(title(page)).toHaveText('Studio');
  await expect(page.locator('body')).toBeFocused();
  await page.getByLabel('City').fill('Potsdam');
  await page.getByRole('button', { name: 'Save location' }).click();
  await expect(page.getByText('Location saved.')).toBeVisible();
  await expect(title(page)).toBeFocused();
  await page.goto(at(`/catalog/services/${house.service.id}`));
  await page.getByLabel('Capacity').fill('3');
  await page.getByRole('button', { name: 'Save service' }).click();
  await expect(page.getByText('Service saved.')).toBeVisible();
  await expect(title(page)).toBeFocused();
  await page.goto(at('/environment'));
  await page.getByLabel('Business name').fill('New name');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Business details saved.')).toBeVisible();
  await expect(title(page)).toBeFocused();
  await makePerson(house.tenant.id, 'SUPPORT', 'Paul Person');
  await page.goto(at('/team'));
  const remove = page.getByRole('button', { name: 'Remove Paul Person' });
  await remove.click();
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(remove).toBeFocused();
});

test('bars and messages cover neither the field being edited nor a button', async ({ page }) => {
  const house = await makeHouse();
  await page.setViewportSize({ width: 1000, height: 500 });
  await signIn(page, house.owner, `/applications/${house.applicationId}`);
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

test('a rotated key has one end, and the list of applications stays quiet', async ({ page }) => {
  const house = await makeHouse();
  const { id: tenantId } = house.tenant;
  await rotateKey(new Date(), { tenantId, keyId: house.keyId, overlap: '24h', actor: { kind: 'system' } });
  await signIn(page, house.owner, `/applications/${house.applicationId}/keys`);
  const rotated = page.getByRole('row').filter({ hasText: 'Rotated' });
  await expect(rotated.locator('td[data-label="Expires"]')).not.toHaveText('Never');
  await page.goto(at('/applications'));
  await expect(page.getByRole('button', { name: 'Suspend Full access partner' })).toHaveCSS('font-weight', '400');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(at('/catalog/transfer'));
  await expect(page.getByRole('link', { name: 'Import and export' })).toBeInViewport({ ratio: 0.9 });
  const hook = await addEndpoint(tenantId, house.applicationId, 'http://127.0.0.1:3999/');
  await hook.emit(20);
  await page.goto(at(`/applications/${house.applicationId}/webhook`));
  await page.getByRole('link', { name: /^dlv_/ }).first().click();
  await expect(page.getByRole('dialog').getByRole('heading', { name: 'Attempts' })).toBeVisible();
  await page.getByRole('dialog').locator('time').first().hover();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
});
