import { parseAddress, parseNetwork } from '@/lib/access/applications/networks';
import { isOrigin } from '@/lib/access/applications/origins';

/** Maximum number of origins, and maximum number of networks, in a policy. */
const MAX_ENTRIES = 100;

/** Returns an error message for an invalid entry; null if the entry is valid. */
export type EntryRule = (text: string) => string | null;

/** Returns an error message for an invalid origin; null if the origin is valid. The server applies the same rule. */
export function originProblem(text: string): string | null {
  if (isOrigin(text)) return null;
  if (!/^https?:\/\//i.test(text)) return 'Start with https:// or http://, for example https://partner.example.';
  if (!URL.canParse(text)) return 'Not a valid URL. Use a format like https://partner.example.';
  const { origin } = new URL(text);
  return isOrigin(origin)
    ? `Enter ${origin} instead. Use lowercase, and leave out the path, trailing slash, and default port.`
    : 'Use a format like https://partner.example.';
}

/**
 * Returns an error message for an invalid address or range; null if the text is valid. The server applies the same
 * rule.
 */
export function networkProblem(text: string): string | null {
  if (parseNetwork(text)) return null;
  const [address = '', length] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed && length !== undefined) {
    return `Use a prefix length from 0 to ${parsed.kind() === 'ipv4' ? 32 : 128}.`;
  }
  return 'Enter an IPv4 or IPv6 address, or a range such as 203.0.113.0/24.';
}

/**
 * Describes how many addresses an entry covers so that the user notices a wrong prefix length. Returns null if the
 * entry is invalid.
 */
export function networkExtent(text: string): string | null {
  const range = parseNetwork(text);
  if (!range) return null;
  const [address, prefix] = range;
  const bits = (address.kind() === 'ipv4' ? 32 : 128) - prefix;
  if (bits === 0) return '1 address.';
  if (prefix === 0) return `All IPv${address.kind() === 'ipv4' ? 4 : 6} addresses.`;
  return bits <= 32 ? `${new Intl.NumberFormat('en').format(2 ** bits)} addresses.` : `2^${bits} addresses.`;
}

/**
 * Returns the rule for adding an entry to a list. The entry must satisfy `rule` and must not be in the list yet. The
 * list must have fewer than `MAX_ENTRIES` entries.
 */
export function addingTo(entries: readonly string[], rule: EntryRule): EntryRule {
  return (text) => {
    if (entries.includes(text)) return 'Already in the list.';
    return rule(text) ?? (entries.length >= MAX_ENTRIES ? `A list can have at most ${MAX_ENTRIES} entries.` : null);
  };
}
