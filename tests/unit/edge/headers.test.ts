import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { setTrustedHeaders } from '@/lib/http/edge/headers';

const TRUSTED = { method: 'HEAD', target: '/api/partner/v1/catalog?a=b', address: '203.0.113.5' };

const EXPECTED = {
  'x-edge-method': 'HEAD',
  'x-edge-target': '/api/partner/v1/catalog?a=b',
  'x-edge-address': '203.0.113.5',
  'x-forwarded-for': '203.0.113.5',
  host: 'localhost',
};

function rewritten(headers: IncomingHttpHeaders, partner = true, proxied = false): IncomingHttpHeaders {
  setTrustedHeaders(headers, TRUSTED, partner, proxied);
  return headers;
}

describe('setTrustedHeaders', () => {
  it('overwrites forged headers', () => {
    const forged = {
      'x-edge-method': 'GET',
      'x-edge-target': '/',
      'x-edge-address': '1.1.1.1',
      'x-edge-more': 'x',
      'x-forwarded-for': '1.1.1.1',
    };
    expect(rewritten(forged)).toEqual(EXPECTED);
  });

  it.each([
    ...['x-middleware-subrequest', 'x-middleware-rewrite', 'x-invoke-path', 'x-matched-path', 'x-now-route-matches'],
    ...[
      'x-prerender-revalidate',
      'x-nextjs-data',
      'x-next-resume-state-length',
      'rsc',
      'next-router-prefetch',
      'next-action',
    ],
  ])('drops %s from a partner request', (name) => expect(rewritten({ [name]: 'x' })).toEqual(EXPECTED));

  it.each(['rsc', 'next-router-state-tree', 'next-action', 'next-url'])('keeps %s for pages', (name) => {
    expect(rewritten({ [name]: 'x' }, false)).toEqual({ ...EXPECTED, [name]: 'x' });
  });

  it('drops x-middleware-subrequest everywhere', () => {
    expect(rewritten({ 'x-middleware-subrequest': 'x' }, false)).toEqual(EXPECTED);
  });

  it.each(['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'forwarded', 'x-real-ip'])(
    'keeps %s only behind a proxy',
    (name) => {
      expect(rewritten({ [name]: 'x' })).toEqual(EXPECTED);
      expect(rewritten({ [name]: 'x' }, true, true)).toEqual({ ...EXPECTED, [name]: 'x' });
    },
  );

  it('keeps all other headers', () => {
    const others = { host: 'api.example', authorization: 'Bearer x', 'idempotency-key': 'k', 'x-custom': 'y' };
    expect(rewritten({ ...others })).toEqual({ ...EXPECTED, ...others });
  });
});
