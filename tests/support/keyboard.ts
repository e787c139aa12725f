import { expect, type Locator, type Page } from '@playwright/test';

/** Presses of Tab after which something counts as out of reach. */
const PATIENCE = 60;

/** Goes on with Tab until something has the focus. On the way and there, a person sees where the focus is. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < PATIENCE; presses += 1) {
    await page.keyboard.press(key);
    await expectFocusSeen(page);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`the keyboard does not reach ${target}`);
}

/** Goes on with Tab to something and presses Enter on it. */
export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/**
 * Holds what has the focus to being seen: in sight, under nothing, and with a ring or a border in the accent. A control
 * that is drawn by its neighbour (a switch, a segment) has its ring there.
 */
export async function expectFocusSeen(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(unseenFocus)).toBeNull();
}

function unseenFocus(): string | null {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const what = element.outerHTML.slice(0, 160);
  const drawn = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null);
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--mantine-primary-color-filled').trim();
  const swatch = document.createElement('i');
  swatch.style.color = accent;
  document.body.append(swatch);
  const colour = getComputedStyle(swatch).color;
  swatch.remove();
  const ringed = drawn.some((one) => {
    const { outlineStyle, outlineWidth, borderTopColor, borderTopWidth } = getComputedStyle(one);
    const hasRing = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    return hasRing || (borderTopColor === colour && Number.parseFloat(borderTopWidth) >= 1);
  });
  if (!ringed) return `no ring: ${what}`;
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 20)];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `out of sight: ${what}`;
  const above = document.elementFromPoint(x, y);
  const isClear = !above || drawn.some((one) => one.contains(above) || above.contains(one));
  return isClear ? null : `covered: ${what} by ${above.outerHTML.slice(0, 80)}`;
}
