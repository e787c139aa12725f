import ipaddr from 'ipaddr.js';

/**
 * Length of the IPv6 prefix that identifies a network. A customer of an internet provider gets at least a /64 and can
 * use all addresses in it.
 */
const PREFIX = 64;

/**
 * Returns the network of an address. A rate limit counts all requests from one network together. An IPv4 address is a
 * network of its own. The network of an IPv6 address is its /64. An invalid address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${PREFIX}`)}/${PREFIX}`;
}
