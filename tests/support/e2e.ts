import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, type Response } from '@playwright/test';
import { tenantPath } from '@/app/_components/tenant-path';
import { listCatalog } from '@/lib/contract/operations';
import { makePerson, openSessionOf, type Person } from './control-center';
import { makeBusiness } from './factories';
import { CATALOG } from './paths';
import { TEST_SECRET } from './server';

// `makeBusiness` and `makePerson` run in this process, but use the test server's database and secret.
process.env.ENVIRONMENT = 'TEST';
process.env.SECRET_KEY = TEST_SECRET;
process.env.DATABASE_URL = process.env.E2E_DATABASE_URL;
process.env.DATABASE_POOL = '4';

/**
 * Replaces WeakMap and WeakSet in axe. For every color, axe uses seven such collections, and their garbage collection
 * takes much of an audit's time. This class stores each value as a property of its key. If the key is a node of the
 * page, the class uses a native WeakMap, because a property would keep the data of earlier audits alive.
 */
const FIELDS = `class {
  #key = Symbol();
  #nodes = new WeakMap();
  get(key) { return key instanceof Node ? this.#nodes.get(key) : key[this.#key]; }
  set(key, value) { key instanceof Node ? this.#nodes.set(key, value) : (key[this.#key] = value); return this; }
  add(key) { return this.set(key, true); }
  has(key) { return key instanceof Node ? this.#nodes.has(key) : this.#key in key; }
}`;

/**
 * Makes axe's color class faster: caches parsed colors, and replaces private fields with ordinary properties. `red` is
 * a number from 0 to 255, and `r` is the same value as a number from 0 to 1.
 */
const FAST_COLORS = `{
  const { prototype } = axe.commons.color.Color;
  const { parseString } = prototype;
  const known = new Map();
  prototype.parseString = function (text) {
    if (!known.has(text)) {
      const { r, g, b, alpha } = parseString.call(this, text);
      known.set(text, { r, g, b, alpha });
    }
    return Object.assign(this, known.get(text));
  };
  const clamp = (value, max) => Math.min(Math.max(value, 0), max);
  for (const [fraction, byte] of [['r', 'red'], ['g', 'green'], ['b', 'blue']]) {
    const [ofFraction, ofByte] = ['_' + fraction, '_' + byte];
    const store = (color, one, other) => {
      color[ofFraction] = one;
      color[ofByte] = other;
    };
    Object.defineProperties(prototype, {
      [fraction]: {
        get() { return this[ofFraction]; },
        set(value) { store(this, value, Math.round(clamp(value, 1) * 255)); },
      },
      [byte]: {
        get() { return this[ofByte]; },
        set(value) { store(this, value / 255, clamp(value, 255)); },
      },
    });
  }
}`;

/** The minified source of axe, which is sent to each checked page. The full source would be 1.3 MB. */
const AXE = `((WeakMap, WeakSet) => {
${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
})(...Array(2).fill(${FIELDS}));
${FAST_COLORS}`;

/** The directory for screenshots, which Git ignores. */
const SCREENSHOTS = 'screenshots';

/** The tenant in the paths that `hrefOf` returns. */
let tenantId: string | null = null;

/** Matches paths that have no tenant. */
const SHARED = /^\/(api|docs|invite|setup|sign-in)(?![^/?#])/;

/**
 * Sets the tenant that `hrefOf` and `at` put into the paths of pages. `makeHouse` and the functions that sign in call
 * this function.
 */
export function inTenant(id: string): void {
  tenantId = id;
}

/** Returns the path of a page. If the page belongs to a tenant, the path contains the tenant that `inTenant` set. */
export function hrefOf(path: string): string {
  return tenantId === null || SHARED.test(path) ? path : tenantPath(tenantId, path);
}

/** Returns the URL of a path on the test server. */
export function at(path: string): string {
  return `${process.env.E2E_ORIGIN}${hrefOf(path)}`;
}

/** Creates a tenant with one service, one application with a key, an owner, and a support member. */
export async function makeHouse(policy: Parameters<typeof makeBusiness>[0] = {}) {
  const business = await makeBusiness({ name: 'Full access partner', ...policy });
  inTenant(business.tenant.id);
  const owner = await makePerson(business.tenant.id, 'OWNER', 'Olivia Owner');
  const support = await makePerson(business.tenant.id, 'SUPPORT', 'Sam Support');
  return { ...business, owner, support };
}

/**
 * Signs a person in without using the sign-in page, and then opens the page at `path`.
 * @param path if null, no page is opened, which saves a second of processor time
 */
export async function signIn(page: Page, person: Person, path: string | null = '/'): Promise<void> {
  const [name = '', value = ''] = (await openSessionOf(person)).split('=');
  inTenant(person.tenantId);
  await page.context().addCookies([{ name, value, url: at('') }]);
  loadCompletely(page);
  if (path === null) return;
  await page.goto(at(path));
  await page.waitForURL(at(path));
}

/** React's error for a hydration mismatch: browser and server rendered different HTML. */
const MISMATCH = /React error #418/;

/**
 * Makes `goto` and `reload` wait until the page reacts to input. It is not enough that fields and buttons are visible,
 * because they ignore keys at first. Also asserts that the browser and the server render the same HTML.
 */
function loadCompletely(page: Page): void {
  const mismatches: string[] = [];
  page.on('pageerror', ({ message }) => MISMATCH.test(message) && mismatches.push(`${page.url()}: ${message}`));
  const complete = async (response: Response | null) => {
    await expect(page.locator('main[inert]')).toHaveCount(0);
    expect(mismatches).toEqual([]);
    return response;
  };
  const [goto, reload] = [page.goto.bind(page), page.reload.bind(page)];
  page.goto = async (...args) => complete(await goto(...args));
  // A test that passes `options` has blocked scripts. A page without scripts never reacts to input, so `reload` does
  // not wait for that.
  page.reload = async (options) => (options ? reload(options) : complete(await reload()));
}

/** Signs in with the form, and opens a page. */
export async function signInByForm(page: Page, person: Person, path = '/'): Promise<void> {
  inTenant(person.tenantId);
  await page.goto(at(`/sign-in?next=${encodeURIComponent(hrefOf(path))}`));
  await page.getByLabel('Email address').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(at(path));
}

/** Reads the catalog through the partner API and returns the status. */
export async function callWith(key: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(at(CATALOG), {
    method: listCatalog.method,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Resolves when the page shows current data and no animation is running. */
async function waitForStillness(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // During animations, axe would measure wrong colors. Animations that never stop, such as loading indicators, are
    // ignored.
    const still = document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity);
    // A fade-in that has not started yet does not count as a running animation, so it is checked separately.
    const fading = [...document.querySelectorAll('[role=dialog], .mantine-Notification-root')];
    // A dimmed table still shows the previous rows.
    const stale = document.querySelector('[aria-busy=true]:not([role=status])') !== null;
    return still && !stale && fading.every((one) => getComputedStyle(one).opacity === '1');
  });
}

/** axe's rule for text contrast. On a long page, this rule takes most of the time of an audit. */
const CONTRAST = 'color-contrast';

/** Returns the axe violations of the page, and whether the page changed during the audit. */
async function audit(page: Page, omitted: string[]) {
  return page.evaluate(async (omitted) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    let changed = false;
    const watch = (event: Event) => {
      changed ||= event.target instanceof Element && event.target.matches('.mantine-Notification-root');
    };
    // A dialog gets its name, `aria-labelledby`, shortly after it has been opened. If this happens during an audit, the
    // audit may report a missing name and must be repeated.
    const observer = new MutationObserver(() => {
      changed = true;
    });
    document.addEventListener('transitionrun', watch);
    observer.observe(document, { subtree: true, attributeFilter: ['aria-busy', 'aria-labelledby'] });
    // `resultTypes` makes axe describe only the elements that violate a rule. Describing all elements takes longer than
    // the audit itself.
    const rules = Object.fromEntries(omitted.map((rule) => [rule, { enabled: false }]));
    const results = await axe.run(document, { resultTypes: ['violations'], rules });
    document.removeEventListener('transitionrun', watch);
    observer.disconnect();
    return { changed, violations: results.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) };
  }, omitted);
}

/** Maximum number of accessibility audits of a page. An audit is repeated if the page has changed during it. */
const MAX_AUDITS = 5;

/**
 * Expects the whole page, including open dialogs, to have no axe violations.
 * @param contrast whether the contrast of text is checked
 */
export async function expectAccessible(page: Page, contrast = true): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  let found: Awaited<ReturnType<typeof audit>>;
  let audits = 0;
  do {
    await waitForStillness(page);
    found = await audit(page, contrast ? [] : [CONTRAST]);
    audits += 1;
  } while (found.changed && audits < MAX_AUDITS);
  expect(found.violations).toEqual([]);
}

/**
 * Takes a screenshot for manual review if SCREENSHOTS is 1. By default, no screenshots are taken, because encoding
 * hundreds of images takes minutes of CPU time.
 */
export async function screenshot(page: Page, name: string, whole = true): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  // A full-page screenshot would misplace a dialog, which is fixed to the viewport.
  const fullPage = whole && !(await page.getByRole('dialog').first().isVisible());
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage });
}
