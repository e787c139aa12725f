import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

/**
 * The error for an address that is not public, or for a host name that resolves to such an address. Owners see the
 * message.
 */
export class RefusedAddress extends Error {
  readonly code = 'refused_address';
}

/** Maximum duration of a DNS lookup in milliseconds. */
const TIMEOUT = 5_000;
/**
 * Maximum milliseconds to wait for the addresses of one family (IPv4 or IPv6) after the addresses of the other
 * family have arrived.
 */
const GRACE = 1_000;

const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns a function that asks name servers for the addresses of a host. It does not use getaddrinfo, because each call
 * of getaddrinfo occupies a thread of a shared pool and cannot be canceled. One partner's slow name server would then
 * delay the lookups for other partners. The function does not read the hosts file. For `localhost`, it returns the
 * loopback addresses (RFC 6761).
 * @param servers addresses of the name servers. Default: those of the system.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (name) => {
    if (LOCALHOST.test(name)) return LOOPBACK;
    // Each lookup has its own `Resolver`, because a `Resolver` can only cancel all of its lookups together.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    return lookUp(resolver, name);
  };
}

/**
 * Resolves a host name with the system's name servers. Rejects with ENOTFOUND if the name has no addresses, or with
 * ETIMEOUT if no name server responds within 5 s.
 */
export const systemResolve: Resolve = createResolve();

async function lookUp(resolver: Resolver, name: string): Promise<{ address: string; family: number }[]> {
  const timers: NodeJS.Timeout[] = [];
  const cancelAfter = (milliseconds: number) => timers.push(setTimeout(() => resolver.cancel(), milliseconds));
  cancelAfter(TIMEOUT);
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  // Some name servers do not respond for an address family that they do not support. After one family has succeeded,
  // the lookup of the other family is therefore canceled after the grace period.
  for (const family of families) family.then(() => cancelAfter(GRACE)).catch(() => undefined);
  const results = await Promise.allSettled(families);
  for (const timer of timers) clearTimeout(timer);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length === 0) throw unresolved(results);
  return found.map((address) => ({ address, family: isIP(address) }));
}

/**
 * Returns the error for a name that could not be resolved. It omits the name server's code, which could mislead:
 * with ECONNREFUSED, it would seem that the receiver refused the connection.
 */
function unresolved(results: PromiseSettledResult<string[]>[]): Error {
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const late = reasons.some(({ code }) => code === 'ETIMEOUT' || code === 'ECANCELLED');
  const code = late ? 'ETIMEOUT' : 'ENOTFOUND';
  return Object.assign(new Error('the name could not be resolved', { cause: reasons[0] }), { code });
}

/**
 * The IPv6 ranges that IANA has allocated to the regional registries, as of 2025
 * (https://www.iana.org/assignments/ipv6-unicast-address-assignments). ipaddr.js alone classifies some other addresses
 * as unicast: unallocated ranges, 6bone (3ffe::/16), IPv4-compatible addresses (::/96), and 100:0:0:1::/64.
 */
const ALLOCATED_IPV6 = [
  ...['2001:200::/23', '2001:400::/22', '2001:800::/21', '2001:1200::/23', '2001:1400::/22', '2001:1800::/21'],
  ...['2001:2000::/19', '2001:4000::/21', '2001:4800::/22', '2001:4c00::/23', '2001:5000::/20', '2001:8000::/19'],
  ...['2001:a000::/19', '2003::/18', '2400::/12', '2410::/12', '2600::/12', '2610::/23', '2620::/23', '2630::/12'],
  ...['2800::/12', '2a00::/12', '2a10::/12', '2c00::/12'],
].map((range) => ipaddr.parseCIDR(range) as [ipaddr.IPv6, number]);

/**
 * Addresses that are formally public, but at which a cloud runs internal services. 168.63.129.16 is a platform service
 * of Azure.
 */
const INTERNAL_IPV4 = new Set(['168.63.129.16']);

/**
 * Returns whether an address is on the public internet. Returns false for IPv6 addresses that embed an IPv4 address
 * (mapped, NAT64, 6to4, Teredo), that are unallocated, or that have a zone. A zone, such as `%eth0`, selects a
 * network interface.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  if (INTERNAL_IPV4.has(parsed.toString())) return false;
  return parsed.kind() === 'ipv4' || ALLOCATED_IPV6.some((range) => (parsed as ipaddr.IPv6).match(range));
}

function isLoopback(address: string): boolean {
  return !address.includes('%') && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Returns the addresses of `host` if deliveries may be sent to all of them (contract B11). Refuses the host even if
 * only one of its addresses is internal, because a delivery could connect to that address.
 * @param host a host name, or an IP address without brackets.
 * @throws RefusedAddress if an address is not public. Rejects with the resolver's error if the name cannot be
 * resolved.
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
