import { AsyncLocalStorage } from 'node:async_hooks';
import { singleton } from '../singleton';

/** A round trip to the database. The times are values of `performance.now()`. */
export type Statement = { name: string; begun: number; ended: number; failed: boolean };

/** A finished request. `begun` is a value of `performance.now()`. */
export type FinishedRequest = {
  name: string;
  begun: number;
  attributes: Record<string, string | number>;
  /** The value of the request header `traceparent`, or null if the request has no such header. */
  traceparent: string | null;
  failed: boolean;
};

/** Sends finished requests and their statements to a collector. */
export type Exporter = {
  export: (request: FinishedRequest, statements: readonly Statement[]) => void;
  stop: () => Promise<void>;
};

/** Maximum number of statements of a request that become spans. */
const MAX_STATEMENTS = 50;

type Tracing = { exporter: Exporter | null; current: AsyncLocalStorage<Statement[]> };

function tracing(): Tracing {
  return singleton('tracing', () => ({ exporter: null, current: new AsyncLocalStorage() }));
}

/** Sets the exporter. Without an exporter, this module records nothing. */
export function setExporter(exporter: Exporter | null): void {
  tracing().exporter = exporter;
}

/** Runs a request so that its round trips to the database are recorded. */
export function traced<T>(run: () => T): T {
  const { exporter, current } = tracing();
  return exporter ? current.run([], run) : run();
}

/**
 * Exports the request that `traced` runs, with its recorded round trips. `finished` returns the request's data and is
 * called only if there is an exporter.
 */
export function traceRequest(finished: () => FinishedRequest): void {
  const { exporter, current } = tracing();
  exporter?.export(finished(), current.getStore() ?? []);
}

/**
 * Records the round trips of a connection or of the pool, each for the request that caused it. Does nothing without an
 * exporter. A read that several requests share is recorded for the request that sent it. A call of `query` with a
 * callback is not recorded. Only the pool makes such calls, as a part of a call that is already recorded.
 */
export function traceStatements(queryable: object): void {
  const { exporter, current } = tracing();
  if (!exporter) return;
  const connection = queryable as { query: (...args: unknown[]) => unknown };
  const query = connection.query.bind(connection);
  connection.query = (...args) => {
    const statements = current.getStore();
    const sent = query(...args);
    if (!statements || statements.length >= MAX_STATEMENTS || !(sent instanceof Promise)) return sent;
    const statement = { name: nameOf(args[0]), begun: performance.now(), ended: 0, failed: false };
    statements.push(statement);
    sent.then(
      () => Object.assign(statement, { ended: performance.now() }),
      () => Object.assign(statement, { ended: performance.now(), failed: true }),
    );
    return sent;
  };
}

/** Returns the name of a query if it has one, otherwise the first word of its SQL. The result contains no values. */
function nameOf(query: unknown): string {
  const { name, text } =
    typeof query === 'object' && query !== null ? (query as { name?: string; text?: string }) : { text: query };
  if (name) return name;
  return typeof text === 'string' ? (/^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL') : 'SQL';
}
