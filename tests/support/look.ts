import { expect, type Page, test } from '@playwright/test';
import { at, expectAccessible, screenshot } from './e2e';

/** One state of a page: its path, the steps that open it, and the name of its screenshot. */
export type Scene<Context> = {
  name: string;
  path: (context: Context) => string;
  open: (page: Page, context: Context) => Promise<unknown>;
};

type Scheme = 'light' | 'dark';

/** The widths to check, each with the color scheme in which the first page loads. */
const LOOKS: readonly { width: 1440 | 390; first: Scheme }[] = [
  { width: 1440, first: 'light' },
  { width: 390, first: 'dark' },
];

/** Declares a test for each width. The body calls `lookAt`, which checks both color schemes. */
export function testLooks(title: string, body: (page: Page, width: number) => Promise<void>): void {
  for (const { width, first } of LOOKS) {
    test(`${title}, light and dark, ${width} px wide`, async ({ page }) => {
      // Each accessibility audit takes several seconds on a busy machine.
      test.setTimeout(240_000);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: first });
      await body(page, width);
    });
  }
}

/** Opens each scene, checks it, and takes screenshots. */
export async function lookThrough<C>(page: Page, context: C, scenes: readonly Scene<C>[]): Promise<void> {
  for (const { name, path, open } of scenes) {
    await page.goto(at(path(context)));
    await open(page, context);
    await lookAt(page, name);
  }
}

/** Takes a screenshot of a page and asserts that the page is accessible and does not scroll sideways. */
async function lookIn(page: Page, scheme: Scheme, name: string): Promise<void> {
  const look = `${name}-${page.viewportSize()?.width}-${scheme}`;
  await expectAccessible(page);
  await screenshot(page, look);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${look} does not scroll sideways`).toBeLessThanOrEqual(0);
}

/**
 * Checks the loaded page in both color schemes. The browser then stays in the second scheme, and the next page loads in
 * this scheme. Loading each page once for each scheme would take longer than the checks.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  const first = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  await lookIn(page, first, name);
  const second = first === 'light' ? 'dark' : 'light';
  await page.emulateMedia({ colorScheme: second });
  // Mantine applies the scheme asynchronously. The pages of the documentation do not use Mantine, so the test does not
  // wait on these pages.
  await page.waitForFunction((scheme) => {
    const { mantineColorScheme } = document.documentElement.dataset;
    return mantineColorScheme === undefined || mantineColorScheme === scheme;
  }, second);
  await lookIn(page, second, name);
}
