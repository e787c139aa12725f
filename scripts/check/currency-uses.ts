const USE = /\b(?:style|type)['"]?\s*:\s*['"`]currency\b|\bsupportedValuesOf\(\s*['"`]currency\b|\bcurrencyDisplay\b/g;

/** Returns the 1-based lines on which code uses the currencies of `Intl`. */
export function currencyUses(text: string): number[] {
  return [...text.matchAll(USE)].map(({ index }) => text.slice(0, index).split('\n').length);
}
