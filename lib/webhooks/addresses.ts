import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

/** Owners see the message. */
export class RefusedAddress extends Error {
  readonly code = 'refused_address';
}

const TIMEOUT_MS = 5_000;
/** Milliseconds to wait for the addresses of one family after those of the other have arrived. */
const GRACE = 1_000;

const LOCALHOST = /(^|\.)localhost\.?$/i;
const LOOPBACK = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns a function that asks name servers for the addresses of a host. Each call of getaddrinfo occupies a thread of
 * a shared pool and cannot be canceled, so one partner's slow name server would delay lookups for others. The hosts
 * file is not read. `localhost` is the loopback addresses (RFC 6761).
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (name) => {
    if (LOCALHOST.test(name)) return LOOPBACK;
    // A `Resolver` can only cancel all of its lookups together.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    return lookUp(resolver, name);
  };
}

/** Rejects with ENOTFOUND if the name has no addresses, or with ETIMEOUT if no name server responds within 5 s. */
export const systemResolve: Resolve = createResolve();

async function lookUp(resolver: Resolver, name: string): Promise<{ address: string; family: number }[]> {
  const timers: NodeJS.Timeout[] = [];
  const cancelAfter = (milliseconds: number) => timers.push(setTimeout(() => resolver.cancel(), milliseconds));
  cancelAfter(TIMEOUT_MS);
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  // Some name servers do not respond for an address family that they do not support.
  for (const family of families) family.then(() => cancelAfter(GRACE)).catch(() => undefined);
  const results = await Promise.allSettled(families);
  for (const timer of timers) clearTimeout(timer);
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length === 0) throw unresolved(results);
  return found.map((address) => ({ address, family: isIP(address) }));
}

/** Omits the name server's code: with ECONNREFUSED, it would seem that the receiver refused the connection. */
function unresolved(results: PromiseSettledResult<string[]>[]): Error {
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  const late = reasons.some(({ code }) => code === 'ETIMEOUT' || code === 'ECANCELLED');
  const code = late ? 'ETIMEOUT' : 'ENOTFOUND';
  return Object.assign(new Error('the name could not be resolved', { cause: reasons[0] }), { code });
}

/**
 * The IPv6 ranges of the regional registries, as of 2025
 * (https://www.iana.org/assignments/ipv6-unicast-address-assignments). ipaddr.js classifies some others as unicast:
 * unallocated ranges, 6bone (3ffe::/16), IPv4-compatible addresses (::/96), and 100:0:0:1::/64.
 */
const ALLOCATED_IPV6 = [
  ...['2001:200::/23', '2001:400::/22', '2001:800::/21', '2001:1200::/23', '2001:1400::/22', '2001:1800::/21'],
  ...['2001:2000::/19', '2001:4000::/21', '2001:4800::/22', '2001:4c00::/23', '2001:5000::/20', '2001:8000::/19'],
  ...['2001:a000::/19', '2003::/18', '2400::/12', '2410::/12', '2600::/12', '2610::/23', '2620::/23', '2630::/12'],
  ...['2800::/12', '2a00::/12', '2a10::/12', '2c00::/12'],
].map((range) => ipaddr.parseCIDR(range) as [ipaddr.IPv6, number]);

/** Formally public, but a platform service of Azure. */
const INTERNAL_IPV4 = new Set(['168.63.129.16']);

/**
 * Returns whether an address is on the public internet. Not IPv6 addresses that embed an IPv4 address (mapped, NAT64,
 * 6to4, Teredo), are unallocated, or have a zone such as `%eth0`, which selects a network interface.
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
 * Returns the addresses of a host name, or of an IP address without brackets (contract B11). One internal address
 * refuses the host, because a delivery could connect to it.
 * @throws RefusedAddress if an address is not public, or the resolver's error.
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
