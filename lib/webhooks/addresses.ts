import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Returns the addresses of a name. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

/** An address, or an address of a name, is not public. The message is for the owner. */
export class RefusedAddress extends Error {
  readonly code = 'refused_address';
}

/** Milliseconds that a lookup may take in total. */
const TIMEOUT = 5_000;
/** Milliseconds that the lookup of the second address family may take after the first has finished. */
const GRACE = 1_000;

const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Creates a resolver that queries name servers for the IPv4 and IPv6 addresses of a name. It does not use getaddrinfo,
 * which blocks a thread pool and cannot be canceled: the unresponsive name server of one partner would delay the names of
 * all others. The hosts file is not read. `localhost` is the loopback address (RFC 6761).
 * @param servers addresses of the name servers; by default those of the system.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (name) => {
    if (LOCALHOST.test(name)) return LOOPBACK;
    // A resolver per lookup, so that canceling one does not cancel others.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    return lookUp(resolver, name);
  };
}

/** Queries the name servers of the system. Rejects with code ENOTFOUND, or ETIMEOUT when none responds within 5 s. */
export const systemResolve: Resolve = createResolve();

async function lookUp(resolver: Resolver, name: string): Promise<{ address: string; family: number }[]> {
  const timers: NodeJS.Timeout[] = [];
  const cancelAfter = (milliseconds: number) => timers.push(setTimeout(() => resolver.cancel(), milliseconds));
  cancelAfter(TIMEOUT);
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  // Some name servers never respond for an address family that they do not have.
  for (const family of families) family.then(() => cancelAfter(GRACE)).catch(() => undefined);
  const results = await Promise.allSettled(families);
  for (const timer of timers) clearTimeout(timer);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length === 0) throw unresolved(results);
  return found.map((address) => ({ address, family: isIP(address) }));
}

/** Returns an error without the codes of the name server: ECONNREFUSED, for example, would look like the receiver's. */
function unresolved(results: PromiseSettledResult<string[]>[]): Error {
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const late = reasons.some(({ code }) => code === 'ETIMEOUT' || code === 'ECANCELLED');
  const code = late ? 'ETIMEOUT' : 'ENOTFOUND';
  return Object.assign(new Error('the name could not be resolved', { cause: reasons[0] }), { code });
}

/**
 * The IPv6 ranges that IANA has allocated to the regional registries, as of 2025
 * (https://www.iana.org/assignments/ipv6-unicast-address-assignments). ipaddr.js knows the special-purpose ranges but
 * counts everything else as unicast: unallocated ranges, 6bone (3ffe::/16), IPv4-compatible addresses (::/96) and
 * 100:0:0:1::/64.
 */
const ALLOCATED_IPV6 = [
  ...['2001:200::/23', '2001:400::/22', '2001:800::/21', '2001:1200::/23', '2001:1400::/22', '2001:1800::/21'],
  ...['2001:2000::/19', '2001:4000::/21', '2001:4800::/22', '2001:4c00::/23', '2001:5000::/20', '2001:8000::/19'],
  ...['2001:a000::/19', '2003::/18', '2400::/12', '2410::/12', '2600::/12', '2610::/23', '2620::/23', '2630::/12'],
  ...['2800::/12', '2a00::/12', '2a10::/12', '2c00::/12'],
].map((range) => ipaddr.parseCIDR(range) as [ipaddr.IPv6, number]);

/**
 * Returns whether an address is on the public internet. Not public are IPv6 addresses that embed an IPv4 address (mapped,
 * NAT64, 6to4, Teredo), unallocated IPv6 addresses, and addresses with a zone (`%eth0`), which select a network interface
 * of this machine.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || ALLOCATED_IPV6.some((range) => (parsed as ipaddr.IPv6).match(range));
}

/** Returns whether an address is a loopback address. */
function isLoopback(address: string): boolean {
  return !address.includes('%') && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Returns the addresses of a host that deliveries may be sent to (contract B11). A name with any address that is not
 * public is refused, because an attacker could alternate between both kinds.
 * @param host a name or an IP address, as in a URL, without brackets.
 * @throws RefusedAddress, or an error of the resolver.
 */
export async function allowedAddresses(
  host: string,
  { allowLoopback, resolve }: { allowLoopback: boolean; resolve: Resolve },
): Promise<{ address: string; family: number }[]> {
  const family = isIP(host);
  const addresses = family > 0 ? [{ address: host, family }] : await resolve(host);
  const allowed = ({ address }: { address: string }) =>
    isPublicAddress(address) || (allowLoopback && isLoopback(address));
  if (addresses.length === 0 || !addresses.every(allowed))
    throw new RefusedAddress('The address is not on the public internet.');
  return addresses;
}
