import { expect, type Page, test } from '@playwright/test';
import { at, callWith, expectAccessible, makeHouse, screenshot, signIn } from '../support/e2e';

type Scene = { name: string; path: (id: string) => string; open: (page: Page) => Promise<void> };

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const ready = async (page: Page) => expect(page.getByText('Active', { exact: true }).first()).toBeVisible();

const SCENES: readonly Scene[] = [
  { name: 'list', path: () => '/applications', open: ready },
  { name: 'suspend', path: () => '/applications', open: press('Suspend Full access partner') },
  {
    name: 'new',
    path: () => '/applications/new',
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('10.0.0.0/99');
      await page.getByRole('button', { name: 'Create application' }).click();
      await expect(page.getByText('Give the application a name.')).toBeVisible();
    },
  },
  { name: 'policy', path: (id) => `/applications/${id}`, open: ready },
  {
    name: 'review',
    path: (id) => `/applications/${id}`,
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('203.0.113.0/24');
      await page.getByRole('button', { name: 'Review changes' }).click();
      await expect(page.getByText(/^This would refuse/)).toBeVisible();
    },
  },
  { name: 'keys', path: (id) => `/applications/${id}/keys`, open: ready },
  { name: 'issue', path: (id) => `/applications/${id}/keys`, open: press('Issue key') },
  { name: 'rotate', path: (id) => `/applications/${id}/keys`, open: press(/^Rotate/) },
  { name: 'revoke', path: (id) => `/applications/${id}/keys`, open: press(/^Revoke/) },
];

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [1440, 390]) {
    test(`every page and dialog of applications is accessible, ${colorScheme}, ${width} wide`, async ({ page }) => {
      test.slow();
      const { owner, key, applicationId } = await makeHouse();
      await callWith(key);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await signIn(page, owner, '/applications');
      for (const { name, path, open } of SCENES) {
        await page.goto(at(path(applicationId)));
        await open(page);
        await expectAccessible(page);
        await screenshot(page, `applications-${name}-${width}-${colorScheme}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
        expect(overflow, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
      }
    });
  }
}
