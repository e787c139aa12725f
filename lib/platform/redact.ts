type Replacement = string | ((match: string, start: string) => string);

const ADDRESS = /[^@]@[^@]+\.[a-z]{2,}/i;

/**
 * Clients can cause long entries, so each pattern must take linear time. Those of URLs and email addresses match up to
 * the next separator, and a function decides what to replace.
 */
const PATTERNS: [RegExp, Replacement][] = [
  [/pbk_[a-z]+_\w+/gi, '[key]'],
  [/whsec_[\w+/=-]+/gi, '[secret]'],
  [/(postgres(?:ql)?:\/\/)[^\s"]*/gi, withoutCredentials],
  [/\bbearer [^\s"\\]+/gi, 'Bearer [token]'],
  [/\/(setup|invite|password|calendar)\/[\w-]+/g, '/$1/[token]'],
  [/(smtps?:\/\/)[^\s"]*/gi, withoutCredentials],
  [/[^\s"'\\<>()/:;,=]+/g, (word) => (ADDRESS.test(word) ? '[email]' : word)],
  [/\+\d[\d ()./-]{5,}\d/g, '[phone]'],
];

function withoutCredentials(url: string, scheme: string): string {
  const end = url.lastIndexOf('@');
  return end < 0 ? url : `${scheme}[credentials]${url.slice(end)}`;
}

/** Returns a line of the server's log without secrets and personal data. */
export function withoutSecrets(line: string): string {
  return PATTERNS.reduce(
    // No overload of `replace` accepts a value that is either a string or a function.
    (text, [pattern, by]) => (typeof by === 'string' ? text.replace(pattern, by) : text.replace(pattern, by)),
    line,
  );
}
