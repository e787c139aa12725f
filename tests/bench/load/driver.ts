import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { OpenOrder, OpenReport } from './open';
import type { LoadOrder, LoadReport } from './order';

export type LoadDriver = {
  /**
   * Sends the requests of `order` and returns the results.
   * @throws Error if the run fails or a response has an unexpected status.
   */
  run: (order: LoadOrder) => Promise<LoadReport>;
  /** Sends the requests of `order` at a fixed rate and returns the results. @throws Error if the run fails. */
  runOpen: (order: OpenOrder) => Promise<OpenReport>;
  stop: () => Promise<void>;
};

type Message<Report> = { report?: Report; problem?: string };

/**
 * Starts a process that creates the load. The process has its own session (`detached`), because Linux shares processor
 * time equally between sessions (autogroup scheduling). In the server's session, the process would take processor time
 * from the server. Each PostgreSQL backend already has its own session.
 */
export function startLoad(): LoadDriver {
  const file = fileURLToPath(new URL('process.ts', import.meta.url));
  const child = fork(file, { execArgv: ['--import', 'tsx'], detached: true });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    run: async (order) => {
      const report = await send<LoadReport>(child, order);
      const [status, count] = Object.entries(report.unexpected)[0] ?? [];
      if (status)
        throw new Error(`${count} of ${report.requests} responses had status ${status} instead of ${order.status}.`);
      return report;
    },
    runOpen: (order) => send<OpenReport>(child, order),
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

function send<Report>(child: ChildProcess, order: LoadOrder | OpenOrder): Promise<Report> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The load process exited.'));
    child.once('exit', onExit);
    child.once('message', ({ report, problem }: Message<Report>) => {
      child.off('exit', onExit);
      if (report) resolve(report);
      else reject(new Error(problem ?? 'The load process returned no report.'));
    });
    child.send(order);
  });
}
