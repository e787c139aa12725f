import ipaddr from 'ipaddr.js';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** A prepared list of networks. */
export type Networks = readonly Range[];

/** The long dead IPv4-compatible form: some read `::1.2.3.4` as IPv6, ipaddr.js as IPv4. */
const COMPATIBLE = /^::\d+\./;

const DECIMAL = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const IPV6 = /^[0-9a-f:]*:[0-9a-f:.]*$/i;

// Without node:net: the policy editor checks with this code in the browser, as one types.
function isAddress(text: string): boolean {
  return DECIMAL.test(text) || (IPV6.test(text) && URL.canParse(`http://[${text}]`));
}

/** Returns the address with an IPv4-mapped IPv6 address in its IPv4 form, or null when it is none (contract B2). */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  // First the strict form: ipaddr.js also reads short, octal and hexadecimal notations, alone and at the end of IPv6.
  if (!isAddress(text) || COMPATIBLE.test(text)) return null;
  return ipaddr.process(text);
}

/**
 * Returns one network as a range: `10.0.0.0/8`, `2001:db8::/32`, or a single address. Null when it is written wrong:
 * short, octal and hexadecimal notations are refused because readers disagree on what they mean.
 */
export function parseNetwork(text: string): Range | null {
  const [address = '', length, ...rest] = text.split('/');
  if (rest.length > 0) return null;
  const parsed = parseAddress(address);
  if (!parsed) return null;
  const mapped = parsed.kind() === 'ipv4' && address.includes(':');
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (length === undefined) return [parsed, bits];
  if (!/^(0|[1-9][0-9]{0,2})$/.test(length)) return null;
  // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
  const prefix = Number(length) - (mapped ? 96 : 0);
  return prefix >= 0 && prefix <= bits ? [parsed, prefix] : null;
}

/** Returns the prepared form of a list of networks. Entries that do not parse match nothing: deny by default. */
export function parseNetworks(list: readonly string[]): Networks {
  return list.flatMap((text) => {
    const range = parseNetwork(text);
    return range ? [range] : [];
  });
}

/** Tells whether an address lies in one of the networks. IPv4-mapped IPv6 counts as IPv4 (contract B2). */
export function isInNetworks(address: string, networks: Networks): boolean {
  const parsed = parseAddress(address);
  if (!parsed) return false;
  return networks.some(([network, prefix]) => {
    if (parsed.kind() !== network.kind()) return false;
    return parsed.match(network as never, prefix);
  });
}
