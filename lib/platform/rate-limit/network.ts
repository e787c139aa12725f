import ipaddr from 'ipaddr.js';

/**
 * Length of the IPv6 prefix that identifies a network. A subscriber gets at least a /64 and can use any of its
 * addresses.
 */
const PREFIX = 64;

/**
 * Returns the network whose requests a rate limit counts together: an IPv4 address, or the /64 of an IPv6 address. An
 * invalid address is returned unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${PREFIX}`)}/${PREFIX}`;
}
