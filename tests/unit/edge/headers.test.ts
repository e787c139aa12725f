import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import { handOver } from '@/lib/http/edge/headers';

const KNOWN = { method: 'HEAD', target: '/api/partner/v1/catalog?a=b', address: '203.0.113.5' };

const OURS = {
  'x-edge-method': 'HEAD',
  'x-edge-target': '/api/partner/v1/catalog?a=b',
  'x-edge-address': '203.0.113.5',
  'x-forwarded-for': '203.0.113.5',
  host: 'localhost',
};

function handed(headers: IncomingHttpHeaders, partner = true, proxied = false): IncomingHttpHeaders {
  handOver(headers, KNOWN, partner, proxied);
  return headers;
}

describe('handOver', () => {
  it('overwrites what a client forged', () => {
    const forged = {
      'x-edge-method': 'GET',
      'x-edge-target': '/',
      'x-edge-address': '1.1.1.1',
      'x-edge-more': 'x',
      'x-forwarded-for': '1.1.1.1',
    };
    expect(handed(forged)).toEqual(OURS);
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
  ])('drops %s from a partner request', (name) => expect(handed({ [name]: 'x' })).toEqual(OURS));

  it.each(['rsc', 'next-router-state-tree', 'next-action', 'next-url'])('leaves %s to the pages', (name) => {
    expect(handed({ [name]: 'x' }, false)).toEqual({ ...OURS, [name]: 'x' });
  });

  it('drops x-middleware-subrequest everywhere', () => {
    expect(handed({ 'x-middleware-subrequest': 'x' }, false)).toEqual(OURS);
  });

  it.each(['x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-port', 'forwarded', 'x-real-ip'])(
    'believes %s only behind a proxy',
    (name) => {
      expect(handed({ [name]: 'x' })).toEqual(OURS);
      expect(handed({ [name]: 'x' }, true, true)).toEqual({ ...OURS, [name]: 'x' });
    },
  );

  it('keeps what a request may say', () => {
    const said = { host: 'api.example', authorization: 'Bearer x', 'idempotency-key': 'k', 'x-custom': 'y' };
    expect(handed({ ...said })).toEqual({ ...OURS, ...said });
  });
});
