import ipaddr from 'ipaddr.js';

/** Bits of an IPv6 address that its holder does not choose: every line has at least 2^64 addresses of its own. */
const PREFIX = 64;

/** Returns what an address counts as where attempts are counted: itself for IPv4, its /64 for IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${PREFIX}`)}/${PREFIX}`;
}
