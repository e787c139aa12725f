/** Values that are fixed words or numbers. Other properties of errors, such as `detail`, may contain user data. */
const SAFE_PROPERTIES = [
  'code',
  'errno',
  'syscall',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'routine',
  'status',
  'reason',
  'kind',
  'originalCode',
];

const WORD = /^[\w.$-]{1,80}$/;

const MAX_MESSAGE = 300;
const MAX_FRAMES = 20;
const MAX_CAUSES = 4;

/** Messages of these SQLSTATE classes quote only identifiers. Others, such as 22 and 23, may quote user input. */
const SAFE_SQLSTATE = /^(?:08|40|42|53|55|57|58)[0-9A-Z]{3}$/;

/** Messages with these codes contain no values: failed connection, unknown table or column, and timeouts. */
const SAFE_PRISMA = /^P(?:1\d{3}|2021|2022|2024|2028)$/;

const OPENING_QUOTE = /["`‘“«]|(?<!\p{L})'/u;
const CLOSING_QUOTES = ['"', "'", '`', '’', '”', '»'];

/** A value may contain `closing` characters, so the last one counts. A regular expression would take quadratic time. */
function withoutValue(text: string, opening: RegExp, closing: string[], replacement: string): string {
  const from = text.search(opening);
  const to = Math.max(...closing.map((character) => text.lastIndexOf(character)));
  return from < 0 || to <= from ? text : text.slice(0, from) + replacement + text.slice(to + 1);
}

/**
 * Returns an error message without text in quotation marks and in parentheses after `=`, where parsers, PostgreSQL, and
 * Prisma write values. The text of a safe `code` is kept.
 */
export function loggableMessage(message: string, code?: unknown): string {
  const text =
    typeof code === 'string' && (SAFE_SQLSTATE.test(code) || SAFE_PRISMA.test(code))
      ? message
      : withoutValue(withoutValue(message, OPENING_QUOTE, CLOSING_QUOTES, '…'), /=\s*\(/, [')'], '=(…)');
  return text.trim().slice(0, MAX_MESSAGE);
}

/** Returns the loggable parts of an error: its type, redacted message, safe properties, stack frames, and causes. */
export function loggableError(error: unknown, depth = 0): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  const source = error as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const name of SAFE_PROPERTIES) {
    const value = source[name];
    if (typeof value === 'number' || (typeof value === 'string' && WORD.test(value))) result[name] = value;
  }
  if (error instanceof Error) {
    result.type = error.name;
    result.message = loggableMessage(error.message, source.code);
    result.stack = framesOf(error);
  }
  const cause = source.cause ?? driverError(source);
  if (cause !== undefined && cause !== null && depth < MAX_CAUSES) result.cause = loggableError(cause, depth + 1);
  return result;
}

/** Prisma stores the driver's error in `meta` instead of `cause`. */
function driverError({ meta }: Record<string, unknown>): unknown {
  return typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
    ? meta.driverAdapterError
    : undefined;
}

function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  const frames = stack.slice(at < 0 ? 0 : at + message.length).split('\n');
  return frames
    .filter((line) => /^\s+at [^"'`]{1,300}$/.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}
