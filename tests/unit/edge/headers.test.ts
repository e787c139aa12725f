import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { setTrustedHeaders } from '@/lib/http/edge/headers';

const TRUSTED = { target: '/docs?a=b', address: '203.0.113.5' };

const EXPECTED = {
  'x-edge-target': '/docs?a=b',
  'x-edge-address': '203.0.113.5',
  'x-forwarded-for': '203.0.113.5',
  host: 'localhost',
};

function rewritten(headers: IncomingHttpHeaders, proxied = false): IncomingHttpHeaders {
  setTrustedHeaders(headers, TRUSTED, proxied);
  return headers;
}

describe('setTrustedHeaders', () => {
  it('overwrites forged headers', () => {
    const forged = {
      'x-edge-target': '/',
      'x-edge-address': '1.1.1.1',
      'x-edge-more': 'x',
      'x-forwarded-for': '1.1.1.1',
    };
    expect(rewritten(forged)).toEqual(EXPECTED);
  });

  it.each([
    'x-middleware-subrequest',
    'x-middleware-rewrite',
    'x-invoke-path',
    'x-matched-path',
    'x-now-route-matches',
  ])('drops %s', (name) => expect(rewritten({ [name]: 'x' })).toEqual(EXPECTED));

  it('drops x-prerender-revalidate', () => {
    expect(rewritten({ 'x-prerender-revalidate': 'x' })).toEqual(EXPECTED);
  });

  it.each(['rsc', 'next-router-state-tree', 'next-action', 'next-url'])(
    'keeps %s, with which pages navigate',
    (name) => {
      expect(rewritten({ [name]: 'x' })).toEqual({ ...EXPECTED, [name]: 'x' });
    },
  );

  it.each(['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'forwarded', 'x-real-ip'])(
    'keeps %s only behind a proxy',
    (name) => {
      expect(rewritten({ [name]: 'x' })).toEqual(EXPECTED);
      expect(rewritten({ [name]: 'x' }, true)).toEqual({ ...EXPECTED, [name]: 'x' });
    },
  );

  it('keeps all other headers', () => {
    const others = { host: 'api.example', authorization: 'Bearer x', 'idempotency-key': 'k', 'x-custom': 'y' };
    expect(rewritten({ ...others })).toEqual({ ...EXPECTED, ...others });
  });
});
