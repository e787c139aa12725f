import { expect, type Page } from '@playwright/test';
import { db } from '@/lib/platform/db';
import { makeBusyControlCenter } from '@/tests/support/busy-control-center';
import { makePerson } from '@/tests/support/control-center';
import { at, makeHouse, signIn } from '@/tests/support/e2e';
import { makeTenant } from '@/tests/support/factories';
import { lookAt, lookInBothSchemes, lookThrough, type Scene, testLooks } from '@/tests/support/look';
import { SOAK } from '@/tests/support/soak';

const shows = (text: string | RegExp) => (page: Page) => expect(page.getByText(text).first()).toBeVisible();

const headed = (name: string) => (page: Page) => expect(page.getByRole('heading', { name })).toBeVisible();

const NEW: readonly Scene<null>[] = [
  { name: 'overview-new', path: () => '/', open: headed('Get your first booking') },
  { name: 'applications-none', path: () => '/applications', open: headed('No applications yet') },
  { name: 'requests-none', path: () => '/requests?period=30d', open: headed('No requests yet') },
  { name: 'not-found', path: () => '/nowhere', open: headed('Page not found') },
  { name: 'application-missing', path: () => '/applications/app_0', open: headed('Application not found') },
];

testLooks('signing in and an empty Control Center', async (page) => {
  await page.goto(at('/sign-in'));
  await lookAt(page, 'sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByText('Enter your password.')).toBeVisible();
  await page.getByLabel('Email address').fill('nobody@salon.example');
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
  { name: 'busy-applications', path: () => '/applications', open: shows('6 applications') },
  { name: 'busy-policy-of-long-name', path: ({ longId }) => `/applications/${longId}`, open: shows('Active') },
  {
    name: 'busy-suspended',
    path: ({ suspendedId }) => `/applications/${suspendedId}`,
    open: shows(/^All keys of this application have been refused since/),
  },
  {
    name: 'busy-resume',
    path: ({ suspendedId }) => `/applications/${suspendedId}`,
    open: (page) => page.getByRole('button', { name: 'Resume Concierge' }).click(),
  },
  { name: 'busy-keys', path: ({ applicationId }) => `/applications/${applicationId}/keys`, open: shows(/^expires in/) },
  { name: 'busy-requests', path: () => '/requests', open: shows(/^50 of/) },
  { name: 'busy-requests-live', path: () => '/requests?period=1h&live=1', open: shows(/^\d+ of/) },
  {
    name: 'busy-person-menu',
    path: () => '/requests?status=5xx',
    open: async (page) => {
      await shows(/^\d+ of/)(page);
      await page.getByRole('button', { name: /^Signed in as/ }).click();
    },
  },
];

testLooks('a busy Control Center with names that no page was drawn for', async (page) => {
  const busy = await makeBusyControlCenter();
  await signIn(page, busy.owner, null);
  // These are pages of other tests with more data. Their contrast is checked again only in `npm run test:soak`.
  await lookThrough(page, busy, BUSY, SOAK);
  await page.setViewportSize({ width: 390, height: 900 });
  await page.goto(at('/requests'));
  await page.getByRole('button', { name: 'Navigation' }).click();
  await expect(page.getByRole('link', { name: 'Overview' })).toBeVisible();
  await lookInBothSchemes(page, 'navigation');
});

type House = Awaited<ReturnType<typeof makeHouse>>;

const READING: readonly Scene<House>[] = [
  { name: 'support-applications', path: () => '/applications', open: shows('Full access partner') },
  {
    name: 'support-policy',
    path: ({ applicationId }) => `/applications/${applicationId}`,
    open: shows('203.0.113.0/24'),
  },
  { name: 'support-keys', path: ({ applicationId }) => `/applications/${applicationId}/keys`, open: shows('Active') },
  { name: 'support-new', path: () => '/applications/new', open: headed('You do not have access') },
];

testLooks('the pages of a support member', async (page) => {
  const house = await makeHouse({ networks: ['203.0.113.0/24', '2001:db8::/32'] });
  await signIn(page, house.support, null);
  await lookThrough(page, house, READING);
});

testLooks('errors while the user works', async (page) => {
  const { owner, tenant, applicationId } = await makeHouse();
  const policy = `/applications/${applicationId}`;
  await signIn(page, owner, policy);
  await page.getByLabel('Requests per minute').fill('50');
  await db().application.update({ where: { id: applicationId }, data: { version: 2, quota: 70 } });
  await page.getByRole('button', { name: 'Review changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save policy' }).click();
  await expect(page.getByText('Someone else saved changes')).toBeVisible();
  await lookAt(page, 'policy-conflict');
  await page.getByRole('button', { name: 'Discard' }).click();

  await page.getByLabel('Requests per minute').fill('50');
  await db().session.updateMany({ where: { userId: owner.userId }, data: { endedAt: new Date() } });
  await page.getByRole('button', { name: 'Review changes' }).click();
  await expect(page.getByRole('dialog').filter({ hasText: 'Your session has ended' })).toBeVisible();
  await lookAt(page, 'session-ended');

  // The browser asks for confirmation when the test leaves the page, because a change is unsaved.
  page.once('dialog', (asked) => asked.accept());
  await signIn(page, await makePerson(tenant.id), '/applications');
  // From here on, all calls fail, as if the network were lost. The page already has its initial data, so it makes no
  // call until the test changes a filter.
  await page.route('**/api/trpc/**', (route) => route.abort());
  await page.getByText('Suspended', { exact: true }).click();
  await expect(page.getByText('Cannot reach the server.').first()).toBeVisible({ timeout: 15_000 });
  await lookAt(page, 'error-applications');
  await page.goto(at('/requests'));
  await page.getByText('7 days', { exact: true }).click();
  await expect(page.getByText('Could not load the data')).toHaveCount(2, { timeout: 15_000 });
  await lookAt(page, 'error-requests');
});
