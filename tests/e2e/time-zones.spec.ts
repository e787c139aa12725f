import { expect } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { canonicalZone, zoneChoices } from '@/lib/platform/time-zones';
import { bothBrowsers } from '@/tests/support/browser';
import { test } from '@/tests/support/browser-test';
import { makeHouse, signIn } from '@/tests/support/e2e';

// Browsers know other names and rules of time zones. The picker must not depend on them.
const BROWSERS = await bothBrowsers(1, 'the picker of time zones');

for (const [i, launch] of BROWSERS.entries()) {
  test(`the picker of time zones has the names and rules of the release, browser ${i + 1} of ${BROWSERS.length}`, async ({
    page: own,
    playwright,
    launchOptions,
  }) => {
    // The browser of the other tests is already running.
    const isOwn = launch.executablePath === launchOptions.executablePath;
    const browser = isOwn ? null : await playwright.chromium.launch(launch);
    const page = browser ? await (await browser.newContext({ reducedMotion: 'reduce' })).newPage() : own;
    const version = page.context().browser()?.version();
    test.info().annotations.push({ type: 'browser', description: `Chromium ${version}` });
    const { owner, location } = await makeHouse();
    await signIn(page, owner, `/catalog/locations/${location.id}`);
    const field = page.getByRole('combobox', { name: 'Time zone' });
    const options = page.getByRole('option');
    const details = new Map(
      zoneChoices(new Date()).map(({ name, country, offset }) => [name, `${country}, UTC${offset}`] as const),
    );

    // By its city, its old name, and its country; Enter takes the only suggestion.
    for (const [typed, name] of [
      ['Kolkata', 'Asia/Kolkata'],
      ['Calcutta', 'Asia/Kolkata'],
      ['Kyiv', 'Europe/Kyiv'],
      ['Kiev', 'Europe/Kyiv'],
      ['Nepal', 'Asia/Kathmandu'],
      ['Godthab', 'America/Nuuk'],
      ['Saigon', 'Asia/Ho_Chi_Minh'],
      // Their rules changed in 2026, and no browser of the tests has them all.
      ['Vancouver', 'America/Vancouver'],
      ['Casablanca', 'Africa/Casablanca'],
    ] as const) {
      await field.fill(typed);
      await expect(options).toHaveCount(1);
      await expect(options).toContainText(name);
      await expect(options).toContainText(details.get(name) ?? '');
      await field.press('Enter');
      await expect(field).toHaveValue(name);
    }

    // With several suggestions, Enter takes none. All of them have canonical names.
    await field.fill('Argentina');
    await expect(options.first()).toBeVisible();
    for (const text of await options.allTextContents()) {
      const [name = ''] = text.split(' ');
      expect(canonicalZone(name), text).toBe(name);
    }
    expect(await options.count()).toBeGreaterThan(1);
    await field.press('Enter');
    await expect(field).toHaveValue('Argentina');

    // Any spelling is saved by the canonical name.
    await field.fill('asia/calcutta');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await db().location.findUnique({ where: { id: location.id } }))?.timeZone)
      .toBe('Asia/Kolkata');
    await browser?.close();
  });
}
