import { log } from '@/lib/platform/log';

/** `retire`: another worker has taken over, so that the server as a whole does not stop. */
export type StopKind = 'stop' | 'retire';

/**
 * Calls `stop` once, on the first signal or message to stop, and exits.
 * @param exitWithin milliseconds after which the process exits even if something hangs.
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
  // Ctrl-C or closing the terminal signals the whole process group. A supervised server ignores that signal: its
  // supervisor stops the server first, then the database.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || begin('stop'));
  process.on('message', (message) => {
    const kind = typeof message === 'object' && message !== null && 'type' in message ? message.type : null;
    if (kind === 'stop' || kind === 'retire') begin(kind);
  });
  process.on('disconnect', () => begin('stop'));
}
