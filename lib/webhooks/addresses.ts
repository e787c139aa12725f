import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses that a name has. */
export type Resolve = (name: string) => Promise<{ address: string; family: number }[]>;

/** Thrown when an address or a name leads to what is not public; the message is for the owner. */
export class RefusedAddress extends Error {
  readonly code = 'refused_address';
}

/** Milliseconds that a look-up may take in all, and that its second family gets once the first has answered. */
const WITHIN = 5_000;
const GRACE = 1_000;

const LOCALHOST = /(^|\.)localhost\.?$/i;
const THIS_MACHINE = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Returns what asks the name servers for every address of a name, of both families. Not getaddrinfo: that one works
 * through two names at a time in the whole process and cannot be stopped, so that one partner's dead name server would
 * keep the names of all others waiting. The hosts file is not read; `localhost` is this machine (RFC 6761).
 * @param servers addresses of the name servers; without them those of the system.
 */
export function createResolve(servers?: readonly string[]): Resolve {
  return async (name) => {
    if (LOCALHOST.test(name)) return THIS_MACHINE;
    // One for each look-up: it can be stopped without stopping others.
    const resolver = new Resolver({ timeout: 2_000, tries: 2 });
    if (servers) resolver.setServers(servers);
    return ask(resolver, name);
  };
}

/** Asks the name servers of the system. Rejects with the code ENOTFOUND, or ETIMEOUT when none answered in 5 s. */
export const systemResolve: Resolve = createResolve();

async function ask(resolver: Resolver, name: string): Promise<{ address: string; family: number }[]> {
  const timers: NodeJS.Timeout[] = [];
  const giveUpAfter = (milliseconds: number) => timers.push(setTimeout(() => resolver.cancel(), milliseconds));
  giveUpAfter(WITHIN);
  const families = [resolver.resolve4(name), resolver.resolve6(name)];
  // Some name servers never answer for the family that they do not have.
  for (const family of families) family.then(() => giveUpAfter(GRACE)).catch(() => undefined);
  const answers = await Promise.allSettled(families);
  for (const timer of timers) clearTimeout(timer);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length === 0) throw unresolved(answers);
  return found.map((address) => ({ address, family: isIP(address) }));
}

/** A name server that refuses or fails is not the receiver that does: its own codes would say so. */
function unresolved(answers: PromiseSettledResult<string[]>[]): Error {
  const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
  const late = reasons.some(({ code }) => code === 'ETIMEOUT' || code === 'ECANCELLED');
  const code = late ? 'ETIMEOUT' : 'ENOTFOUND';
  return Object.assign(new Error('the name could not be resolved', { cause: reasons[0] }), { code });
}

/**
 * The parts of 2000::/3 that IANA has given to the registries, as of 2025
 * (https://www.iana.org/assignments/ipv6-unicast-address-assignments): the rest belongs to nobody, whoever routes it.
 */
const ALLOCATED_IPV6 = [
  ...['2001:200::/23', '2001:400::/22', '2001:800::/21', '2001:1200::/23', '2001:1400::/22', '2001:1800::/21'],
  ...['2001:2000::/19', '2001:4000::/21', '2001:4800::/22', '2001:4c00::/23', '2001:5000::/20', '2001:8000::/19'],
  ...['2001:a000::/19', '2003::/18', '2400::/12', '2410::/12', '2600::/12', '2610::/23', '2620::/23', '2630::/12'],
  ...['2800::/12', '2a00::/12', '2a10::/12', '2c00::/12'],
].map((range) => ipaddr.parseCIDR(range) as [ipaddr.IPv6, number]);

/**
 * Tells whether an address belongs to the public internet. Everything that wraps an IPv4 address in an IPv6 one
 * (mapped, NAT64, 6to4, Teredo) is refused, whatever it wraps; so is an IPv6 address that no registry has given out,
 * and one with a zone (`%eth0`), which means a network of this machine.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%') || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || ALLOCATED_IPV6.some((range) => (parsed as ipaddr.IPv6).match(range));
}

/** Tells whether an address is this machine itself. */
function isLoopback(address: string): boolean {
  return !address.includes('%') && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}

/**
 * Returns the addresses of a host, if a delivery may go there (contract B11). A name of which one address is not
 * public is refused whole: an attacker could let both kinds take turns.
 * @param host a name or an IP address, as in a URL, without brackets.
 * @throws RefusedAddress, or what the resolver throws.
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
