import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadReport } from './order';

/** The load process, as the measuring one sees it. */
export type LoadDriver = {
  /**
   * Runs one order to its end.
   * @throws Error when it could not be carried out, or an answer had another status than the one ordered.
   */
  run: (order: LoadOrder) => Promise<LoadReport>;
  stop: () => Promise<void>;
};

type Answer = { report?: LoadReport; problem?: string };

/** Starts the process that makes the load, so that it takes no time from the one that is measured. */
export function startLoad(): LoadDriver {
  const child = fork(fileURLToPath(new URL('process.ts', import.meta.url)), { execArgv: ['--import', 'tsx'] });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    run: async (order) => {
      const report = await ask(child, order);
      const [status, times] = Object.entries(report.unexpected)[0] ?? [];
      if (status)
        throw new Error(`${times} of ${report.requests} answers had status ${status} instead of ${order.status}.`);
      return report;
    },
    stop: async () => {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

function ask(child: ChildProcess, order: LoadOrder): Promise<LoadReport> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The load process ended.'));
    child.once('exit', onExit);
    child.once('message', ({ report, problem }: Answer) => {
      child.off('exit', onExit);
      if (report) resolve(report);
      else reject(new Error(problem ?? 'The load process gave no report.'));
    });
    child.send(order);
  });
}
