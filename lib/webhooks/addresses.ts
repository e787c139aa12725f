import { lookup as resolve } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that a name has. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

/** Thrown when an address or a name leads to what is not public; the message is for the owner. */
export class RefusedAddress extends Error {
  readonly code = 'refused_address';
}

/** Returns what the system's resolver says of a name: every address, of both families. */
export const systemResolve: Resolve = (name) => resolve(name, { all: true, verbatim: true });

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Tells whether an address belongs to the public internet. Everything that wraps an IPv4 address in an IPv6 one
 * (mapped, NAT64, 6to4, Teredo) is refused, whatever it wraps.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_IPV6);
}

/** Tells whether an address is this machine itself. */
function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Returns the addresses of a host, if a delivery may go there (contract B11). A name of which one address is not
 * public is refused whole: an attacker could let both kinds take turns.
 * @param host a name or an IP address, as in a URL, without brackets.
 * @throws RefusedAddress, or what the resolver throws.
 */
export async function allowedAddresses(
  host: string,
  { allowLoopback, resolve: ask }: { allowLoopback: boolean; resolve: Resolve },
): Promise<{ address: string; family: number }[]> {
  const family = isIP(host);
  const addresses = family > 0 ? [{ address: host, family }] : await ask(host);
  const allowed = ({ address }: { address: string }) =>
    isPublicAddress(address) || (allowLoopback && isLoopback(address));
  if (addresses.length === 0 || !addresses.every(allowed))
    throw new RefusedAddress('The address is not on the public internet.');
  return addresses;
}
