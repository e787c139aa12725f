import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

export type Networks = readonly Range[];

/** ipaddr.js parses the deprecated form `::1.2.3.4` as IPv4, but other parsers parse it as IPv6. */
const COMPATIBLE = /^::\d+\./;

const DECIMAL = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^[0-9a-f]*:[0-9a-f:.]*$/i;

// The policy editor runs this in the browser, without `isIP` of node:net.
function isAddress(text: string): boolean {
  return DECIMAL.test(text) || (IPV6.test(text) && URL.canParse(`http://[${text}]`));
}

/** Parses an IP address and converts IPv4-mapped IPv6 to IPv4 (contract B2), or returns null. */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // ipaddr.js also accepts short, octal, and hexadecimal notations of IPv4 addresses, even inside IPv6 addresses.
  if (!isAddress(text) || COMPATIBLE.test(text)) return null;
  return ipaddr.process(text);
}

/** Parses a network or a single address, or returns null, also for notations on which parsers disagree. */
export function parseNetwork(text: string): Range | null {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0) return null;
  const parsed = parseAddress(address);
  if (!parsed) return null;
  const mapped = parsed.kind() === 'ipv4' && address.includes(':');
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (length === undefined) return [parsed, bits];
  if (!/^(0|[1-9][0-9]{0,2})$/.test(length)) return null;
  // The prefix of an IPv4-mapped network is 96 bits longer: ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const prefix = Number(length) - (mapped ? 96 : 0);
  return prefix >= 0 && prefix <= bits ? [parsed, prefix] : null;
}

/** Parses a list of networks. An invalid entry is omitted, so it allows no address. */
export function parseNetworks(list: readonly string[]): Networks {
  return list.flatMap((text) => {
    const range = parseNetwork(text);
    return range ? [range] : [];
  });
}

/** Returns whether an address is in one of the networks. An IPv4-mapped IPv6 address counts as IPv4 (contract B2). */
export function isInNetworks(address: string, networks: Networks): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  return networks.some(([network, prefix]) => {
    if (parsed.kind() !== network.kind()) return false;
    return parsed.match(network as never, prefix);
  });
}
