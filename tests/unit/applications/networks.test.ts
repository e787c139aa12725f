import { isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInNetworks, parseAddress, parseNetwork, parseNetworks } from '@/lib/access/applications/networks';

test.for([
  ['10.0.0.0/8', '10.0.0.0', true],
  ['10.0.0.0/8', '10.255.255.255', true],
  ['10.0.0.0/8', '9.255.255.255', false],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['192.0.2.128/25', '192.0.2.127', false],
  ['192.0.2.128/25', '192.0.2.128', true],
  ['192.0.2.4/31', '192.0.2.5', true],
  ['192.0.2.4/31', '192.0.2.6', false],
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['192.0.2.1/32', '192.0.2.1', true],
  ['192.0.2.77/24', '192.0.2.1', true],
  ['0.0.0.0/0', '255.255.255.255', true],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['::/0', '2001:db8::1', true],
  ['::/0', '192.0.2.1', false],
  ['2001:db8::/32', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', true],
  ['2001:db8::/32', '2001:db7:ffff::', false],
  ['2001:db8::/32', '2001:db9::', false],
  ['2001:db8::1', '2001:DB8:0:0:0:0:0:1', true],
  ['2001:db8::1/127', '2001:db8::2', false],
  ['::1', '::1', true],
  ['::1', '127.0.0.1', false],
  ['10.0.0.0/8', '::ffff:10.1.2.3', true],
  ['::ffff:10.0.0.0/104', '10.1.2.3', true],
  ['::ffff:10.1.2.3', '10.1.2.3', true],
  ['::ffff:a01:203', '10.1.2.3', true],
  ['::ffff:10.0.0.0/128', '10.0.0.0', true],
  ['::ffff:10.0.0.0/96', '203.0.113.9', true],
  ['64:ff9b::10.1.2.3', '10.1.2.3', false],
] as const)('%s and %s: %s', ([network, address, inside]) => {
  expect(parseNetwork(network)).not.toBeNull();
  expect(isInNetworks(address, parseNetworks([network]))).toBe(inside);
});

const REFUSED = [
  // These strings are rejected because parsers disagree on their meaning.
  '127.1',
  '10.1.2',
  '2130706433',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '010.0.0.1',
  '10.0.0.01',
  '::ffff:010.0.0.1',
  '::ffff:0x7f.0.0.1',
  '::10.0.0.1',
  'fe80::1%eth0',
  'fe80::1%eth0/64',
  'fe80::/64%1',
  // These strings are neither addresses nor networks.
  '',
  ' ',
  '/',
  '/8',
  '10.0.0.0/',
  '10.0.0.0/33',
  '10.0.0.0/-1',
  '10.0.0.0/08',
  '10.0.0.0/8/8',
  '10.0.0.0/8 ',
  ' 10.0.0.0/8',
  '10.0.0.0/1e1',
  '10.0.0.0/0x8',
  '10.0.0.0/255.0.0.0',
  '10.0.0.0-10.0.0.9',
  '10.0.0.*',
  '10.0.0.256',
  '10.0.0.0.0',
  '2001:db8::/129',
  '2001:db8::1::',
  '2001:db8:::1',
  '12345::',
  '::g',
  '[::1]',
  '[::1]:80',
  '127.0.0.1:80',
  '::ffff:10.0.0.0/95',
  '::ffff:10.0.0.0/8',
  'localhost',
  'partner.example',
  '١٢٧.0.0.1',
  '10.0.0.0\u0000',
];

test.for(REFUSED)('%j is not a network', (text) => {
  expect(parseNetwork(text)).toBeNull();
  // An invalid entry in a list matches no address.
  expect(isInNetworks('127.0.0.1', parseNetworks([text]))).toBe(false);
});

test('an invalid address is in no network', () => {
  const everything = parseNetworks(['0.0.0.0/0', '::/0']);
  for (const text of [
    '',
    'unknown',
    '127.1',
    '0x7f.0.0.1',
    '10.0.0.1/8',
    '10.0.0.1, 10.0.0.2',
    'fe80::1%eth0',
    '::%:',
  ]) {
    expect(isInNetworks(text, everything)).toBe(false);
  }
});

test('one matching entry is enough, and an empty list matches nothing', () => {
  expect(isInNetworks('192.0.2.9', parseNetworks(['10.0.0.0/8', '2001:db8::/32', '192.0.2.0/24']))).toBe(true);
  expect(isInNetworks('192.0.2.9', parseNetworks([]))).toBe(false);
});

test('an address as a network contains only itself, and is in each of its prefixes', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), fc.nat({ max: 128 }), (address, bits) => {
      const parsed = parseAddress(address);
      fc.pre(parsed !== null);
      const most = parsed?.kind() === 'ipv4' ? 32 : 128;
      const written = parsed?.toString() ?? '';
      expect(isInNetworks(address, parseNetworks([written]))).toBe(true);
      expect(isInNetworks(address, parseNetworks([`${written}/${Math.min(bits, most)}`]))).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('no text makes the parser throw', () => {
  const odd = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'0123456789abcdefx:./% ') }));
  fc.assert(
    fc.property(odd, odd, (network, address) => {
      parseNetwork(network);
      expect(typeof isInNetworks(address, parseNetworks([network]))).toBe('boolean');
    }),
    { numRuns: 5000 },
  );
});

test('the browser-compatible address check agrees with Node', () => {
  const part = fc.constantFrom('0', '1', '01', '10', '255', '256', 'f', 'ffff', 'g', '.', ':', '::', '%', '/', '-', '');
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(part, { maxLength: 16 }).map((parts) => parts.join('')),
        fc.ipV4(),
        fc.ipV6(),
        fc.string(),
      ),
      (text) => {
        const known = isIP(text) !== 0 && !text.includes('%') && !/^::\d+\./.test(text);
        expect(parseAddress(text) !== null).toBe(known);
      },
    ),
    { numRuns: 5_000 },
  );
});
