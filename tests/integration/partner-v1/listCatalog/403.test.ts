import { expect, test } from 'vitest';
import { createClient, freshAddress } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';

const { origin } = sharedServer();
const ORIGINS = ['https://partner.example', 'https://other.example'];

test('returns 403 origin for every Origin that is not listed exactly, and accepts a listed one without CORS', async () => {
  const { key } = await makeBusiness({ origins: ORIGINS });
  const client = createClient({ origin, key });
  for (const sent of [
    undefined,
    '',
    'null',
    'https://partner.example/',
    'http://partner.example',
    'https://PARTNER.example',
    'https://partner.example:443',
    'https://partner.example.evil.example',
    'https://partner.example, https://other.example',
  ]) {
    const { status, error } = await client(CATALOG, { headers: sent === undefined ? {} : { origin: sent } });
    expect([sent, status, error.reason]).toEqual([sent, 403, 'origin']);
  }
  const { status, headers } = await client(CATALOG, { headers: { origin: ORIGINS[0] ?? '' } });
  expect(status).toBe(200);
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
});

test('checks the address of the connection and ignores forwarding headers', async () => {
  const address = freshAddress();
  const { key } = await makeBusiness({ networks: [address] });
  const listed = createClient({ origin, key, address });
  expect((await listed(CATALOG, { headers: { 'x-forwarded-for': '203.0.113.9' } })).status).toBe(200);
  const other = createClient({ origin, key });
  for (const header of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-edge-address', 'cf-connecting-ip']) {
    const { error } = await other(CATALOG, { headers: { [header]: address } });
    expect(error.reason).toBe('ip');
  }
});

test('matches IPv4 addresses against an IPv4-mapped IPv6 network', async () => {
  const { key } = await makeBusiness({ networks: ['::ffff:127.0.0.0/104'] });
  expect((await createClient({ origin, key })(CATALOG)).status).toBe(200);
});

test('does not count a restricted request against the quota, and reports the quota in the headers', async () => {
  const business = await makeBusiness({ quota: 5, origins: ORIGINS });
  const client = createClient({ origin, key: business.key });
  for (let i = 0; i < 8; i += 1) {
    const { status, headers } = await client(CATALOG);
    expect(status).toBe(403);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '5' });
  }
  const allowed = await client(CATALOG, { headers: { origin: 'https://partner.example' } });
  expect(allowed.headers['x-ratelimit-remaining']).toBe('4');
  expect((await client(CATALOG)).headers['x-ratelimit-remaining']).toBe('4');
});

test('counts a restriction as a failure of the address but keeps returning 403', async () => {
  const business = await makeBusiness({ networks: ['203.0.113.7'] });
  const address = freshAddress();
  const restricted = createClient({ origin, key: business.key, address });
  const anonymous = createClient({ origin, address });
  for (let i = 0; i < 31; i += 1) expect((await restricted(CATALOG)).status).toBe(403);
  expect((await anonymous(CATALOG)).status).toBe(429);
  expect((await restricted(CATALOG)).status).toBe(403);
  const { key } = await makeBusiness();
  expect((await createClient({ origin, key, address })(CATALOG)).status).toBe(200);
});
