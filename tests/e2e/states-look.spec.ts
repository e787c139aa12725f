import { expect, type Page } from '@playwright/test';
import { makeBusyControlCenter } from '@/tests/support/busy-control-center';
import { makePerson } from '@/tests/support/control-center';
import { at, makeHouse, signIn } from '@/tests/support/e2e';
import { makeTenant } from '@/tests/support/factories';
import { lookAt, lookInBothSchemes, lookThrough, type Scene, testLooks } from '@/tests/support/look';

const shows = (text: string | RegExp) => (page: Page) => expect(page.getByText(text).first()).toBeVisible();

const headed = (name: string) => (page: Page) => expect(page.getByRole('heading', { name })).toBeVisible();

const NEW: readonly Scene<null>[] = [
  { name: 'overview-new', path: () => '/', open: headed('Get your first booking') },
  { name: 'applications-none', path: () => '/applications', open: headed('No applications yet') },
  { name: 'not-found', path: () => '/nowhere', open: headed('Page not found') },
];

testLooks('signing in and an empty Control Center', async (page) => {
  await page.goto(at('/sign-in'));
  await lookAt(page, 'sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await expect(page.getByLabel('Email address')).toBeFocused();
  await page.keyboard.type('nobody@salon.example');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.locator('input[type=password]')).toBeFocused();
  await page.locator('input[type=password]').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Incorrect email address or password.')).toBeVisible();
  await lookAt(page, 'sign-in-refused');
  await signIn(page, await makePerson((await makeTenant()).id), null);
  await lookThrough(page, null, NEW);
});

type Busy = Awaited<ReturnType<typeof makeBusyControlCenter>>;

const BUSY: readonly Scene<Busy>[] = [
  { name: 'busy-overview', path: () => '/', open: shows('Rotate key Night batch') },
  { name: 'busy-overview-week', path: () => '/?period=7d', open: shows('View errors') },
  { name: 'busy-webhooks', path: () => '/webhooks', open: shows('4 endpoints') },
  {
    name: 'busy-suspended',
    path: ({ suspendedId }) => `/applications/${suspendedId}`,
    open: shows(/^All keys of this application have been refused since/),
  },
  {
    name: 'busy-resume',
    path: null,
    open: (page) => page.getByRole('button', { name: 'Resume Concierge' }).click(),
  },
  {
    name: 'busy-person-menu',
    path: () => '/requests?period=1h&live=1&status=error',
    open: async (page) => {
      await shows(/^\d+ of/)(page);
      await page.getByRole('button', { name: /^Signed in as/ }).click();
    },
  },
];

testLooks('a busy Control Center with names that no page was drawn for', async (page) => {
  const busy = await makeBusyControlCenter();
  await signIn(page, busy.owner, null);
  await lookThrough(page, busy, BUSY);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(at('/requests'));
  await page.getByRole('button', { name: 'Navigation' }).click();
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible();
  await lookInBothSchemes(page, 'navigation');
});

testLooks('lists that cannot reach the server', async (page) => {
  const { owner } = await makeHouse();
  await signIn(page, owner, '/applications');
  // All calls fail, as if the network were lost. The page already has its initial data, so it makes no call until the
  // test changes a filter.
  await page.route('**/api/trpc/**', (route) => route.abort());
  await page.getByText('Suspended', { exact: true }).click();
  await expect(page.getByText('Cannot reach the server.').first()).toBeVisible({ timeout: 15_000 });
  await lookAt(page, 'error-applications');
  await page.goto(at('/requests'));
  // On a phone, the period is in a sheet.
  const filters = page.getByRole('button', { name: /^Filters/ });
  if (await filters.isVisible()) await filters.click();
  await page.getByText('7 days', { exact: true }).filter({ visible: true }).click();
  await page.keyboard.press('Escape');
  await expect(page.getByText('Could not load the data')).toHaveCount(2, { timeout: 15_000 });
  await lookAt(page, 'error-requests');
});
