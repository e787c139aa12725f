import ipaddr from 'ipaddr.js';

/**
 * Length of the IPv6 prefix that identifies a network. A subscriber gets at least a /64, so a limit per IPv6 address
 * would be ineffective.
 */
const PREFIX = 64;

/**
 * Returns the network under which rate limits count an address: an IPv4 address itself, or the /64 of an IPv6 address.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${PREFIX}`)}/${PREFIX}`;
}
