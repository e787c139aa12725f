import unhomoglyph from 'unhomoglyph';

/** Matches characters that nobody sees. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns what a name of at most 200 characters looks like. Names that look the same have the same skeleton (UTS #39,
 * section 4), in any letter case: `Bravo`, `BRAVO`, and the same with Cyrillic letters. The letters i and l have the same
 * skeleton, because a capital I looks like a small l.
 */
export function skeletonOf(name: string): string {
  const visible = name.normalize('NFKC').replaceAll(INVISIBLE, '').replaceAll(/\s+/g, ' ').trim();
  const latin = unhomoglyph(unhomoglyph(visible).toLowerCase()).normalize('NFKC').toLowerCase();
  return latin.replaceAll('i', 'l').replaceAll('0', 'o');
}
