type Ban = {
  pattern: RegExp;
  problem: string;
  exempt?: readonly string[];
};

const UNSTABLE = 'is private, or replaces a method, so a new version can break it without an error';
const CURRENCY =
  'use formatPrice or lib/contract/currencies.ts: the currencies of Intl depend on the version of Node.js or of the browser';
const DATABASE_ZONE = 'converts a time zone: pass instants or stored local dates to PostgreSQL';
const RUNTIME_ZONE = 'converts a time zone: use lib/platform/time-zones on the server, and send local text to the page';

const CONVERTING = [
  // They use the reader's own time zone, whose name only the browser knows.
  'lib/platform/text/formats.ts',
  'app/t/[tenant]/_components/time/ticks.ts',
  // Compares what another server has converted.
  'scripts/conformance/scenarios/availability.ts',
];

// Migrations that are applied never change. Theirs is 'UTC', which has no rules.
const APPLIED = [
  'prisma/migrations/20261202160000_baseline/migration.sql',
  'prisma/migrations/20261203111000_scheduled_prices/migration.sql',
];

// Only `npm run migration` uses it, not a server. A test writes a migration through it (decision 8).
const SHIM = ['prisma/schema-engine.mjs'];

/**
 * What product code must not use. PostgreSQL, Node.js, and browsers each have their own rules of time zones, which may be
 * older than those of the release (decision 29).
 */
const BANS: readonly Ban[] = [
  {
    pattern: /\bkOn(?:Body|Headers|MessageBegin|Execute)|\bonIncoming\b|\breadableDidRead\b|\bdestroySoon\b/g,
    problem: UNSTABLE,
  },
  { pattern: /\._(?:read|write|dump|handle|events|httpMessage|flush)\b|__NEXT_PRIVATE/g, problem: UNSTABLE },
  { pattern: /\bconnection\??\.stream\b|\bprocessID\b/g, problem: UNSTABLE },
  { pattern: /\.prototype\.(?:write|end|writeHead|query|connect|push|close)\b/g, problem: UNSTABLE },
  { pattern: /Object\.(?:assign|defineProperty)\((?:pool|client|req|res|socket|server|stream)\b/g, problem: UNSTABLE },
  {
    pattern: /\.(?:push|resume|write|end|writeHead|query|connect|destroy|close|_read)\s*=(?![=>])/g,
    problem: UNSTABLE,
  },
  {
    pattern: /\.(?:executeScript|queryRaw|executeRaw|startTransaction|dispose)\s*=(?![=>])|\bperformIO\b/g,
    problem: UNSTABLE,
    exempt: SHIM,
  },
  {
    pattern: /Reflect\.(?:set|deleteProperty)\(|Reflect\.get\((?:pool|client|req|res|socket|server|stream|parser)\b/g,
    problem: UNSTABLE,
  },
  { pattern: /\b(?:style|type)['"]?\s*:\s*['"`]currency\b/g, problem: CURRENCY },
  { pattern: /\bsupportedValuesOf\(\s*['"`]currency\b|\bcurrencyDisplay\b/g, problem: CURRENCY },
  { pattern: /\bAT\s+TIME\s+ZONE\b/gi, problem: DATABASE_ZONE, exempt: APPLIED },
  { pattern: /\bAT\s+LOCAL\b|\btimezone\s*\(/g, problem: DATABASE_ZONE },
  { pattern: /\bsupportedValuesOf\(\s*'timeZone'/g, problem: 'use zoneChoices of lib/platform/time-zones' },
  {
    // A formatter may have the literal 'UTC', which converts nothing.
    pattern: /\bDateTimeFormat\([^;)]*?\btimeZone\b(?!\s*:\s*(?:'UTC'|undefined))/gs,
    problem: RUNTIME_ZONE,
    exempt: CONVERTING,
  },
  {
    pattern: /\btoLocale(?:Date|Time)?String\([^;]*?\btimeZone\b/gs,
    problem: RUNTIME_ZONE,
    exempt: CONVERTING,
  },
];

const COMMENT = /\/\*[\s\S]*?\*\/|(?<=^|\s)(?:\/\/|--).*$/gm;

/** Returns what a source file must not use, each with its place. Comments do not count. */
export function bannedUses(file: string, source: string): string[] {
  const code = source.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));
  return BANS.flatMap(({ pattern, problem, exempt = [] }) =>
    exempt.includes(file)
      ? []
      : [...code.matchAll(pattern)].map(({ 0: text, index }) => {
          const line = code.slice(0, index).split('\n').length;
          return `${file}:${line}: "${text.replaceAll(/\s+/g, ' ')}": ${problem}`;
        }),
  );
}
