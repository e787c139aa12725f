/** Those of browsers are shorter. */
const MAX_READ = 500;

/** A browser that names others comes before them: Edge also claims to be Chrome, and Chrome to be Safari. */
const BROWSERS = [
  ['Edg/', 'Edge'],
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

/** In the same order: Android also claims to be Linux, and an iPhone to be like a Mac. */
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'Mac'],
  ['Linux', 'Linux'],
] as const;

/**
 * Returns the browser and system of a user agent, or null. It helps to recognize a session and proves nothing. It has no
 * words of a language, because it is stored.
 */
export function browserName(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, MAX_READ);
  const named = (names: readonly (readonly [string, string])[]) => names.find(([word]) => text.includes(word))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser && system) return `${browser} (${system})`;
  return browser ?? system ?? null;
}
