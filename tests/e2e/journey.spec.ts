import { expect, type Page } from '@playwright/test';
import { markChanged } from '@/lib/platform/cache';
import { db } from '@/lib/platform/db';
import { test } from '@/tests/support/browser-test';
import { at, callWith, go, makeHouse, signIn } from '@/tests/support/e2e';
import { callPartner, confirmStored, issueKey, paste, searchBox, shownKey } from '@/tests/support/steps';

const NAME = 'Booking site';
const ELSEWHERE = '203.0.113.0/24';

/**
 * Creates an application whose allowed networks do not contain the address of the test. Returns the application's
 * first key.
 */
async function createRestricted(page: Page): Promise<string> {
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Applications' }).click();
  await page.getByRole('link', { name: 'New application' }).click();
  await page.waitForURL(at('/applications/new'));
  await page.getByLabel('Name').fill(NAME);
  await page.getByLabel('Allowed networks').first().fill(ELSEWHERE);
  await page.getByLabel('Allowed networks').first().press('Enter');
  await page.getByRole('button', { name: 'Create application' }).click();
  await page.waitForURL(/\/applications\/app_\w+\/keys$/);
  await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
  return issueKey(page, 'Production server');
}

/** Finds a refused request by its id, and follows the link to the policy that caused the refusal. */
async function findWhy(page: Page, requestId: string): Promise<void> {
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await searchBox(page).click();
  await paste(page, requestId);
  await expect(page).toHaveURL(at(`/requests/${requestId}`));
  await expect(page.getByText('not in the application’s allowed networks')).toBeVisible();
  await expect(page.getByText('Source IP address: 127.0.0.1')).toBeVisible();
  await page.getByRole('link', { name: `Open the policy for ${NAME}` }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(NAME);
}

/** Replaces the allowed network with the partner's network, and checks the summary of the change. */
async function fixPolicy(page: Page): Promise<void> {
  await page.getByRole('button', { name: `Remove ${ELSEWHERE}` }).click();
  await page.getByLabel('Allowed networks').first().fill('127.0.0.0/8');
  await page.getByRole('button', { name: 'Review changes' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(`Removed: ${ELSEWHERE}`)).toBeVisible();
  await expect(dialog.getByText('Added: 127.0.0.0/8')).toBeVisible();
  await dialog.getByRole('button', { name: 'Save policy' }).click();
  await expect(page.getByText('Policy saved.')).toBeVisible();
  await expect(dialog).toBeHidden();
}

/** Rotates the only key with an overlap of one hour. Returns the new key. */
async function rotate(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Keys', exact: true }).click();
  await page.getByRole('button', { name: /^Rotate Production server,/ }).click();
  await expect(page.getByRole('radio', { name: 'In 24 hours' })).toBeFocused();
  await page.getByRole('radio', { name: 'In 1 hour' }).check();
  await page.getByRole('button', { name: 'Rotate key', exact: true }).click();
  const successor = await shownKey(page);
  await confirmStored(page);
  return successor;
}

/** Moves the end of the overlap to a few seconds from now. */
async function endOverlap(key: string, applicationId: string): Promise<void> {
  const overlapEndsAt = new Date(Date.now() + 4_000);
  await db().$transaction(async (tx) => {
    await tx.apiKey.updateMany({ where: { applicationId, lastFour: key.slice(-4) }, data: { overlapEndsAt } });
    await markChanged(tx, 'policy', applicationId);
  });
}

test('an owner onboards a partner, finds the cause of a refusal, fixes the policy, and rotates the key', async ({
  page,
}) => {
  test.slow();
  const { owner } = await makeHouse();
  await signIn(page, owner);
  const key = await createRestricted(page);
  const applicationId = page.url().split('/').at(-2) ?? '';

  const refused = await callPartner(key, '/catalog');
  expect(refused.status).toBe(403);
  await findWhy(page, refused.requestId);
  await fixPolicy(page);
  await expect.poll(() => callWith(key)).toBe(200);
  const passed = await callPartner(key, '/catalog');
  expect(passed.status).toBe(200);
  await go(page, `/requests/${passed.requestId}`);
  await expect(page.getByRole('term').first()).toBeVisible();
  await expect(page.getByText('Why this request was refused')).toHaveCount(0);
  await page.goBack();

  const successor = await rotate(page);
  expect([await callWith(key), await callWith(successor)]).toEqual([200, 200]);
  const rotated = page.getByRole('row').filter({ hasText: 'Rotated' });
  await expect(rotated.locator('td[data-label="Expires"]')).not.toHaveText('Never');
  const countdown = page.getByText(/^expires in \d+ (min|s)/);
  const first = await countdown.textContent();
  await expect(countdown).not.toHaveText(first ?? '');
  await endOverlap(key, applicationId);
  await page.reload();
  // The page updates by itself when the overlap ends.
  await expect(page.getByRole('region', { name: 'Keys' })).toContainText('Replaced', { timeout: 15_000 });
  await expect.poll(() => callWith(key)).toBe(401);
  expect(await callWith(successor)).toBe(200);

  await page.getByRole('button', { name: `Revoke Production server, ending in ${successor.slice(-4)}` }).click();
  await expect(page.getByRole('dialog')).toContainText('401, code invalid_api_key');
  await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
  await expect(page.getByRole('cell', { name: /^Revoked/ })).toBeVisible();
  await expect.poll(() => callWith(successor)).toBe(401);
});
