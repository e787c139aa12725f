import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** What stands for an address when the connection is gone before it could be asked for one. */
const NO_ADDRESS = '0.0.0.0';

/**
 * Returns the canonical form of an IP address, or null if `text` is none. IPv4-mapped IPv6 becomes IPv4 (contract
 * B2); a zone is dropped, a port or brackets that some proxies add are too.
 */
export function canonicalAddress(text: string): string | null {
  const bare = withoutPort(text.trim());
  // isIP first: ipaddr.js also reads `1`, `0x7f.1` and octal, which no proxy writes.
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

/** Returns the address of the socket's other end in canonical form. */
export function peerAddress(remote: string | undefined): string {
  return (remote && canonicalAddress(remote)) || NO_ADDRESS;
}

/**
 * Returns the client's address behind `proxies` trusted proxies, the socket's peer being the nearest (contract B2):
 * each proxy vouches for the entry it appended to X-Forwarded-For, so the n-th from the right is the last that can
 * be believed. A missing or unreadable entry ends the walk at the last address that a trusted proxy vouched for;
 * what stands further left came from the client and is never used.
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
