import { expect, test } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { expectAccessible, makeHouse, screenshot, signIn } from '@/tests/support/e2e';

test('an owner shortens the retention of contacts after a preview, and a support member cannot', async ({
  page,
  browser,
}) => {
  const { owner, support, tenant } = await makeHouse();
  await signIn(page, owner, '/privacy');
  await page.getByLabel('Days after the visit').fill('90');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('removed 365 days after the visit → removed 90 days after the visit')).toBeVisible();
  await expect(dialog.getByText('0 contacts will be removed.')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Retention settings saved.')).toBeVisible();
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({ contactDays: 90 });
  const theirs = await (await browser.newContext()).newPage();
  await signIn(theirs, support, '/privacy');
  await expect(theirs.getByRole('heading', { name: 'You don’t have access' })).toBeVisible();
  await theirs.context().close();
});

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`the privacy page is accessible, ${colorScheme}, ${width} px wide`, async ({ page }) => {
      const { owner } = await makeHouse();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await signIn(page, owner, '/privacy');
      await page.getByLabel('Days to keep').fill('7');
      await expectAccessible(page);
      await screenshot(page, `privacy-${width}-${colorScheme}`);
      await page.getByRole('button', { name: 'Review changes' }).click();
      await expect(page.getByText('Request log: 30 → 7 days')).toBeVisible();
      await expectAccessible(page);
      await screenshot(page, `privacy-review-${width}-${colorScheme}`);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    });
  }
}
