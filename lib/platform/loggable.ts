/** What an error may tell beside its message: fixed words and numbers. `detail`, `meta`, `input` and others quote data. */
const TOLD = [
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

/** A word or a number, as our own and PostgreSQL's names are. */
const WORD = /^[\w.$-]{1,80}$/;

/** Characters of a message and lines of a stack that are kept. */
const MAX_MESSAGE = 300;
const MAX_FRAMES = 20;
/** Causes of causes that are told. */
const MAX_CAUSES = 4;

/**
 * Classes of SQLSTATE whose messages quote names of ours and never a value: connections, rollbacks, our own SQL,
 * resources, locks, operators, the system. The others, above all 22 and 23, may say what somebody sent.
 */
const HARMLESS_SQLSTATE = /^(?:08|40|42|53|55|57|58)[0-9A-Z]{3}$/;

/** The same of Prisma: no connection, no such table or column, no time left. */
const HARMLESS_PRISMA = /^P(?:1\d{3}|2021|2022|2024|2028)$/;

// From the first quotation mark to the last: what is quoted may hold any of them itself.
const QUOTED = /(?:["`‘“«]|(?<!\p{L})')[\s\S]*["'`’”»]/u;

/**
 * Returns what a log may say of a message: everything but what it quotes. Messages of parsers, of PostgreSQL and of
 * Prisma quote values.
 * @param code the error's own, if it has one.
 */
export function loggableMessage(message: string, code?: unknown): string {
  const text =
    typeof code === 'string' && (HARMLESS_SQLSTATE.test(code) || HARMLESS_PRISMA.test(code))
      ? message
      : message.replace(QUOTED, '…').replace(/=\s*\([\s\S]*\)/, '=(…)');
  return text.trim().slice(0, MAX_MESSAGE);
}

/** Returns what a log may say of an error: its kind, its words, where it happened, and its causes. */
export function loggableError(error: unknown, depth = 0): Record<string, unknown> {
  if (typeof error !== 'object' || error === null) return { type: typeof error };
  const source = error as Record<string, unknown>;
  const told: Record<string, unknown> = {};
  for (const name of TOLD) {
    const value = source[name];
    if (typeof value === 'number' || (typeof value === 'string' && WORD.test(value))) told[name] = value;
  }
  if (error instanceof Error) {
    told.type = error.name;
    told.message = loggableMessage(error.message, source.code);
    told.stack = framesOf(error);
  }
  const cause = source.cause ?? driverError(source);
  if (cause !== undefined && cause !== null && depth < MAX_CAUSES) told.cause = loggableError(cause, depth + 1);
  return told;
}

/** Prisma keeps what the driver said beside the error, not as its cause. */
function driverError({ meta }: Record<string, unknown>): unknown {
  return typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
    ? meta.driverAdapterError
    : undefined;
}

/** A stack begins with the message, so only what comes after it, and looks like a place, is kept. */
function framesOf({ stack = '', message }: Error): string {
  const at = stack.indexOf(message);
  const frames = stack.slice(at < 0 ? 0 : at + message.length).split('\n');
  return frames
    .filter((line) => /^\s+at [^"'`]{1,300}$/.test(line))
    .slice(0, MAX_FRAMES)
    .join('\n');
}
