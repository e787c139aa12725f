import unhomoglyph from 'unhomoglyph';
import { BLANK_SYMBOLS } from '@/lib/contract/text';

/** What looks like a space, or like several. */
const BLANK = new RegExp(`[${BLANK_SYMBOLS}\\u115f\\u1160\\u3164\\uffa0\\p{White_Space}]`, 'gu');

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu;

/** The first of 26 letters in a circle, in a square, and of flags. Compatibility decomposition leaves them as they are. */
const LETTERS_IN_SHAPES = [0x1f150, 0x1f170, 0x1f1e6];
const IN_SHAPE = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;

/** Colors of the skin, which change the preceding character. */
const MODIFIER = /\p{Emoji_Modifier}/gu;

/** Small marks and those below and through a letter are overlooked. Those of other scripts tell letters apart. */
const SMALL_MARK =
  /[\u0305\u0307\u0309\u030d-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]|([\u0300-\u030c])(?=\1)/gu;

/** The Unicode table lacks most letters that look like small capitals. */
const SMALL_CAPITALS = new Map(
  'ᴀa ʙb ᴄc ᴅd ᴇe ꜰf ɢg ʜh ɪl ᴊj ᴋk ĸk ʟl ᴍrn ʍrn ɴn ᴏo ᴘp ꞯq ʀr ꜱs ᴛt ᴜu ᴠv ᴡw ʏy ᴢz ɾr ƅb ꞩs ƨs'
    .split(' ')
    .map((pair) => [pair.slice(0, 1), pair.slice(1)]),
);

/**
 * Returns what a name of at most 200 characters looks like: names that look the same have the same skeleton (UTS #39,
 * section 4), in any letter case. The letters i and l have the same, because a capital I looks like a small l. A pair
 * of v looks like a w, and all dashes look like a hyphen.
 */
export function skeletonOf(name: string): string {
  const plain = name.replaceAll(BLANK, ' ').replaceAll(MODIFIER, '').replaceAll(IN_SHAPE, letterOf);
  const visible = withoutMarks(plain).replaceAll(INVISIBLE, '');
  const latin = withoutMarks(unhomoglyph(unhomoglyph(visible).toLowerCase())).toLowerCase();
  return [...latin]
    .map((letter) => SMALL_CAPITALS.get(letter) ?? letter)
    .join('')
    .replaceAll('i', 'l')
    .replaceAll('0', 'o')
    .replaceAll('vv', 'w')
    .replaceAll(/[\p{Dash_Punctuation}ー]/gu, '-')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function letterOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const first = LETTERS_IN_SHAPES.findLast((start) => start <= code) ?? code;
  return String.fromCharCode('a'.charCodeAt(0) + code - first);
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replaceAll(SMALL_MARK, '').normalize('NFKC');
}
