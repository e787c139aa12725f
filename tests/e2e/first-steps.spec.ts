import { expect } from '@playwright/test';
import { makePerson } from '@/tests/support/control-center';
import { at, signIn } from '@/tests/support/e2e';
import { makeTenant } from '@/tests/support/factories';
import { lookAt, testLooks } from '@/tests/support/look';

testLooks(
  'the start page offers sign-in and requests no other host, and a new Control Center shows the first steps',
  async (page) => {
    const origin = process.env.E2E_ORIGIN ?? '';
    const foreign: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(origin)) foreign.push(request.url());
    });
    const response = await page.goto(origin);
    expect(response?.status()).toBe(200);
    expect(page.url()).toBe(`${origin}/sign-in`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in');
    await expect(page.getByText('TEST', { exact: true })).toBeVisible();
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

    await page.setViewportSize({ width: 1440, height: 900 });
    await signIn(page, await makePerson((await makeTenant()).id));
    const headings = page.getByRole('main').getByRole('heading', { level: 2 });
    const sections = ['Get your first booking', 'Needs attention', 'Today’s bookings', 'Traffic', 'Webhooks'];
    await expect(headings).toHaveText(sections);
    await expect(page.getByText('Nothing needs attention')).toBeVisible();
    await expect(page.getByRole('link', { name: 'API documentation' })).toHaveAttribute('href', '/docs');
    await expect(page.getByRole('listitem').filter({ hasText: 'Create' }).first()).toContainText(
      'Create and publish a location',
    );
    await expect(page.getByText('No bookings today.')).toBeVisible();
    await expect(page.getByText('the same as in the previous 24 hours')).toHaveCount(2);
    await lookAt(page, 'overview-new');
    await page.getByRole('link', { name: 'Create an application' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('link', { name: 'Applications', exact: true }).first().click();
    await expect(page.getByRole('heading', { name: 'No applications yet' })).toBeVisible();
    await lookAt(page, 'applications-none');
    await page.goto(at('/nowhere'));
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
    await lookAt(page, 'not-found');
    expect(foreign).toEqual([]);
  },
);
