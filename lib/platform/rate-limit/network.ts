import ipaddr from 'ipaddr.js';

/** Length of the IPv6 network prefix: one subscriber has at least 2^64 addresses. */
const PREFIX = 64;

/** Returns the network that rate limits count an address under: the address for IPv4, its /64 for IPv6. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${PREFIX}`)}/${PREFIX}`;
}
