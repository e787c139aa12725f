import { trimEnds } from '@/lib/platform/text/name';

/** Why a text cannot be searched, as the messages in `common.search` name it. */
export type Refusal = 'secret' | 'contact' | 'long';

/** The meaning of text that was typed or pasted into a search field. */
export type Pasted =
  | { kind: 'request'; id: string }
  | { kind: 'reference'; reference: string }
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'nothing' };

const REQUEST_ID = /\breq_[0-7][0-9a-hjkmnp-tv-z]{25}\b/i;
const BOOKING = /\bpbr_[0-9a-hjkmnp-tv-z]{26}\b/i;

/** Invisible format characters, which mail and chat programs add to text. */
const INVISIBLE = /\p{Cf}/gu;
const INVISIBLE_END = /^[\s\p{Cf}]$/u;

/** Returns whether the text contains an API key or a webhook secret. Such a secret must not reach the URL. */
export function hasSecret(text: string): boolean {
  const joined = text.replaceAll(/[\s\p{Cf}]/gu, '');
  return /pbk_(test|live)_|whsec_/i.test(joined);
}

/** Returns the last four characters of the API key that the text contains. Returns null if it contains no whole key. */
export function keyEnd(text: string): string | null {
  const key = /\bpbk_(?:test|live)_(?:[0-9A-Za-z]{42}|[0-9A-Za-z]{38})\b/.exec(text.replaceAll(INVISIBLE, ''));
  return key?.[0].slice(-4) ?? null;
}

/** A quote at only one end stays, because it may be part of the text. */
function withoutQuotes(line: string): string {
  const [first = ''] = line;
  const end = /[,;]$/.test(line) ? line.length - 1 : line.length;
  return '"\'`'.includes(first) && end > 1 && line[end - 1] === first ? line.slice(1, end - 1).trim() : line;
}

/**
 * Returns the meaning of text from a search field. A request ID or booking reference is found even if it is in capital
 * letters, is split by a line break, or is part of a pasted header or response. Secrets, email addresses, and phone
 * numbers with a country code are refused so that they reach neither the URL nor the server.
 */
export function readPasted(text: string): Pasted {
  // A line break can be inside an ID or between two words. `found` therefore searches twice: first in the text with its
  // line breaks (`visible`), then in the text without them (`joined`).
  const visible = text.replaceAll(INVISIBLE, '');
  const joined = visible
    .split(/[\r\n]/)
    .map((part) => part.trim())
    .join('');
  const found = (what: RegExp) => (what.exec(visible) ?? what.exec(joined))?.[0].toLowerCase();
  const parts = trimEnds(text, INVISIBLE_END).split(/\p{Cc}/u);
  const line = parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ');
  const trimmed = withoutQuotes(line);
  if (trimmed === '') return { kind: 'nothing' };
  const id = found(REQUEST_ID);
  if (id) return { kind: 'request', id };
  if (hasSecret(text)) return { kind: 'refused', refusal: 'secret' };
  const reference = found(BOOKING);
  if (reference) return { kind: 'reference', reference };
  if (/^[^\s@]+@[^\s.]+\.\S+$/.test(trimmed) || /^\+[\d\s().-]{7,}$/.test(trimmed)) {
    return { kind: 'refused', refusal: 'contact' };
  }
  if (trimmed.length > 128) return { kind: 'refused', refusal: 'long' };
  return { kind: 'reference', reference: trimmed };
}
