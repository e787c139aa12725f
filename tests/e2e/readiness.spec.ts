import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { openCertificate } from '@/lib/booking/readiness/certificate';
import { test } from '@/tests/support/browser-test';
import { go, makeHouse, signIn } from '@/tests/support/e2e';
import { lookAt } from '@/tests/support/look';

test('in TEST, the owner sees what an application has shown, opens the request, and downloads the signed file', async ({
  page,
}) => {
  const { owner, key, applicationId } = await makeHouse();
  const api = `${process.env.E2E_ORIGIN}/api/partner/v1`;
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'clock-of-a-readiness-test' };
  expect((await page.request.post(`${api}/test/clock`, { headers, data: { advance_seconds: 60 } })).status()).toBe(200);
  expect((await page.request.get(`${api}/catalog`, { headers })).status()).toBe(200);
  const report = { first_request_id: '', passed: 1, failed: 0, skipped: 0, calls: 1 };
  const { meta } = (await (await page.request.get(`${api}/me`, { headers })).json()) as {
    meta: { request_id: string };
  };
  const run = { headers: { ...headers, 'idempotency-key': 'run-of-a-readiness-test' } };
  const data = { ...report, first_request_id: meta.request_id };
  expect((await page.request.post(`${api}/test/conformance`, { ...run, data })).status()).toBe(200);

  await page.setViewportSize({ width: 390, height: 900 });
  await signIn(page, owner, `/applications/${applicationId}/keys`);
  const section = page.getByRole('region', { name: 'Readiness for LIVE' });
  await expect(section).toContainText('1 of 5 criteria met');
  await expect(section.getByRole('listitem').filter({ hasText: 'Survives a change of the clock' })).toContainText(
    'Met',
  );
  await expect(section.getByRole('listitem').filter({ hasText: 'Handles a 409' })).toContainText('Not yet');
  await expect(section).toContainText('reported 1 passed, 0 failed, and 0 skipped checks');
  await lookAt(page, 'readiness-test');

  const download = page.waitForEvent('download');
  await section.getByRole('link', { name: 'Download readiness file' }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  await section.getByRole('link', { name: 'View request' }).click();
  await expect(page).toHaveURL(/\/requests\/req_/);

  await go(page, '/environment');
  const readinessKey = (await page.locator('dt:text-is("Readiness key") + dd').textContent()) ?? '';
  expect(openCertificate(file, new Date(), [readinessKey]).met).toBe(1);
});
