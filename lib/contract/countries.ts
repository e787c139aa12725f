import { iso31661 } from 'iso-3166';

/** The country codes of ISO 3166-1 alpha-2, and XK, which its users assign to Kosovo. */
export const COUNTRIES: ReadonlySet<string> = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XK']);

/** Codes that other standards use for a country, with the code of ISO 3166-1. */
const OTHER_CODES: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** Returns why a text is not the code of a country, or null if it is. */
export function countryProblem(code: string): string | null {
  if (COUNTRIES.has(code)) return null;
  if (!/^[A-Z]{2}$/.test(code)) return 'must be two capital letters (ISO 3166-1)';
  const right = OTHER_CODES[code];
  return right === undefined ? 'must be a country code of ISO 3166-1' : `must be ${right} (ISO 3166-1)`;
}
