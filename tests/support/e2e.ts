import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Page, type Response } from '@playwright/test';
import { tenantPath } from '@/app/_components/tenant-path';
import { listCatalog } from '@/lib/contract/operations';
import { makePerson, openSessionOf, type Person } from './control-center';
import { makeBusiness } from './factories';
import { CATALOG } from './paths';
import { TEST_SECRET } from './server';
import { SOAK } from './soak';

// `makeBusiness` and `makePerson` run in this process, but use the test server's database and secret.
process.env.ENVIRONMENT = 'TEST';
process.env.SECRET_KEY = TEST_SECRET;
process.env.DATABASE_URL = process.env.E2E_DATABASE_URL;
process.env.DATABASE_POOL = '4';

/**
 * For every color, axe uses seven WeakMaps and WeakSets, whose garbage collection takes much of an audit's time. This
 * class stores values as properties of their keys, except for nodes of the page, where they would keep the data of
 * earlier audits alive.
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
 * Caches parsed colors, and has ordinary properties instead of private fields. `red` is 0 to 255, and `r` is 0 to 1.
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

/** Minified, because it is sent to each checked page. The full source would be 1.3 MB. */
const AXE = `((WeakMap, WeakSet) => {
${readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')}
})(...Array(2).fill(${FIELDS}));
${FAST_COLORS}`;

/** Git ignores it. */
const SCREENSHOTS = 'screenshots';

/** In the paths of `hrefOf`. */
let tenantId: string | null = null;

const SHARED = /^\/(api|docs|invite|setup|sign-in)(?![^/?#])/;

/** For the paths of `hrefOf` and `at`. `makeHouse` and the functions that sign in call it. */
export function inTenant(id: string): void {
  tenantId = id;
}

export function hrefOf(path: string): string {
  return tenantId === null || SHARED.test(path) ? path : tenantPath(tenantId, path);
}

export function at(path: string): string {
  return `${process.env.E2E_ORIGIN}${hrefOf(path)}`;
}

/** One service, one application with a key, an owner, and a support member. */
export async function makeHouse(policy: Parameters<typeof makeBusiness>[0] = {}) {
  const business = await makeBusiness({ name: 'Full access partner', ...policy });
  inTenant(business.tenant.id);
  const owner = await makePerson(business.tenant.id, 'OWNER', 'Olivia Owner');
  const support = await makePerson(business.tenant.id, 'SUPPORT', 'Sam Support');
  return { ...business, owner, support };
}

/** Without the sign-in page. If `path` is null, no page is opened, which saves a second of processor time. */
export async function signIn(page: Page, person: Person, path: string | null = '/'): Promise<void> {
  const [name = '', value = ''] = (await openSessionOf(person)).split('=');
  inTenant(person.tenantId);
  await page.context().addCookies([{ name, value, url: at('') }]);
  loadCompletely(page);
  if (path === null) return;
  await page.goto(at(path));
  await page.waitForURL(at(path));
}

/** Browser and server rendered different HTML. */
const MISMATCH = /React error #418/;

/** `goto` and `reload` wait until the page reacts to input: visible fields and buttons ignore keys at first. */
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
  // With `options`, scripts are blocked, so the page never reacts to input.
  page.reload = async (options) => (options ? reload(options) : complete(await reload()));
}

export async function signInByForm(page: Page, person: Person, path = '/'): Promise<void> {
  inTenant(person.tenantId);
  await page.goto(at(`/sign-in?next=${encodeURIComponent(hrefOf(path))}`));
  await page.getByLabel('Email address').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(at(path));
}

export async function callWith(key: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(at(CATALOG), {
    method: listCatalog.method,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

/** The page shows current data, and no animation is running. */
async function waitForStillness(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // Axe would measure wrong colors. Animations that never stop, such as loading indicators, are ignored.
    const still = document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity);
    // A fade-in that has not started yet is no running animation.
    const fading = [...document.querySelectorAll('[role=dialog], .mantine-Notification-root')];
    // A dimmed table still shows the previous rows.
    const stale = document.querySelector('[aria-busy=true]:not([role=status])') !== null;
    return still && !stale && fading.every((one) => getComputedStyle(one).opacity === '1');
  });
}

/** On a long page, this rule takes most of the time of an audit. */
const CONTRAST = 'color-contrast';

/** Of WCAG 2.2. By default, axe omits it. */
const TARGETS = 'target-size';

async function audit(page: Page, rules: Record<string, { enabled: boolean }>) {
  return page.evaluate(
    async ({ rules, whole }) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      let changed = false;
      const watch = (event: Event) => {
        changed ||= event.target instanceof Element && event.target.matches('.mantine-Notification-root');
      };
      // A dialog gets its `aria-labelledby` shortly after it has been opened, so an audit may report a missing name.
      const observer = new MutationObserver(() => {
        changed = true;
      });
      document.addEventListener('transitionrun', watch);
      observer.observe(document, { subtree: true, attributeFilter: ['aria-busy', 'aria-labelledby'] });
      // Describing elements that violate no rule takes longer than the audit itself.
      const modals = whole ? [] : [...document.querySelectorAll('[role=dialog][aria-modal=true]')];
      const context = modals.length > 0 ? { include: modals } : document;
      const results = await axe.run(context, { resultTypes: ['violations'], rules });
      document.removeEventListener('transitionrun', watch);
      observer.disconnect();
      return { changed, violations: results.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]) };
    },
    { rules, whole: SOAK },
  );
}

/** An audit is repeated if the page has changed during it. */
const MAX_AUDITS = 5;

/**
 * Of an open dialog, without the page behind it, which is audited without a dialog. `npm run test:soak` audits the page
 * behind it too.
 */
export async function expectAccessible(page: Page, contrast = true): Promise<void> {
  expect(await violationsOf(page, { [CONTRAST]: { enabled: contrast } })).toEqual([]);
}

/** The rules that axe finds violated, with the HTML of their elements. `rules` replaces what axe enables by default. */
export async function violationsOf(page: Page, rules: Parameters<typeof audit>[1] = { [TARGETS]: { enabled: true } }) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  let found: Awaited<ReturnType<typeof audit>>;
  let audits = 0;
  do {
    await waitForStillness(page);
    found = await audit(page, rules);
    audits += 1;
  } while (found.changed && audits < MAX_AUDITS);
  return found.violations;
}

/** Only with SCREENSHOTS=1, because encoding hundreds of images takes minutes of CPU time. */
export async function screenshot(page: Page, name: string, whole = true): Promise<void> {
  if (process.env.SCREENSHOTS !== '1') return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  // A full-page screenshot would misplace a dialog, which is fixed to the viewport.
  const fullPage = whole && !(await page.getByRole('dialog').first().isVisible());
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage });
}
