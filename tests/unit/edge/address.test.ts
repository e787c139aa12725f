import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalAddress, clientAddress, peerAddress } from '@/lib/http/edge/exchange';

describe('canonicalAddress', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:127.0.0.1', '127.0.0.1'],
    ['::FFFF:7f00:1', '127.0.0.1'],
    ['::1', '::1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    [' 203.0.113.5 ', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
  ])('%s is %s', (text, expected) => expect(canonicalAddress(text)).toBe(expected));

  it.each([
    '',
    'unknown',
    '_hidden',
    '1',
    '127.1',
    '0x7f.0.0.1',
    '010.0.0.1',
    '256.0.0.1',
    '1.2.3.4.5',
    '::1::',
    '[::1',
    '1.2.3.4/8',
    'localhost',
  ])('%j is not an address', (text) => expect(canonicalAddress(text)).toBeNull());

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
        const canonical = canonicalAddress(text);
        expect(canonical).not.toBeNull();
        expect(canonicalAddress(canonical ?? '')).toBe(canonical);
      }),
    );
  });
});

describe('peerAddress', () => {
  it('returns a placeholder for a closed connection', () => expect(peerAddress(undefined)).toBe('0.0.0.0'));
});

describe('clientAddress', () => {
  const peer = '10.0.0.9';

  it.each<[string, string | undefined, number, string]>([
    ['no proxy: the header is ignored', '1.1.1.1', 0, peer],
    ['one proxy: its entry', '1.1.1.1, 2.2.2.2', 1, '2.2.2.2'],
    ['two proxies', '1.1.1.1, 2.2.2.2, 3.3.3.3', 2, '2.2.2.2'],
    ['as many proxies as entries', '1.1.1.1, 2.2.2.2', 2, '1.1.1.1'],
    ['more proxies than entries: the last vouched for', '2.2.2.2', 3, '2.2.2.2'],
    ['no header behind a proxy: the proxy', undefined, 1, peer],
    ['an empty header', '', 1, peer],
    ['an empty entry', '1.1.1.1,', 1, peer],
    ['only a comma', ',', 2, peer],
    ['an invalid entry at the first hop', '1.1.1.1, garbage', 1, peer],
    ['an invalid entry at the second hop: the first', '1.1.1.1, garbage, 3.3.3.3', 2, '3.3.3.3'],
    ['an IPv4-mapped entry', '::ffff:2.2.2.2', 1, '2.2.2.2'],
    ['an entry with a port', '[2001:db8::1]:5000', 1, '2001:db8::1'],
    ['no spaces', '1.1.1.1,2.2.2.2', 2, '1.1.1.1'],
    ['a leading comma', ',2.2.2.2', 2, '2.2.2.2'],
  ])('%s', (_, header, proxies, expected) => {
    expect(clientAddress(peer, header, proxies)).toBe(expected);
  });

  it('ignores entries before the trusted ones', () => {
    const hops = fc.array(fc.ipV4(), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.string(), hops, (forged, trusted) => {
        expect(clientAddress(peer, [forged, ...trusted].join(', '), trusted.length)).toBe(trusted[0]);
      }),
    );
  });
});
