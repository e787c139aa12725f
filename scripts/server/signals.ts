import { log, logWritten } from '@/lib/platform/log';

/** Milliseconds that `exit` waits for the log. */
const WRITE_LOG_WITHIN = 200;

/** `retire` ends a worker that is being replaced. */
export type StopKind = 'stop' | 'retire';

/**
 * Calls `stop` on the first signal or message that requests it, and then exits, after `exitWithin` milliseconds even if
 * something hangs. `stop` calls `enter` with the name of each step, for the log.
 */
export function stopOnSignals(
  exitWithin: number,
  stop: (kind: StopKind, enter: (step: string) => void) => Promise<void>,
): void {
  let stopping = false;
  const begin = (kind: StopKind) => {
    if (stopping) return;
    stopping = true;
    let current = kind as string;
    const cutOff = () => {
      log().warn({ step: current }, 'the shutdown took too long, so the process exits now');
      exit(0);
    };
    setTimeout(cutOff, exitWithin).unref();
    const enter = (step: string) => {
      current = step;
    };
    stop(kind, enter).then(
      () => exit(0),
      (error: unknown) => {
        log().error({ err: error }, 'the shutdown failed');
        exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('stop'));
  // Ctrl-C or a closed terminal sends these signals to the server and to its supervisor, if it has one. The server then
  // leaves the shutdown to the supervisor, which stops the server before the database.
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => process.connected || begin('stop'));
  process.on('message', (message) => {
    const kind = typeof message === 'object' && message !== null && 'type' in message ? message.type : null;
    if (kind === 'stop' || kind === 'retire') begin(kind);
  });
  process.on('disconnect', () => begin('stop'));
}

/** If nothing reads the log, `process.exit` would wait forever, so the process kills itself. */
function exit(code: number): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), WRITE_LOG_WITHIN);
  void logWritten().then(() => process.exit(code));
}
