import pg from 'pg';

/** `result`: number of rows, SQLSTATE, or null if PostgreSQL has reported neither. */
export type Sent = { text: string; result: number | string | null };

type Query = { text?: unknown };
type Callback = (error: { code?: string } | null, result?: { rowCount: number | null }) => void;

/** While `work` runs, in the order in which they are sent. `rewrite` returns the SQL to send instead. */
export async function recordStatements<T>(
  work: () => Promise<T>,
  rewrite: (text: string) => string = (text) => text,
): Promise<{ result: T; sent: Sent[] }> {
  const sent: Sent[] = [];
  const original = pg.Client.prototype.query;
  const replaced = function query(this: pg.Client, first: string | Query, ...rest: unknown[]): unknown {
    const text = typeof first === 'string' ? first : first.text;
    // An object without SQL text, such as a cursor.
    if (typeof text !== 'string') return Reflect.apply(original, this, [first, ...rest]);
    const entry: Sent = { text, result: null };
    sent.push(entry);
    const note: Callback = (error, result) => {
      entry.result = error ? (error.code ?? 'error') : (result?.rowCount ?? null);
    };
    const changed = rewrite(text);
    const config = typeof first === 'string' ? changed : { ...first, text: changed, ...nameFor(first, text, changed) };
    const last = rest.at(-1);
    if (typeof last === 'function') {
      const callback: Callback = (error, result) => {
        note(error, result);
        last(error, result);
      };
      return Reflect.apply(original, this, [config, ...rest.slice(0, -1), callback]);
    }
    const reply = Reflect.apply(original, this, [config, ...rest]) as Promise<{ rowCount: number | null }>;
    reply.then((result) => note(null, result), note);
    return reply;
  };
  Reflect.set(pg.Client.prototype, 'query', replaced);
  try {
    return { result: await work(), sent };
  } finally {
    Reflect.set(pg.Client.prototype, 'query', original);
  }
}

/** A name of a prepared statement belongs to only one text. */
function nameFor(query: Query, text: string, changed: string): object {
  return text === changed || !('name' in query) ? {} : { name: undefined };
}
