import { mkdirSync } from 'node:fs';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { listCatalog } from '@/lib/contract/operations';
import { makePerson, type Person } from './control-center';
import { makeBusiness } from './factories';
import { CATALOG } from './paths';
import { TEST_SECRET } from './server';

// Factories work on the journeys' database, with the secret of its server.
process.env.ENVIRONMENT = 'TEST';
process.env.SECRET_KEY = TEST_SECRET;
process.env.DATABASE_URL = process.env.E2E_DATABASE_URL;
process.env.DATABASE_POOL = '4';

/** Where `npm test` leaves what the pages look like; not in the repository. */
const SCREENSHOTS = 'screenshots';

/** Returns the address of a path of the server that the journeys share. */
export function at(path: string): string {
  return `${process.env.E2E_ORIGIN}${path}`;
}

/** Makes a tenant with one service, one application with a key, an owner and somebody of support. */
export async function makeHouse(policy: Parameters<typeof makeBusiness>[0] = {}) {
  const business = await makeBusiness({ name: 'Full access partner', ...policy });
  const owner = await makePerson(business.tenant.id, 'OWNER', 'Olivia Owner');
  const support = await makePerson(business.tenant.id, 'SUPPORT', 'Sam Support');
  return { ...business, owner, support };
}

/** Signs in as a person does, and goes to a page. */
export async function signIn(page: Page, person: Person, path = '/'): Promise<void> {
  await page.goto(at(`/sign-in?next=${encodeURIComponent(path)}`));
  await page.getByLabel('Email address').fill(person.email);
  await page.locator('input[type=password]').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(at(path));
}

/** Reads the catalog with a key, as a partner's server does, and returns the status. */
export async function callWith(key: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(at(CATALOG), {
    method: listCatalog.method,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  await response.arrayBuffer();
  return response.status;
}

/** Holds the whole page, open dialogs included, to the rules of axe, without an exception. */
export async function expectAccessible(page: Page): Promise<void> {
  // A dialog or a notification that is still fading in has colours of its own.
  // What only shows that something is awaited never ends.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().iterations === Infinity),
  );
  // It may not have begun to: then nothing runs yet, and it is not there yet either.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('[role=dialog], .mantine-Notification-root')].every(
      (one) => getComputedStyle(one).opacity === '1',
    ),
  );
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

/** Keeps what a page looks like, for a person to look through. */
export async function screenshot(page: Page, name: string, whole = true): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  // A dialog belongs to what is in sight, not to the whole length of the page.
  const fullPage = whole && !(await page.getByRole('dialog').first().isVisible());
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage });
}
