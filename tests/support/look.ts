import { expect, type Page, test } from '@playwright/test';
import { at, expectAccessible, screenshot } from './e2e';

/** One state of a page: its path, the steps that open it, and the name of its screenshot. */
export type Scene<Context> = {
  name: string;
  path: (context: Context) => string;
  open: (page: Page, context: Context) => Promise<unknown>;
};

type Look = { width: 1440 | 390; colorScheme: 'light' | 'dark' };

const LOOKS: readonly Look[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
];

/** Declares a test for each width and color scheme. */
export function testLooks(title: string, body: (page: Page, suffix: string) => Promise<void>): void {
  for (const { width, colorScheme } of LOOKS) {
    test(`${title}, ${colorScheme}, ${width} px wide`, async ({ page }) => {
      // Each accessibility audit takes several seconds on a busy machine.
      test.setTimeout(240_000);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await body(page, `${width}-${colorScheme}`);
    });
  }
}

/** Opens each scene, checks it, and takes a screenshot. */
export async function lookThrough<C>(page: Page, suffix: string, context: C, scenes: readonly Scene<C>[]) {
  for (const { name, path, open } of scenes) {
    await page.goto(at(path(context)));
    await open(page, context);
    await lookAt(page, `${name}-${suffix}`);
  }
}

/** Checks that the page is accessible and does not scroll sideways, and takes a screenshot. */
export async function lookAt(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await screenshot(page, name);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${name} does not scroll sideways`).toBeLessThanOrEqual(0);
}
