import { expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { BASE_PATH } from '@/lib/contract/operations';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';
import { rowOf } from './rows';

const { origin } = sharedServer();

test('a credential in the wrong place is not logged', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin, key });
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
  const other = generateKey();
  const live = other.replace('test', 'live');
  const places: Record<string, string>[] = [
    { 'user-agent': `Bearer ${other}`, origin: `https://${other}.example` },
    { 'user-agent': `sdk/1 (${live}; ${secret}) ${other}${other}` },
    // The log stores only the beginning of a long header. This beginning must not contain a part of a credential.
    { 'user-agent': 'x'.repeat(300 - 25) + other },
    { 'user-agent': 'x'.repeat(300 - 25) + secret },
    { 'user-agent': other.toUpperCase(), origin: secret },
  ];
  for (const headers of places) {
    const { requestId } = await client(CATALOG, { headers });
    const text = JSON.stringify(await rowOf(requestId)).toLowerCase();
    for (const credential of [other.slice(9, 21), secret.slice(6, 18), key.slice(9)]) {
      expect(text).not.toContain(credential.toLowerCase());
    }
  }
});

test('a credential in path or query is not logged', async () => {
  const { key } = await makeBusiness();
  const client = createClient({ origin, key });
  const other = generateKey();
  for (const path of [
    `${CATALOG}?api_key=${other}`,
    `${CATALOG}?${other}=1`,
    `${BASE_PATH}/${other}`,
    `${CATALOG}/${other}`,
  ]) {
    const { requestId } = await client(path);
    expect(JSON.stringify(await rowOf(requestId))).not.toContain(other.slice(9, 21));
  }
});

test.for([
  '\\u0000',
  'a\\',
  '\\\\u0000\\u0000',
  '\\ud800',
  '"',
  "'; DROP TABLE request_log; --",
  '\xff\xfe',
  '{"a":1}',
])('a header with %j is logged unchanged, and no other entry is lost', async (text) => {
  const { key } = await makeBusiness();
  const quiet = createClient({ origin, key });
  const authorization = `Bearer ${key}`;
  const [odd, plain] = await Promise.all([
    sendRaw(origin, CATALOG, { headers: { authorization, 'user-agent': `a${text}z` } }),
    quiet(CATALOG),
  ]);
  expect(odd.status).toBe(200);
  expect((await rowOf(odd.headers['x-request-id'] ?? '')).user_agent).toBe(`a${text}z`);
  await rowOf(plain.requestId);
});

test('long headers are truncated', async () => {
  const { key } = await makeBusiness();
  const { requestId } = await createClient({ origin, key })(CATALOG, { headers: { 'user-agent': 'x'.repeat(10_000) } });
  expect((await rowOf(requestId)).user_agent).toHaveLength(300);
});

test('an unparsable request has an entry without client input', async () => {
  const answer = await sendRaw(origin, CATALOG, {
    headers: { authorization: 'Bearer \u0001', 'user-agent': 'partner' },
  });
  expect(answer.status).toBe(400);
  expect(await rowOf(answer.headers['x-request-id'] ?? '')).toMatchObject({
    tenant_id: null,
    address: null,
    path: null,
    user_agent: null,
    status: 400,
    code: 'invalid_request',
  });
});
