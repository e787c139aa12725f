/** Maximum number of characters of a user agent that are read. Those of browsers are shorter. */
const MAX_READ = 500;

/**
 * The browsers by the word in their user agents. A browser that names other browsers as well comes before them: Edge
 * also claims to be Chrome, and Chrome also claims to be Safari.
 */
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

/** The operating systems in the same order: Android also claims to be Linux, and an iPhone to be like a Mac. */
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
 * Returns the browser and the operating system that a user agent names, such as `Chrome on Windows`. Returns null if it
 * names neither. The result helps people to recognize their sessions and proves nothing, because clients can send any
 * user agent.
 */
export function browserName(userAgent: string | null): string | null {
  const text = (userAgent ?? '').slice(0, MAX_READ);
  const named = (names: readonly (readonly [string, string])[]) => names.find(([word]) => text.includes(word))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? null;
}
