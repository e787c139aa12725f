import { AsyncLocalStorage } from 'node:async_hooks';
import { singleton } from '../singleton';

/** The times have the unit and origin of `performance.now()`. */
export type Statement = { name: string; begun: number; ended: number; failed: boolean };

/** `begun` has the unit and origin of `performance.now()`. */
export type FinishedRequest = {
  name: string;
  begun: number;
  attributes: Record<string, string | number>;
  /** The request header, or null. */
  traceparent: string | null;
  failed: boolean;
};

export type Exporter = {
  export: (request: FinishedRequest, statements: readonly Statement[]) => void;
  stop: () => Promise<void>;
};

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

/** Exports the request that `traced` runs. `finished` is called only if there is an exporter. */
export function traceRequest(finished: () => FinishedRequest): void {
  const { exporter, current } = tracing();
  exporter?.export(finished(), current.getStore() ?? []);
}

/** Sends a statement and records it for the request that causes it. A shared read counts for the one that sends it. */
export function recorded<T>(query: Query, send: () => Promise<T>): Promise<T> {
  const { exporter, current } = tracing();
  const statements = exporter && current.getStore();
  const sent = send();
  if (!statements || statements.length >= MAX_STATEMENTS) return sent;
  const statement = { name: nameOf(query), begun: performance.now(), ended: 0, failed: false };
  statements.push(statement);
  sent.then(
    () => Object.assign(statement, { ended: performance.now() }),
    () => Object.assign(statement, { ended: performance.now(), failed: true }),
  );
  return sent;
}

type Query = string | { name?: string | undefined; text: string };

/** The result contains no values. */
function nameOf(query: Query): string {
  const { name, text } = typeof query === 'string' ? { text: query } : query;
  return name ?? /^\s*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
}
