import { beforeAll, expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { issueKey, revokeKey } from '@/lib/access/applications/keys';
import { createClient } from '@/tests/support/client';
import { expectNoEcho } from '@/tests/support/echo';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sendRaw } from '@/tests/support/raw';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
let business: Awaited<ReturnType<typeof makeBusiness>>;
let key: string;

beforeAll(async () => {
  business = await makeBusiness();
  key = business.key;
});

async function refused(authorization: string | undefined) {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const reply = await createClient({ origin })(CATALOG, { headers });
  expect(reply.status).toBe(401);
  expect(reply.error.code).toBe('invalid_api_key');
  expect(reply.headers['www-authenticate']).toBe('Bearer');
  // Nobody is known: the headers speak of the address (contract B2).
  expect(reply.headers['x-ratelimit-limit']).toBe('30');
  expect(reply.headers['x-ratelimit-remaining']).toBe('29');
  return reply;
}

function replaced(text: string, at: number): string {
  return text.slice(0, at) + (text.charAt(at) === 'x' ? 'y' : 'x') + text.slice(at + 1);
}

test('without a key the reason is that it is missing', async () => {
  for (const none of [undefined, '', 'Bearer', 'Bearer ']) {
    expect((await refused(none)).error.reason).toBe('missing');
  }
});

test('a key under another scheme is no credential', async () => {
  for (const scheme of ['Basic', 'Token', 'ApiKey', 'Digest', 'Bearer:', 'BearerX']) {
    const reply = await refused(`${scheme} ${key}`);
    expectNoEcho(reply, key);
  }
  await refused(key);
  await refused(`Basic ${Buffer.from(`${key}:`).toString('base64')}`);
});

test('a key elsewhere than in the Authorization header is no credential', async () => {
  const client = createClient({ origin });
  expect((await client(`${CATALOG}?api_key=${key}`)).status).toBe(401);
  expect((await client(CATALOG, { headers: { 'x-api-key': key, cookie: `authorization=Bearer ${key}` } })).status).toBe(
    401,
  );
});

test('a key with one character off at any position is refused', async () => {
  await Promise.all(
    Array.from(key, async (_, at) => {
      const { error } = await refused(`Bearer ${replaced(key, at)}`);
      expect(error.reason).toBeNull();
    }),
  );
});

test('a key cut anywhere, or with something added, is refused', async () => {
  const cut = [1, 4, 9, 10, 41, 46].map((length) => key.slice(0, length));
  for (const bad of [...cut, key.slice(1), `${key}0`, `${key}${key}`, `${key},${key}`, `${key} ${key}`, `"${key}"`]) {
    expect((await refused(`Bearer ${bad}`)).error.reason).toBeNull();
  }
});

test('a key in another case is refused', async () => {
  for (const bad of [key.toUpperCase(), key.toLowerCase(), key.replace('pbk_test_', 'PBK_TEST_')]) {
    if (bad !== key) expect((await refused(`Bearer ${bad}`)).error.reason).toBeNull();
  }
});

test('a well-formed key that was never issued is refused, without a word more', async () => {
  const unknown = generateKey();
  const reply = await refused(`Bearer ${unknown}`);
  expect(reply.error).toMatchObject({ reason: null, fields: [] });
  expectNoEcho(reply, unknown.slice(9));
});

test('a key of the other environment is told from its prefix alone', async () => {
  for (const live of [key.replace('pbk_test_', 'pbk_live_'), 'pbk_live_', 'pbk_live_x', `pbk_live_${'é'.repeat(3)}`]) {
    expect((await refused(`Bearer ${live}`)).error.reason).toBe('wrong_environment');
  }
});

test('revoked, expired, unknown and mistyped keys get the same answer but for the request id', async () => {
  const now = new Date();
  const { applicationId, tenant } = business;
  const issue = { tenantId: tenant.id, applicationId, name: 'Key', actor: { kind: 'system' } as const };
  const revoked = await issueKey(now, { ...issue, expiresAt: null });
  await revokeKey(now, { tenantId: tenant.id, keyId: revoked.record.id, actor: issue.actor });
  const past = new Date(now.getTime() - 60_000);
  const expired = await issueKey(past, { ...issue, expiresAt: new Date(past.getTime() + 1000) });
  const texts = [];
  for (const bad of [revoked.key, expired.key, generateKey(), replaced(key, 20)]) {
    const reply = await refused(`Bearer ${bad}`);
    expectNoEcho(reply, bad.slice(9));
    texts.push(reply.text.replaceAll(reply.requestId, '*'));
  }
  expect(new Set(texts).size).toBe(1);
});

test('a key of 40 KB is refused like any other', async () => {
  const long = key + 'A'.repeat(40 * 1024);
  expect((await refused(`Bearer ${long}`)).error.reason).toBeNull();
  await refused(`Bearer ${'é'.repeat(20_000)}`);
});

test('a key with tabs, or bytes outside ASCII, is refused', async () => {
  for (const bad of [`${key}\t${key}`, `${key.slice(0, 20)}\t${key.slice(21)}`, `${key}\xff`, `\xe4${key}`]) {
    const answer = await sendRaw(origin, CATALOG, { headers: { authorization: `Bearer ${bad}` } });
    expect(answer.status).toBe(401);
    expectNoEcho(answer, key);
  }
});

test('a key with control characters is no HTTP: refused with our headers and envelope, and not repeated', async () => {
  for (const control of ['\u0000', '\u0001', '\u001b', '\u007f', '\n', '\r']) {
    const bad = key.slice(0, 20) + control + key.slice(20);
    const answer = await sendRaw(origin, CATALOG, { headers: { authorization: `Bearer ${bad}` } });
    expect([400, 401]).toContain(answer.status);
    expect(JSON.parse(answer.text).meta.request_id).toBe(answer.headers['x-request-id']);
    expect(answer.headers['cache-control']).toBe('private, no-store');
    expectNoEcho(answer, key.slice(0, 20));
    expectNoEcho(answer, key.slice(20));
  }
});

test('two keys are one that nobody has', async () => {
  const answer = await sendRaw(origin, CATALOG, {
    headers: { Authorization: `Bearer ${key}`, authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(401);
});

test('authentication comes before everything that the request says', async () => {
  const client = createClient({ origin });
  for (const query of ['limit=0', 'locale=%ff', 'john@example.com=1', 'cursor=']) {
    expect((await client(`${CATALOG}?${query}`)).status).toBe(401);
  }
});
