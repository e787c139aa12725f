import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookError } from '@/lib/contract/client';

type Vector = {
  name: string;
  secrets: string[];
  headers: Record<string, string>;
  body: string;
  now: number;
  valid: boolean;
};

const VECTORS = JSON.parse(readFileSync('docs/partner/webhook-vectors.json', 'utf8')) as Vector[];

test.each(VECTORS)(
  'the client verifies the published vector: $name',
  async ({ secrets, headers, body, now, valid }) => {
    for (const raw of [body, new TextEncoder().encode(body)]) {
      const verified = verifyWebhook(secrets, headers, raw, now);
      if (valid) expect(await verified).toEqual(JSON.parse(body));
      else await expect(verified).rejects.toBeInstanceOf(WebhookError);
      expect(await verifyWebhook(secrets, new Headers(headers), raw, now).catch(() => false)).toEqual(
        valid ? JSON.parse(body) : false,
      );
    }
  },
);

test('the package standardwebhooks creates the signatures of the valid vectors', () => {
  const valid = VECTORS.filter((one) => one.valid);
  expect([valid.length > 3, VECTORS.length - valid.length > 5]).toEqual([true, true]);
  for (const { secrets, headers, body } of valid) {
    const [id = '', sent] = [headers['webhook-id'], new Date(Number(headers['webhook-timestamp']) * 1000)];
    const made = secrets.map((secret) => new Webhook(secret).sign(id, sent, body));
    const given = headers['webhook-signature']?.split(' ') ?? [];
    expect(given.some((one) => made.includes(one))).toBe(true);
  }
});
