import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type CDPSession, expect, type Page, type Response } from '@playwright/test';
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
 * Minified, because it is sent to each checked document. The full source would be 1.3 MB. In ASCII, because the browser
 * takes four times as long to read a message with other characters.
 */
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8').replace(
  /[^\0-\x7f]/g,
  (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
);

/** Git ignores it. */
const SCREENSHOTS = 'screenshots';

/** In the paths of `hrefOf`. */
let tenantId: string | null = null;

const SHARED = /^\/(api|docs|invite|setup|sign-in)(?![^/?#])/;

/** For the paths of `hrefOf` and `at`. `makeHouse` and the functions that sign in call it. */
function inTenant(id: string): void {
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

type Router = { next: { router: { push: (href: string) => void } } };

/**
 * From one page of the tenant to another one, as a link does, which takes a fraction of the processor time of `goto`.
 * At least one test loads each page.
 */
export async function go(page: Page, path: string): Promise<void> {
  const { href } = new URL(hrefOf(path), page.url());
  expect(page.url(), 'another page').not.toBe(href);
  await expect(page.locator('main[inert]')).toHaveCount(0);
  await page.evaluate((to) => (window as unknown as Router).next.router.push(to), href);
  await page.waitForURL(href);
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

/** Opens a page whose scripts arrive after `act`, as on a slow connection. */
export async function beforeScripts(page: Page, url: string, act: () => Promise<void>): Promise<void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/*.js', async (route) => {
    await released;
    await route.continue();
  });
  await page.goto(url, { waitUntil: 'commit' });
  await act();
  release();
  await page.unrouteAll({ behavior: 'wait' });
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
    signal: AbortSignal.timeout(60_000),
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
    // After a link, the title follows the page.
    const titled = document.title !== '';
    return still && !stale && titled && fading.every((one) => getComputedStyle(one).opacity === '1');
  });
}

/** Detaching one would also remove a virtual authenticator of the page. */
const clients = new WeakMap<Page, CDPSession>();

/** Without `page.evaluate`, which lets the page compile the source twice: a tenth of a second of processor time. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => 'axe' in window)) return;
  const client = clients.get(page) ?? (await page.context().newCDPSession(page));
  clients.set(page, client);
  await client.send('Runtime.evaluate', { expression: AXE, silent: true });
}

/**
 * About the frame of a page and the styles of its text, which all its states share. They take half of the time of an
 * audit.
 */
const OF_PAGES = [
  'aria-hidden-focus',
  'avoid-inline-spacing',
  'bypass',
  'css-orientation-lock',
  'link-in-text-block',
  'region',
];

type Rules = Record<string, { enabled: boolean }>;

async function audit(page: Page, rules: Rules) {
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
      const preload = rules['css-orientation-lock']?.enabled !== false;
      const results = await axe.run(context, { preload, resultTypes: ['violations'], rules });
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
 * behind it too, the contrast of text, and the rules `OF_PAGES`, which `npm test` checks once on each page
 * (`tests/e2e/languages.spec.ts`).
 */
export async function expectAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page, { contrast: SOAK, pages: SOAK, targets: false })).toEqual([]);
}

type Asked = { contrast: boolean; pages: boolean; targets: boolean };

/**
 * What axe finds violated, with the HTML of the elements. `contrast` takes most of the time of an audit, on a long page
 * seconds. `targets` is their size, a rule of WCAG 2.2 that axe omits by default.
 */
export async function violationsOf(page: Page, { contrast, pages, targets }: Asked) {
  const ofPages = OF_PAGES.map((rule) => [rule, { enabled: pages }] as const);
  const rules = {
    ...Object.fromEntries(ofPages),
    'color-contrast': { enabled: contrast },
    'target-size': { enabled: targets },
  };
  await loadAxe(page);
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
