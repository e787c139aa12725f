/** Names of private members, and replacements of methods. */
const PRIVATE =
  /\bkOn(?:Body|Headers|MessageBegin|Execute)|\bonIncoming\b|\breadableDidRead\b|\bdestroySoon\b|\._(?:read|write|dump|handle|events|httpMessage|flush)\b|__NEXT_PRIVATE|\bconnection\??\.stream\b|\.prototype\.(?:write|end|writeHead|query|connect|push)\b|Object\.(?:assign|defineProperty)\((?:pool|client|req|res|socket|server|stream)\b|\.(?:push|resume|write|end|writeHead|query|connect|destroy|_read)\s*=(?![=>])|Reflect\.(?:set|deleteProperty)\(/g;

/**
 * The exceptions: each file, the only text in it that may match, and the reason. The list must only shrink. A text that no
 * longer matches fails the check too.
 */
const EXCEPTIONS: readonly { file: string; texts: string[]; reason: string }[] = [
  {
    file: 'lib/platform/tenant-scope.ts',
    texts: ['Object.assign(pool', 'Object.assign(client'],
    reason: 'Limits every statement of Prisma to the tenant of its call, where no call site can forget it.',
  },
  {
    file: 'lib/platform/tenant-turns.ts',
    texts: ['Object.assign(pool'],
    reason: 'Prisma takes its connections itself, and has no hook for the turn of a tenant.',
  },
  {
    file: 'lib/platform/tracing/tracing.ts',
    texts: ['.query ='],
    reason: 'pg has no hook for the spans of statements. Without a collector, nothing is replaced.',
  },
];

/** Returns the uses of private members in a source text, each with its line. */
function privateUses(source: string): { line: number; text: string }[] {
  return [...source.matchAll(PRIVATE)].map(({ 0: text, index }) => ({
    line: source.slice(0, index).split('\n').length,
    text,
  }));
}

/** Returns the problems of a file: uses that no exception allows, and exceptions that nothing uses. */
export function privateProblems(file: string, source: string, exceptions = EXCEPTIONS): string[] {
  const allowed = exceptions.find((exception) => exception.file === file)?.texts ?? [];
  const uses = privateUses(source);
  const refused = uses.filter(({ text }) => !allowed.includes(text));
  const unused = allowed.filter((text) => !uses.some((use) => use.text === text));
  return [
    ...refused.map(({ line, text }) => `${file}:${line}: "${text}" is private, or replaces a method.`),
    ...unused.map((text) => `${file}: the exception "${text}" is not used. Remove it.`),
  ];
}
