import { expect, type Locator, type Page } from '@playwright/test';

const MAX_PRESSES = 60;

/** After each press, the focus must be visible. */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < MAX_PRESSES; presses += 1) {
    await page.keyboard.press(key);
    if ((await page.evaluate(focusProblem)) !== null) await expectFocusVisible(page);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${target}`);
}

export async function pressOn(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}

/**
 * In the viewport, uncovered, and marked by an outline or border, also of its parent or next sibling, because Mantine
 * hides some inputs.
 */
export async function expectFocusVisible(page: Page): Promise<void> {
  await expect.poll(() => page.evaluate(focusProblem)).toBeNull();
}

function focusProblem(): string | null {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const what = element.outerHTML.slice(0, 160);
  const drawn = [element, element.parentElement, element.nextElementSibling].filter((one) => one !== null);
  const accent = getComputedStyle(document.documentElement).getPropertyValue('--mantine-primary-color-filled').trim();
  const swatch = document.createElement('i');
  swatch.style.color = accent;
  document.body.append(swatch);
  const accentColor = getComputedStyle(swatch).color;
  swatch.remove();
  const isMarked = drawn.some((one) => {
    const { outlineStyle, outlineWidth, borderTopColor, borderTopWidth } = getComputedStyle(one);
    const hasOutline = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1;
    return hasOutline || (borderTopColor === accentColor && Number.parseFloat(borderTopWidth) >= 1);
  });
  if (!isMarked) return `no focus outline: ${what}`;
  const { left, top, width, height } = element.getBoundingClientRect();
  const [x, y] = [left + Math.min(width / 2, 40), top + Math.min(height / 2, 20)];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return `outside the viewport: ${what}`;
  const above = document.elementFromPoint(x, y);
  const isClear = !above || drawn.some((one) => one.contains(above) || above.contains(one));
  return isClear ? null : `covered: ${what} by ${above.outerHTML.slice(0, 80)}`;
}
