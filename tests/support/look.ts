import { expect, type Page } from '@playwright/test';
import { test } from './browser-test';
import { expectAccessible, go, screenshot } from './e2e';
import { SOAK } from './soak';

/**
 * The name of its screenshots, the page's path, and the steps that lead to the state. If the path is null, the scene is
 * on the page of the scene before, whose dialog or menu Escape closes.
 */
export type Scene<Context> = {
  name: string;
  path: ((context: Context) => string) | null;
  open: (page: Page, context: Context) => Promise<unknown>;
};

type Scheme = 'light' | 'dark';

/** How a person sees a page: in a color scheme, or in the colors of the operating system's contrast setting. */
export const APPEARANCES = ['light', 'dark', 'forced'] as const;

const WIDE = 1440;
const NARROW = 390;
const HEIGHT = 900;

export function testLooks(title: string, body: (page: Page) => Promise<void>): void {
  test(`${title}, light and dark, ${WIDE} and ${NARROW} px wide`, async ({ page }) => {
    // Each accessibility audit takes several seconds on a busy machine.
    test.setTimeout(480_000);
    await page.setViewportSize({ width: WIDE, height: HEIGHT });
    await page.emulateMedia({ colorScheme: 'light' });
    await body(page);
  });
}

export async function lookThrough<C>(page: Page, context: C, scenes: readonly Scene<C>[]): Promise<void> {
  for (const { name, path, open } of scenes) {
    if (path) await go(page, path(context));
    else await leaveDialog(page);
    await open(page, context);
    await lookAt(page, name);
  }
}

async function lookOnce(page: Page, name: string): Promise<void> {
  const look = `${name}-${page.viewportSize()?.width}-${await schemeOf(page)}`;
  await expectAccessible(page);
  await screenshot(page, look);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow, `${look} does not scroll sideways`).toBeLessThanOrEqual(0);
}

/**
 * In the current combination of width and color scheme. The next page is loaded with another one, so four pages in a row
 * have four combinations. `npm run test:soak` and SCREENSHOTS=1 look at each page in all four.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  await lookOnce(page, name);
  if (SOAK || process.env.SCREENSHOTS === '1') {
    for (const flip of [flipWidth, flipScheme, flipWidth]) {
      await flip(page);
      await lookOnce(page, name);
    }
    await flipScheme(page);
  }
  const isWide = page.viewportSize()?.width === WIDE;
  await (isWide ? flipWidth : flipBoth)(page);
}

async function leaveDialog(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  await expect(page.locator('[role=dialog], [role=menu]')).toHaveCount(0);
}

/**
 * At the current width, in one color scheme, and the next page in the other one. `npm run test:soak` and SCREENSHOTS=1
 * look at each page in both.
 */
export async function lookInBothSchemes(page: Page, name: string): Promise<void> {
  await lookOnce(page, name);
  await flipScheme(page);
  if (SOAK || process.env.SCREENSHOTS === '1') await lookOnce(page, name);
}

async function schemeOf(page: Page): Promise<Scheme> {
  return page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
}

async function flipScheme(page: Page): Promise<void> {
  await showIn(page, (await schemeOf(page)) === 'light' ? 'dark' : 'light');
}

export async function showIn(page: Page, appearance: (typeof APPEARANCES)[number]): Promise<void> {
  const isForced = appearance === 'forced';
  const scheme: Scheme = isForced ? 'light' : appearance;
  await page.emulateMedia({ colorScheme: scheme, forcedColors: isForced ? 'active' : 'none' });
  // Mantine sets the attribute later. The pages under /docs lack it.
  await page.waitForFunction((scheme) => {
    const { mantineColorScheme } = document.documentElement.dataset;
    return mantineColorScheme === undefined || mantineColorScheme === scheme;
  }, scheme);
}

async function flipWidth(page: Page): Promise<void> {
  const width = page.viewportSize()?.width === WIDE ? NARROW : WIDE;
  await page.setViewportSize({ width, height: HEIGHT });
  // Components that depend on the width render again one frame later.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

async function flipBoth(page: Page): Promise<void> {
  await flipScheme(page);
  await flipWidth(page);
}

type Moving = Window & { moved: number };

/** Counts how far elements move while the next pages load. */
export async function countMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        (window as unknown as Moving).moved += entry.value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

export function movesOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as Moving).moved);
}
