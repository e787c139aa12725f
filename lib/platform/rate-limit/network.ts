import ipaddr from 'ipaddr.js';

/** A customer of an internet provider gets at least a /64 and can use all addresses in it. */
const PREFIX = 64;

/** Returns what a rate limit counts together: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${PREFIX}`)}/${PREFIX}`;
}
