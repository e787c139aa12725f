import { expect, test } from 'vitest';
import { networkOf } from '@/lib/platform/rate-limit/network';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
