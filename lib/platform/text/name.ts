import { holdsSecret } from './secret';

// White space and what shows nothing, but for what changes the character before it: the heart in colour, the flags.
const BLANK = String.raw`(?:\s|(?![\p{Variation_Selector}\p{Bidi_Control}\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point})`;
const EDGES = new RegExp(`^${BLANK}+|${BLANK}+$`, 'gu');

/** Letters, digits, signs and symbols; the empty Braille cell is a symbol and shows nothing. */
const VISIBLE = /(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{P}\p{S}]/u;

/** Beside control characters: line breaks of other scripts, halves of characters, and what turns the text around it. */
const NOT_IN_A_NAME = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** Returns a name without what cannot be seen at its ends. */
export function trimName(text: string): string {
  return text.replaceAll(EDGES, '');
}

/**
 * Says what is wrong with a trimmed name that people are to read and tell from others; null when nothing is. Runs in
 * the browser too.
 */
export function nameProblem(name: string, max: number): string | null {
  if (name === '' || name.length > max) return `must have 1 to ${max} characters`;
  if (NOT_IN_A_NAME.test(name)) return 'must be one line of text without control characters';
  if (!VISIBLE.test(name)) return 'must have a character that can be seen';
  return holdsSecret(name) ? 'must not hold an API key or a secret' : null;
}
