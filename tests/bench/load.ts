import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export type LoadRequest = { path: string; headers: Record<string, string>; method?: 'GET' | 'POST'; body?: string };

export type LoadOrder = {
  port: number;
  /** Each connection takes the next request from the list. After the last request, the list is repeated. */
  requests: LoadRequest[];
  /** Number of connections. Each has one request in flight. */
  connections: number;
  /** The expected status of the responses. */
  status: number;
} & ({ seconds: number } | { count: number } | FixedRate);

/**
 * `rate` requests per second, however long the responses take. Without a rate, each connection sends its next request
 * after the response. The requests of the first `warmUp` seconds do not count.
 */
export type FixedRate = { rate: number; warmUp: number; seconds: number };

/** `p50` and `p99` are quantiles of the latency in milliseconds. */
export type LoadReport = {
  /** Number of responses with the expected status. */
  requests: number;
  seconds: number;
  p50: number;
  p99: number;
  /** Number of responses by any other status. A request without a response has the status 0. */
  others: Record<string, number>;
};

export type LoadDriver = {
  /**
   * Sends the requests of `order` and returns the results.
   * @throws Error if the run fails, or if a status is neither the expected one nor 503
   */
  run: (order: LoadOrder) => Promise<LoadReport>;
  stop: () => Promise<void>;
};

/**
 * Starts a process that creates the load. The process has its own session (`detached`), because Linux shares processor
 * time equally between sessions (autogroup scheduling). In the server's session, the process would take processor time
 * from the server. Each PostgreSQL backend already has its own session.
 */
export function startLoad(): LoadDriver {
  const file = fileURLToPath(new URL('load-process.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'], detached: true });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const run = (order: LoadOrder) =>
    new Promise<LoadReport>((resolve, reject) => {
      const onExit = () => reject(new Error('The load process exited.'));
      child.once('exit', onExit);
      child.once('message', ({ report, problem }: { report?: LoadReport; problem?: string }) => {
        child.off('exit', onExit);
        const unexpected = Object.keys(report?.others ?? {}).find((status) => status !== '503');
        if (unexpected) reject(new Error(`A response had status ${unexpected} instead of ${order.status}.`));
        else if (report) resolve(report);
        else reject(new Error(problem ?? 'The load process returned no report.'));
      });
      child.send(order);
    });
  const stop = async () => {
    if (child.connected) child.disconnect();
    await exited;
  };
  return { run, stop };
}
