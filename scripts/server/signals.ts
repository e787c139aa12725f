import { log } from '@/lib/platform/log';

/** `stop` ends the whole server. `retire` ends a worker that another worker has replaced. */
export type StopKind = 'stop' | 'retire';

/**
 * Calls `stop` on the first signal or message that requests a stop, and exits the process when `stop` has finished.
 * Ignores later signals and messages.
 * @param exitWithin milliseconds after which the process exits even if something hangs
 */
export function stopOnSignals(exitWithin: number, stop: (kind: StopKind) => Promise<void>): void {
  let stopping = false;
  const begin = (kind: StopKind) => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(0), exitWithin).unref();
    stop(kind).then(
      () => process.exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('stop'));
  // Ctrl-C or a closed terminal sends these signals to the whole process group. A server with a supervisor ignores
  // them, because the supervisor stops the server first and then the database.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || begin('stop'));
  process.on('message', (message) => {
    const kind = typeof message === 'object' && message !== null && 'type' in message ? message.type : null;
    if (kind === 'stop' || kind === 'retire') begin(kind);
  });
  process.on('disconnect', () => begin('stop'));
}
