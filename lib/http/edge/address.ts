import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const NO_ADDRESS = '0.0.0.0';

/** Returns the canonical form of an IP address without zone, port, and brackets, or null. IPv4-mapped is IPv4 (B2). */
export function canonicalAddress(text: string): string | null {
  const bare = withoutPort(text.trim());
  // `isIP` rejects `1`, `0x7f.1`, and octal notation, which ipaddr.js accepts.
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
  // Text with one colon is an IPv4 address with a port. Text with several colons is an IPv6 address.
  return colon > 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text;
}

export function peerAddress(remote: string | undefined): string {
  return (remote && canonicalAddress(remote)) || NO_ADDRESS;
}

/**
 * Returns the client's address behind `proxies` trusted proxies (contract B2). Each proxy appends its peer to
 * X-Forwarded-For, so only the last `proxies` entries count. A missing or malformed entry gives the entry to its right,
 * or `peer`.
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
