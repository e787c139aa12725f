import { BLANK_SYMBOLS, REPLACEMENT, UNREADABLE, VISIBLE } from '@/lib/contract/text';
import { containsSecret } from './secret';

// Not invisible characters that modify the preceding one, as in emoji variants and flags, and not bidirectional
// controls, which `nameProblem` reports.
const BLANK = new RegExp(
  `^(?:[\\s${BLANK_SYMBOLS}]|(?![\\p{Variation_Selector}\\p{Bidi_Control}\\u{e0020}-\\u{e007f}])\\p{Default_Ignorable_Code_Point})$`,
  'u',
);

const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Removes the characters that `blank` matches from both ends. `BLANK+$` would take quadratic time. */
export function trimEnds(text: string, blank: RegExp): string {
  let start = 0;
  let end = text.length;
  while (start < end) {
    const first = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!blank.test(first)) break;
    start += first.length;
  }
  while (start < end) {
    const last = text.slice(Math.max(start, end - 2), end);
    const character = (last.codePointAt(0) ?? 0) > 0xffff ? last : text.slice(end - 1, end);
    if (!blank.test(character)) break;
    end -= character.length;
  }
  return text.slice(start, end);
}

/** Removes whitespace and invisible characters from both ends of a name. */
export function trimName(text: string): string {
  return trimEnds(text, BLANK);
}

/** What can be wrong with a display name. */
export type NameFlaw = 'length' | 'controls' | 'unreadable' | 'blank' | 'secret';

/** Returns what is wrong with a trimmed display name, or null. Also runs in the browser. */
export function nameFlaw(name: string, max: number): NameFlaw | null {
  if (name === '' || name.length > max) return 'length';
  if (NOT_IN_A_NAME.test(name)) return 'controls';
  if (name.includes(REPLACEMENT)) return 'unreadable';
  if (!VISIBLE.test(name)) return 'blank';
  return containsSecret(name) ? 'secret' : null;
}

/** Returns why a trimmed display name is not valid, or null. */
export function nameProblem(name: string, max: number): string | null {
  const flaw = nameFlaw(name, max);
  if (flaw === null) return null;
  return {
    length: `must have 1 to ${max} characters`,
    controls: 'must be one line of text without control characters',
    unreadable: UNREADABLE,
    blank: 'must contain a visible character',
    secret: 'must not contain an API key or a secret',
  }[flaw];
}
