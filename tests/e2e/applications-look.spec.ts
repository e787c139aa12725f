import { expect, type Page } from '@playwright/test';
import { callWith, makeHouse, signIn } from '../support/e2e';
import { lookThrough, type Scene, testLooks } from '../support/look';
import { shownKey } from '../support/steps';

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click();
const ready = async (page: Page) => expect(page.getByText('Active', { exact: true }).first()).toBeVisible();

const SCENES: readonly Scene<string>[] = [
  { name: 'applications-list', path: () => '/applications', open: ready },
  { name: 'applications-suspend', path: () => '/applications', open: press('Suspend Full access partner') },
  {
    name: 'applications-new',
    path: () => '/applications/new',
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('10.0.0.0/99');
      await page.getByRole('button', { name: 'Create application' }).click();
      await expect(page.getByText('Enter a name.')).toBeVisible();
    },
  },
  { name: 'applications-policy', path: (id) => `/applications/${id}`, open: ready },
  {
    name: 'applications-review',
    path: (id) => `/applications/${id}`,
    open: async (page) => {
      await page.getByLabel('Allowed networks').first().fill('203.0.113.0/24');
      await page.getByRole('button', { name: 'Review changes' }).click();
      await expect(page.getByText(/^This change would/)).toBeVisible();
    },
  },
  { name: 'applications-keys', path: (id) => `/applications/${id}/keys`, open: ready },
  { name: 'applications-issue', path: (id) => `/applications/${id}/keys`, open: press('Issue key') },
  {
    name: 'applications-issue-refused',
    path: (id) => `/applications/${id}/keys`,
    open: async (page) => {
      await press('Issue key')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Issue key' }).click();
      await expect(page.getByText('Enter a name')).toBeVisible();
    },
  },
  {
    name: 'applications-key-shown-once',
    path: (id) => `/applications/${id}/keys`,
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
  { name: 'applications-rotate', path: (id) => `/applications/${id}/keys`, open: press(/^Rotate/) },
  { name: 'applications-revoke', path: (id) => `/applications/${id}/keys`, open: press(/^Revoke/) },
];

testLooks('every page and dialog of applications is accessible', async (page) => {
  const { owner, key, applicationId } = await makeHouse();
  await callWith(key);
  await signIn(page, owner, '/applications');
  await lookThrough(page, applicationId, SCENES);
});
