import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshAddress } from '../../support/client';
import { startServer, type TestServer } from '../../support/server';
import { sharedServer } from '../../support/shared';
import { ask, expectContract } from './raw';

/** Sends a request without a key. Returns how many more failed authentications the client's address is allowed. */
async function remaining(port: number, from: string, headers: string): Promise<number> {
  const answer = await ask(port, `GET /api/partner/v1/catalog HTTP/1.1\r\nHost: a\r\n${headers}\r\n`, from);
  expectContract(answer, 401, 'invalid_api_key');
  return Number(answer.headers.get('x-ratelimit-remaining'));
}

describe('without a trusted proxy', () => {
  const port = Number(new URL(sharedServer().origin).port);

  it.each([
    'X-Forwarded-For: 198.51.100.7\r\n',
    'X-Real-IP: 198.51.100.7\r\nForwarded: for=198.51.100.7\r\n',
    'X-Edge-Address: 198.51.100.7\r\nX-EDGE-ADDRESS: 198.51.100.8\r\n',
  ])('a forged address has no effect: %j', async (headers) => {
    const from = freshAddress();
    const before = await remaining(port, from, '');
    expect(await remaining(port, from, headers)).toBe(before - 1);
  });

  it.each([
    'X-Edge-Method: DELETE\r\nX-Edge-Target: /\r\n',
    'X-Middleware-Subrequest: middleware:middleware:middleware:middleware:middleware\r\n',
    'X-Middleware-Rewrite: /\r\nX-Matched-Path: /\r\nX-Invoke-Path: /\r\nX-Invoke-Status: 200\r\n',
    'RSC: 1\r\nNext-Router-Prefetch: 1\r\nNext-Action: x\r\nX-Nextjs-Data: 1\r\n',
    'X-HTTP-Method-Override: DELETE\r\nX-Original-URL: /\r\nX-Rewrite-URL: /\r\n',
  ])('internal headers from a client have no effect: %j', async (headers) => {
    await remaining(port, freshAddress(), headers);
  });
});

describe('with one trusted proxy', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ env: { TRUSTED_PROXIES: '1' } });
  });
  afterAll(() => server.stop());

  it('counts failures for the entry that the proxy appended, regardless of earlier entries', async () => {
    const ask = (forwarded: string) => remaining(server.port, freshAddress(), forwarded);
    const before = await ask('X-Forwarded-For: 203.0.113.5\r\n');
    expect(await ask('X-Forwarded-For: 1.1.1.1, 203.0.113.5\r\n')).toBe(before - 1);
    expect(await ask('X-Forwarded-For: 2.2.2.2\r\nX-Forwarded-For: ::ffff:203.0.113.5\r\n')).toBe(before - 2);
  });

  it('falls back to the proxy’s address if the entry is invalid', async () => {
    const proxy = freshAddress();
    const before = await remaining(server.port, proxy, '');
    expect(await remaining(server.port, proxy, 'X-Forwarded-For: 203.0.113.9, nonsense\r\n')).toBe(before - 1);
  });
});
