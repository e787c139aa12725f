import { expect } from '@playwright/test';
import type { LogEntry } from '@/lib/activity/request-log/log-entry';
import { BASE_PATH, OPERATIONS } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { makeHouse, screenshot, signIn } from '@/tests/support/e2e';
import { ago, writeLines } from '@/tests/support/request-lines';

const PATTERNS = OPERATIONS.slice(0, 5).map(({ method, path }) => ({
  method,
  route: BASE_PATH + path,
  status: method === 'POST' ? 201 : 200,
}));
const REFUSALS = [
  { status: 409, code: 'booking_unavailable', reason: 'slot_taken' },
  { status: 404, code: 'not_found' },
  { status: 400, code: 'invalid_request', reason: 'unknown_field' },
  { status: 429, code: 'rate_limited' },
];

const LINES = 400;

/**
 * Returns log entry number `i`. The entries cover the last day. Some hours have more entries than others, and one in
 * seven requests is refused.
 */
function lineOf(i: number): Partial<LogEntry> {
  const pattern = PATTERNS[(i * 3) % PATTERNS.length] ?? {};
  const refusal = i % 7 === 3 ? REFUSALS[Math.floor(i / 7) % REFUSALS.length] : {};
  const part = i / LINES;
  const seconds = 20 + 86_000 * (part - 0.11 * Math.sin(2 * Math.PI * part) + 0.02 * Math.sin(16 * Math.PI * part));
  return { ...pattern, ...refusal, at: ago(Math.max(seconds, 20)), duration_ms: 1 + ((i * 31) % 90) / 10 };
}

/**
 * Takes the screenshot at the top of the README. To update it, run `SCREENSHOTS=1 npm test -- e2e front-page` and
 * copy the new screenshot to `docs`.
 */
if (process.env.SCREENSHOTS === '1')
  test('the screenshot of the README is taken', async ({ page }) => {
    const { owner, tenant, applicationId, keyId } = await makeHouse();
    await db().tenant.update({ where: { id: tenant.id }, data: { name: 'Musterlinde' } });
    const known = { tenant_id: tenant.id, application_id: applicationId, key_id: keyId };
    await writeLines(Array.from({ length: LINES }, (_, i) => ({ ...lineOf(i), ...known })));
    await page.setViewportSize({ width: 1280, height: 800 });
    await signIn(page, owner, '/requests');
    await expect(page.getByText(/^400 requests/)).toBeVisible();
    await screenshot(page, 'front-page', false);
  });
