import type { Translator } from '@/app/_components/language';
import { parseAddress, parseNetwork } from '@/lib/access/applications/networks';
import { isOrigin } from '@/lib/access/applications/origins';

const MAX_ENTRIES = 100;

/** The messages about entries. */
export type EntriesTranslator = Translator<'applications.entries'>;

/** Returns an error message for an invalid entry; null if the entry is valid. */
export type EntryRule = (text: string) => string | null;

/** Returns an error message for an invalid origin; null if the origin is valid. The server applies the same rule. */
export function originProblem(t: EntriesTranslator, text: string): string | null {
  if (isOrigin(text)) return null;
  if (!/^https?:\/\//i.test(text)) return t('startWith');
  if (!URL.canParse(text)) return t('noUrl');
  const { origin } = new URL(text);
  return isOrigin(origin) ? t('useOrigin', { origin }) : t('useFormat');
}

/** Returns an error message for an invalid address or range; null if the text is valid. The server applies the same rule. */
export function networkProblem(t: EntriesTranslator, text: string): string | null {
  if (parseNetwork(text)) return null;
  const [address = '', length] = text.split('/');
  const parsed = parseAddress(address);
  if (parsed && length !== undefined) return t('prefix', { max: parsed.kind() === 'ipv4' ? 32 : 128 });
  return t('noNetwork');
}

/** Describes how many addresses an entry covers, so that the user notices a wrong prefix length. Null if it is invalid. */
export function networkExtent(t: EntriesTranslator, text: string): string | null {
  const range = parseNetwork(text);
  if (!range) return null;
  const [address, prefix] = range;
  const bits = (address.kind() === 'ipv4' ? 32 : 128) - prefix;
  if (bits > 0 && prefix === 0) return t('allAddresses', { version: address.kind() === 'ipv4' ? 4 : 6 });
  return bits <= 32 ? t('addresses', { count: 2 ** bits }) : t('manyAddresses', { bits });
}

/** Returns a rule that also refuses an entry that is in the list, and any if the list has `MAX_ENTRIES` entries. */
export function addingTo(t: EntriesTranslator, entries: readonly string[], rule: EntryRule): EntryRule {
  return (text) => {
    if (entries.includes(text)) return t('already');
    return rule(text) ?? (entries.length >= MAX_ENTRIES ? t('most', { max: MAX_ENTRIES }) : null);
  };
}
