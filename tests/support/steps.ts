import { expect, type Locator, type Page } from '@playwright/test';
import { request } from 'undici';
import { BASE_PATH } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { at } from './e2e';

export async function shownKey(page: Page): Promise<string> {
  const shown = page.getByRole('dialog').getByText(/^pbk_test_\w{38}$/);
  return (await shown.textContent()) ?? '';
}

export async function confirmStored(page: Page): Promise<void> {
  await page.getByLabel('I have stored this key').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

export async function issueKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Issue key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Issue key' }).click();
  const key = await shownKey(page);
  await confirmStored(page);
  return key;
}

export function searchBox(page: Page): Locator {
  return page.getByRole('textbox', { name: /^Request ID/ });
}

export async function paste(page: Page, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: new URL(at('/')).origin });
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await page.keyboard.press('ControlOrMeta+v');
}

type PartnerRequest = { method?: 'POST'; headers?: Record<string, string>; body?: string };

/** Waits until the request is in the request log. */
export async function callPartner(key: string, path: string, { headers, ...init }: PartnerRequest = {}) {
  const response = await request(at(BASE_PATH + path), {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...headers },
  });
  await response.body.dump();
  const requestId = String(response.headers['x-request-id']);
  await expect.poll(() => db().requestLog.count({ where: { requestId } })).toBe(1);
  return { status: response.statusCode, requestId };
}
