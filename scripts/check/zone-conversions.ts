/**
 * Places where another program than ours would convert a time between time zones. PostgreSQL, Node.js, and browsers each have
 * their own rules, which may be older than those of the release (decision 29).
 */
const BANNED: { pattern: RegExp; instead: string }[] = [
  { pattern: /\bAT\s+TIME\s+ZONE\b/i, instead: 'Pass instants or stored local dates to PostgreSQL.' },
  { pattern: /\bAT\s+LOCAL\b|\btimezone\s*\(/, instead: 'Pass instants or stored local dates to PostgreSQL.' },
  { pattern: /\bsupportedValuesOf\(\s*'timeZone'/, instead: 'Use zoneChoices of lib/platform/time-zones.' },
  {
    // A formatter may have the literal 'UTC', which converts nothing.
    pattern: /\bDateTimeFormat\([^;)]*?\btimeZone\b(?!\s*:\s*(?:'UTC'|undefined))/s,
    instead: 'Use lib/platform/time-zones on the server, and send local text to the page.',
  },
  {
    pattern: /\btoLocale(?:Date|Time)?String\([^;]*?\btimeZone\b/s,
    instead: 'Use lib/platform/time-zones on the server, and send local text to the page.',
  },
];

/** They use the reader's own time zone, whose name only the browser knows. */
const OF_READER = ['lib/platform/text/formats.ts', 'app/t/[tenant]/_components/time/ticks.ts'];

export type Conversion = { line: number; text: string };

/** Returns the conversions in a source file. Comments do not count. */
export function conversionsIn(file: string, source: string): Conversion[] {
  if (OF_READER.includes(file)) return [];
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--).*$/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  );
  return BANNED.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(code);
    if (!found) return [];
    return [{ line: code.slice(0, found.index).split('\n').length, text: `converts a time zone. ${instead}` }];
  });
}
