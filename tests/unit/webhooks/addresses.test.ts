import { createRequire } from 'node:module';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from '@/lib/webhooks/addresses';
import { isBlockedPort } from '@/lib/webhooks/url';

// IANA's special-purpose ranges (https://www.iana.org/assignments/iana-ipv4-special-registry), and multicast.
const IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.0.0.0/24'],
  ...['192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32', '192.0.0.10/32', '192.0.0.170/31', '192.0.2.0/24'],
  ...['192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24', '192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15'],
  ...['198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4', '255.255.255.255/32', '224.0.0.0/4'],
];

// IANA's special-purpose ranges (https://www.iana.org/assignments/iana-ipv6-special-registry), multicast, and
// deprecated ranges.
const IPV6 = [
  ...['::1/128', '::/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001::/32'],
  ...['2001:1::1/128', '2001:1::2/128', '2001:1::3/128', '2001:2::/48', '2001:3::/32', '2001:4:112::/48'],
  ...['2001:10::/28', '2001:20::/28', '2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'],
  ...['5f00::/16', 'fc00::/7', 'fe80::/10', 'ff00::/8', 'fec0::/10'],
];

// ipaddr.js classifies these ranges as unicast. They must be rejected, because they are not allocated.
const UNKNOWN_TO_IPADDR = ['::/96', '100:0:0:1::/64', '2000::/16', '2004::/14', '2420::/12', '3000::/5', '3ffe::/16'];

function boundsOf(range: string): string[] {
  const family = range.includes(':') ? ipaddr.IPv6 : ipaddr.IPv4;
  const first = family.networkAddressFromCIDR(range);
  const last = family.broadcastAddressFromCIDR(range);
  const middle = last.toByteArray().map((byte, i) => (i === 1 ? byte : (first.toByteArray()[i] ?? 0)));
  return [first.toString(), ipaddr.fromByteArray(middle).toString(), last.toString()];
}

describe('addresses of the special-purpose ranges of IANA', () => {
  test.each([...IPV4, ...IPV6])('%s is not public, also by ipaddr.js alone', (range) => {
    for (const address of boundsOf(range)) {
      expect(ipaddr.parse(address).range(), address).not.toBe('unicast');
      expect(isPublicAddress(address), address).toBe(false);
    }
  });

  test.each(UNKNOWN_TO_IPADDR)('%s is not public, although ipaddr.js counts it as unicast', (range) => {
    const bounds = boundsOf(range);
    for (const address of bounds) expect(isPublicAddress(address), address).toBe(false);
    expect(bounds.map((address) => ipaddr.parse(address).range())).toContain('unicast');
  });
});

test('an internal service of a cloud in a public range is not public', () => {
  for (const address of ['168.63.129.16', '::ffff:168.63.129.16']) expect(isPublicAddress(address)).toBe(false);
  expect(isPublicAddress('168.63.129.17')).toBe(true);
});

test('an address with a zone is not public', () => {
  expect(isPublicAddress('2606:4700::1')).toBe(true);
  expect(isPublicAddress('2606:4700::1%eth0')).toBe(false);
});

test('every port that fetch blocks is blocked', () => {
  const constants = createRequire(import.meta.url)('undici/lib/web/fetch/constants.js') as { badPorts: string[] };
  expect(constants.badPorts.length).toBeGreaterThan(70);
  expect(constants.badPorts.filter((port) => !isBlockedPort(Number(port)))).toEqual([]);
});
