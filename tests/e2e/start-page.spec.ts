import { expect } from '@playwright/test';
import { test } from '@/tests/support/browser-test';

test('the start page offers sign-in, names the environment, and requests no other host', async ({ page }) => {
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
  expect(foreign).toEqual([]);
});
