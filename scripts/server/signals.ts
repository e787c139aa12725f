import { log } from '@/lib/platform/log';

/** `stop` ends the whole server. `retire` ends a worker that another worker has replaced. */
export type StopKind = 'stop' | 'retire';

/**
 * Calls `stop` on the first signal or message to stop, and exits when it has finished. Later signals are ignored.
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
  // Ctrl-C and closing the terminal send a signal to the whole process group. A supervised server ignores it, because
  // its supervisor stops the server first and then the database.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || begin('stop'));
  process.on('message', (message) => {
    const kind = typeof message === 'object' && message !== null && 'type' in message ? message.type : null;
    if (kind === 'stop' || kind === 'retire') begin(kind);
  });
  process.on('disconnect', () => begin('stop'));
}
