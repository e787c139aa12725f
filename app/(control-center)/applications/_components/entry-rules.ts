import { parseAddress, parseNetwork } from '@/lib/access/applications/networks';
import { isOrigin } from '@/lib/access/applications/origins';

/** Entries that a list may hold. */
const MAX_ENTRIES = 100;

/** What is wrong with an entry of a list, in words that help; null when nothing is. */
export type EntryRule = (text: string) => string | null;

/** Says what is wrong with an origin; the rule itself is the server's. */
export function originProblem(text: string): string | null {
  if (isOrigin(text)) return null;
  if (!/^https?:\/\//i.test(text)) return 'Begin with https:// (or http://), such as https://partner.example.';
  if (!URL.canParse(text)) return 'This is not a web address. Write it like https://partner.example.';
  const { origin } = new URL(text);
  return isOrigin(origin)
    ? `Write it as ${origin}: no path, no final slash, lower case, no usual port.`
    : 'Write it like https://partner.example.';
}

/** Says what is wrong with an address or a range; the rule itself is the server's. */
export function networkProblem(text: string): string | null {
  if (parseNetwork(text)) return null;
  const [address = '', length] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed && length !== undefined) {
    return `After the slash, write a number from 0 to ${parsed.kind() === 'ipv4' ? 32 : 128}.`;
  }
  return 'Write an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.';
}

/** Says how much a correct address or range covers, so that a slip of the prefix is seen before it is saved. */
export function networkExtent(text: string): string | null {
  const range = parseNetwork(text);
  if (!range) return null;
  const [address, prefix] = range;
  const bits = (address.kind() === 'ipv4' ? 32 : 128) - prefix;
  if (bits === 0) return 'One address.';
  if (prefix === 0) return `Every IPv${address.kind() === 'ipv4' ? 4 : 6} address there is.`;
  return bits <= 32 ? `${new Intl.NumberFormat('en').format(2 ** bits)} addresses.` : `2^${bits} addresses.`;
}

/** Returns the rule for adding to a list: right in itself, not there yet, and still room. */
export function addingTo(entries: readonly string[], rule: EntryRule): EntryRule {
  return (text) => {
    if (entries.includes(text)) return 'This is in the list already.';
    return rule(text) ?? (entries.length >= MAX_ENTRIES ? `At most ${MAX_ENTRIES} entries.` : null);
  };
}
