const PRIVATE =
  /\bkOn(?:Body|Headers|MessageBegin|Execute)|\bonIncoming\b|\breadableDidRead\b|\bdestroySoon\b|\._(?:read|write|dump|handle|events|httpMessage|flush)\b|__NEXT_PRIVATE|\bconnection\??\.stream\b|\.prototype\.(?:write|end|writeHead|query|connect|push)\b|Object\.(?:assign|defineProperty)\((?:pool|client|req|res|socket|server|stream)\b|\.(?:push|resume|write|end|writeHead|query|connect|destroy|_read)\s*=(?![=>])|Reflect\.(?:set|deleteProperty)\(/g;

/** Returns the uses of private members in a source text, each with its line. */
export function privateProblems(file: string, source: string): string[] {
  return [...source.matchAll(PRIVATE)].map(({ 0: text, index }) => {
    const line = source.slice(0, index).split('\n').length;
    return `${file}:${line}: "${text}" is private, or replaces a method.`;
  });
}
