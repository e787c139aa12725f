import { expect, test } from 'vitest';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();

test('returns 405 with all headers and no body for HEAD', async () => {
  const { key } = await makeBusiness({ quota: 7 });
  const { status, headers, text } = await sendRaw(origin, CATALOG, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${key}` },
  });
  expect({ status, text }).toEqual({ status: 405, text: '' });
  expect(headers).toMatchObject({
    allow: 'GET',
    'cache-control': 'private, no-store',
    'referrer-policy': 'no-referrer',
    'x-ratelimit-limit': '7',
    'x-ratelimit-remaining': '6',
  });
  expect(headers['x-request-id']).toMatch(/^req_/);
});

test('ignores the body of a refused method', async () => {
  const { key } = await makeBusiness();
  const reply = await createClient({ origin, key })(CATALOG, {
    method: 'POST',
    body: '{"limit":',
    headers: { 'content-type': 'application/json' },
  });
  expect(reply.status).toBe(405);
});

test('checks the method after the key and before the scope', async () => {
  const { key } = await makeBusiness({ scopes: [] });
  expect((await createClient({ origin })(CATALOG, { method: 'POST' })).status).toBe(401);
  expect((await createClient({ origin, key })(CATALOG, { method: 'POST' })).status).toBe(405);
});

test('ignores method override headers', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin, key });
  const override = { 'x-http-method-override': 'GET', 'x-edge-method': 'GET', 'x-method-override': 'GET' };
  expect((await client(CATALOG, { method: 'DELETE', headers: override })).status).toBe(405);
});
