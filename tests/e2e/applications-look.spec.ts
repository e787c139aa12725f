import { expect, type Page } from '@playwright/test';
import { makeBusyControlCenter } from '../support/busy-control-center';
import { signIn } from '../support/e2e';
import { lookThrough, type Scene, testLooks } from '../support/look';
import { shownKey } from '../support/steps';

type Busy = Awaited<ReturnType<typeof makeBusyControlCenter>>;

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const shows = (text: string | RegExp) => (page: Page) => expect(page.getByText(text).first()).toBeVisible();
const keys = ({ applicationId }: Busy) => `/applications/${applicationId}/keys`;

const SCENES: readonly Scene<Busy>[] = [
  { name: 'applications-list', path: () => '/applications', open: shows('6 applications') },
  {
    name: 'applications-new',
    path: () => '/applications/new',
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('10.0.0.0/99');
      await page.getByRole('button', { name: 'Create application' }).click();
      await expect(page.getByText('Enter a name.')).toBeVisible();
    },
  },
  {
    name: 'applications-suspend',
    path: ({ applicationId }) => `/applications/${applicationId}`,
    open: press('Suspend Aurora Booking Widget'),
  },
  { name: 'applications-policy', path: ({ longId }) => `/applications/${longId}`, open: shows('Active') },
  {
    name: 'applications-review',
    path: ({ longId }) => `/applications/${longId}`,
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('198.51.100.0/24');
      await page.getByRole('button', { name: 'Review changes' }).click();
      await expect(page.getByText(/^This change would/)).toBeVisible();
    },
  },
  { name: 'applications-keys', path: keys, open: shows(/^expires in/) },
  {
    name: 'applications-issue-refused',
    path: null,
    open: async (page) => {
      await press('Issue key')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
      await expect(page.getByText('Enter a name')).toBeVisible();
    },
  },
  {
    name: 'applications-key-shown-once',
    path: keys,
    open: async (page) => {
      await press('Issue key')(page);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('Production server');
      await dialog.getByRole('button', { name: 'Issue key' }).click();
      await shownKey(page);
      await dialog.getByRole('button', { name: 'Done' }).click();
      // The browser asks for confirmation when the test leaves the page.
      page.once('dialog', (asked) => asked.accept());
    },
  },
  { name: 'applications-rotate', path: keys, open: press(/^Rotate/) },
  { name: 'applications-revoke', path: null, open: press(/^Revoke/) },
];

testLooks('every page and dialog of applications with names that no page was drawn for is accessible', async (page) => {
  const busy = await makeBusyControlCenter();
  await signIn(page, busy.owner, null);
  await lookThrough(page, busy, SCENES);
});
