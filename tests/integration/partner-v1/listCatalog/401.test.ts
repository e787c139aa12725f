import { Agent, request } from 'undici';
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

async function expectRefused(authorization: string | undefined) {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const reply = await createClient({ origin })(CATALOG, { headers });
  expect(reply.status).toBe(401);
  expect(reply.error.code).toBe('invalid_api_key');
  expect(reply.headers['www-authenticate']).toBe('Bearer');
  // Without a valid key, the headers report the failure quota of the client's address (contract B2).
  expect(reply.headers['x-ratelimit-limit']).toBe('30');
  expect(reply.headers['x-ratelimit-remaining']).toBe('29');
  return reply;
}

function replaced(text: string, at: number): string {
  return text.slice(0, at) + (text.charAt(at) === 'x' ? 'y' : 'x') + text.slice(at + 1);
}

test('returns the reason missing without a key', async () => {
  for (const none of [undefined, '', 'Bearer', 'Bearer ']) {
    expect((await expectRefused(none)).error.reason).toBe('missing');
  }
});

test('each request of a connection is authenticated with its own key, under a scheme in any letter case', async () => {
  const other = await makeBusiness();
  const dispatcher = new Agent({ connections: 1, pipelining: 1 });
  const ask = async (authorization: string) => {
    const url = `http://127.0.0.1:${new URL(origin).port}${CATALOG}`;
    const { statusCode, body } = await request(url, { dispatcher, headers: { authorization } });
    const text = await body.text();
    return [statusCode, ...[business, other].map(({ service }) => text.includes(service.id))];
  };
  expect(await ask(`Bearer ${key}`)).toEqual([200, true, false]);
  expect(await ask(`bearer ${other.key}`)).toEqual([200, false, true]);
  expect(await ask(`Bearer ${key.slice(0, -1)}`)).toEqual([401, false, false]);
  expect(await ask(`BEARER ${key}`)).toEqual([200, true, false]);
  await dispatcher.close();
});

const wayOf = async (headers: Record<string, string>, path = CATALOG) => {
  const { status, error } = await createClient({ origin })(path, { headers });
  expect([status, error.code, error.reason]).toEqual([401, 'invalid_api_key', 'missing']);
  return error.message;
};

test('says how the key was sent wrong, in the same words for a valid key and for any other', async () => {
  for (const sent of [key, generateKey(), 'pbk_test_nothing']) {
    const basic = `Basic ${Buffer.from(`${sent}:`).toString('base64')}`;
    expect(await wayOf({ authorization: basic })).toMatch(/^The key cannot be sent with Basic authentication\. Send /);
    for (const authorization of [sent, `"${sent}"`, `Token ${sent}`, `Bearer:${sent}`])
      expect(await wayOf({ authorization })).toMatch(
        /^The Authorization header does not start with Bearer and a space\./,
      );
    expect(await wayOf({ 'x-api-key': sent })).toMatch(/^The key was sent in another header\./);
    for (const query of [
      `api_key=${sent}`,
      `apiKey=${sent}`,
      `limit=1&access_token=${sent}`,
      `x=${sent}`,
      `y=Bearer%20pbk_`,
    ])
      expect(await wayOf({}, `${CATALOG}?${query}`)).toMatch(/^A key must not be in the URL/);
    expect(await wayOf({})).toMatch(/^The request has no API key\. Send the header Authorization: Bearer/);
  }
});

test('rejects a key under another authentication scheme', async () => {
  for (const scheme of ['Basic', 'Token', 'ApiKey', 'Digest', 'Bearer:', 'BearerX']) {
    const reply = await expectRefused(`${scheme} ${key}`);
    expectNoEcho(reply, key);
  }
  await expectRefused(key);
  await expectRefused(`Basic ${Buffer.from(`${key}:`).toString('base64')}`);
});

test('rejects a key outside the Authorization header', async () => {
  const client = createClient({ origin });
  expect((await client(`${CATALOG}?api_key=${key}`)).status).toBe(401);
  expect((await client(CATALOG, { headers: { 'x-api-key': key, cookie: `authorization=Bearer ${key}` } })).status).toBe(
    401,
  );
});

test('rejects a key with any single character altered', async () => {
  await Promise.all(
    Array.from(key, async (_, at) => {
      const { error } = await expectRefused(`Bearer ${replaced(key, at)}`);
      expect(error.reason).toBe('malformed');
    }),
  );
});

test('rejects a truncated or extended key', async () => {
  const cut = [1, 4, 9, 10, 41, 46].map((length) => key.slice(0, length));
  for (const bad of [...cut, key.slice(1), `${key}0`, `${key}${key}`, `${key},${key}`, `${key} ${key}`, `"${key}"`]) {
    expect((await expectRefused(`Bearer ${bad}`)).error.reason).toBe('malformed');
  }
});

test('rejects a key in another letter case', async () => {
  for (const bad of [key.toUpperCase(), key.toLowerCase(), key.replace('pbk_test_', 'PBK_TEST_')]) {
    if (bad !== key) expect((await expectRefused(`Bearer ${bad}`)).error.reason).toBe('malformed');
  }
});

test('rejects a well-formed unknown key without a reason or fields', async () => {
  const unknown = generateKey();
  const reply = await expectRefused(`Bearer ${unknown}`);
  expect(reply.error).toMatchObject({ reason: null, fields: [] });
  expectNoEcho(reply, unknown.slice(9));
});

test('returns wrong_environment for every key with the prefix of the other environment', async () => {
  for (const live of [key.replace('pbk_test_', 'pbk_live_'), 'pbk_live_', 'pbk_live_x', `pbk_live_${'é'.repeat(3)}`]) {
    expect((await expectRefused(`Bearer ${live}`)).error.reason).toBe('wrong_environment');
  }
});

test('returns the same response for revoked, expired, and unknown keys, except for the request id', async () => {
  const now = new Date();
  const { applicationId, tenant } = business;
  const issue = { tenantId: tenant.id, applicationId, name: 'Key', actor: { kind: 'system' } as const };
  const revoked = await issueKey(now, { ...issue, expiresAt: null });
  await revokeKey(now, { tenantId: tenant.id, keyId: revoked.record.id, actor: issue.actor });
  const past = new Date(now.getTime() - 60_000);
  const expired = await issueKey(past, { ...issue, expiresAt: new Date(past.getTime() + 1000) });
  const texts = [];
  for (const bad of [revoked.key, expired.key, generateKey()]) {
    const reply = await expectRefused(`Bearer ${bad}`);
    expectNoEcho(reply, bad.slice(9));
    texts.push(reply.text.replaceAll(reply.requestId, '*'));
  }
  expect(new Set(texts).size).toBe(1);
});

test('rejects a key of 40 KB with the same response', async () => {
  const long = key + 'A'.repeat(40 * 1024);
  expect((await expectRefused(`Bearer ${long}`)).error.reason).toBe('malformed');
  await expectRefused(`Bearer ${'é'.repeat(20_000)}`);
});

test('rejects a key with tabs or non-ASCII bytes', async () => {
  for (const bad of [`${key}\t${key}`, `${key.slice(0, 20)}\t${key.slice(21)}`, `${key}\xff`, `\xe4${key}`]) {
    const answer = await sendRaw(origin, CATALOG, { headers: { authorization: `Bearer ${bad}` } });
    expect(answer.status).toBe(401);
    expectNoEcho(answer, key);
  }
});

test('rejects a key with control characters in the usual envelope and does not echo it', async () => {
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

test('rejects two Authorization headers', async () => {
  const answer = await sendRaw(origin, CATALOG, {
    headers: { Authorization: `Bearer ${key}`, authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(401);
});

test('authenticates before it checks the query', async () => {
  const client = createClient({ origin });
  for (const query of ['limit=0', 'locale=%ff', 'john@example.com=1', 'cursor=']) {
    expect((await client(`${CATALOG}?${query}`)).status).toBe(401);
  }
});
