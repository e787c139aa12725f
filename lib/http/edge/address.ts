import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Placeholder for the address of a connection that closed before its address was read. */
const NO_ADDRESS = '0.0.0.0';

/**
 * Returns the canonical form of an IP address, or null if `text` is not one. Converts IPv4-mapped IPv6 to IPv4
 * (contract B2) and drops the zone, and the port and brackets that some proxies add.
 */
export function canonicalAddress(text: string): string | null {
  const bare = withoutPort(text.trim());
  // ipaddr.js alone would also accept `1`, `0x7f.1`, and octal notation.
  if (isIP(bare) === 0) return null;
  const zone = bare.indexOf('%');
  return ipaddr.process(zone < 0 ? bare : bare.slice(0, zone)).toString();
}

function withoutPort(text: string): string {
  if (text.startsWith('[')) {
    const match = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text);
    return match?.[1] ?? text;
  }
  const colon = text.indexOf(':');
  // One colon is IPv4 with a port; several are IPv6.
  return colon > 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

/** Returns the canonical form of a socket's remote address. */
export function peerAddress(remote: string | undefined): string {
  return (remote && canonicalAddress(remote)) || NO_ADDRESS;
}

/**
 * Returns the client's address behind `proxies` trusted proxies, of which the socket's peer is the nearest (contract
 * B2). Each proxy vouches for the X-Forwarded-For entry that it appended, so the n-th entry from the right is the last
 * trustworthy one. A missing or malformed entry ends the walk at the last vouched-for address. Entries further left
 * come from the client and are ignored.
 */
export function clientAddress(peer: string, forwardedFor: string | undefined, proxies: number): string {
  if (proxies === 0 || !forwardedFor) return peer;
  let address = peer;
  let end = forwardedFor.length;
  for (let hop = 0; hop < proxies && end >= 0; hop++) {
    const comma = forwardedFor.lastIndexOf(',', end - 1);
    const start = end === 0 ? -1 : comma;
    const entry = canonicalAddress(forwardedFor.slice(start + 1, end));
    if (entry === null) return address;
    address = entry;
    end = start;
  }
  return address;
}
