const MAX_COOKIES = 4 * 1024;

/** Returns the cookies with these names, at most 4 KiB. Next.js serializes all cookies again for each cookie. */
export function ownCookies(header: string, names: ReadonlySet<string>): string | undefined {
  const missing = new Set(names);
  const own: string[] = [];
  let left = MAX_COOKIES;
  for (let start = 0; start < header.length && missing.size > 0; ) {
    const semicolon = header.indexOf(';', start);
    const end = semicolon < 0 ? header.length : semicolon;
    const pair = header.slice(start, end).trim();
    start = end + 1;
    const name = pair.slice(0, Math.max(0, pair.indexOf('=')));
    if (pair.length > left || !missing.delete(name)) continue;
    left -= pair.length;
    own.push(pair);
  }
  return own.length === 0 ? undefined : own.join('; ');
}
