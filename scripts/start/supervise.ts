import { isatty } from 'node:tty';
import { describeRefusal, EnvironmentError } from '@/lib/operations/environment/connection';
import { StartError } from '@/lib/platform/postgres/start-error';

/** The signals that stop a command. Ctrl-C or a service manager sends them. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const PARENT_POLL_MS = 500;

/** A run of a command. `signal` aborts when the command must stop. Afterward, its stop functions are called. */
export type Run = {
  signal: AbortSignal;
  /** Registers a stop function. Stop functions are called in reverse order of registration. */
  onStop: (stop: () => Promise<void>) => void;
  /** Calls all stop functions now instead of at the end of the run. */
  stopAll: () => Promise<void>;
};

/** Returns the message to print for an error: one sentence if the cause is known, otherwise the stack trace. */
function sentence(error: unknown): string {
  if (error instanceof Error && error.message.includes('No space left on device')) {
    return 'The disk is full: the database cannot be written.';
  }
  if (error instanceof StartError || error instanceof EnvironmentError) return error.message;
  const refusal = describeRefusal(error);
  if (refusal !== null) return refusal;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Calls `stop` on every signal in `SIGNALS`, when the terminal closes, and when the parent process ends. */
function listenForStop(stop: () => void): void {
  // A signal can arrive twice, from the terminal and from npm, so `stop` must allow repeated calls.
  for (const signal of SIGNALS) process.on(signal, stop);
  // A terminal sends SIGHUP when it closes. Without a terminal, SIGHUP asks a service to reload its configuration or to
  // reopen its log. This process has nothing to reload or reopen, so it ignores such a SIGHUP. Without a listener,
  // SIGHUP would end this process.
  const inTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.on('SIGHUP', () => inTerminal && stop());
  // Writing to a closed pipe (`npm start | head`) fails. Without a listener, the error would end this process before
  // the database is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // This process also stops when its parent process ends, because a SIGTERM to npm does not always arrive here. npm
  // forwards it to a shell, and not every shell forwards it to this process. Only `npm start` replaces the shell by
  // this process, with `exec`.
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) stop();
  };
  if (process.env.npm_lifecycle_event) setInterval(look, PARENT_POLL_MS).unref();
}

/**
 * Runs `main` until it returns, it throws, or a signal arrives. Then calls all stop functions and ends the process.
 * @param stopped the exit code after a signal
 */
export async function supervise(main: (run: Run) => Promise<number>, stopped: number): Promise<never> {
  const stops: (() => Promise<void>)[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const stopAll = async () => {
    const problems: unknown[] = [];
    // A stop function that fails must not prevent the other stop functions from running.
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop().catch((error) => problems.push(error));
    if (problems.length > 0) throw problems[0];
  };
  const ended = new Promise<number>((resolve) => {
    const fail = (error: unknown) => {
      if (!signal.aborted) console.error(sentence(error));
      resolve(1);
    };
    signal.addEventListener('abort', () => resolve(stopped), { once: true });
    listenForStop(() => controller.abort());
    process.on('uncaughtException', fail);
    process.on('unhandledRejection', fail);
    main({ signal, onStop: (stop) => stops.push(stop), stopAll }).then(resolve, fail);
  });
  let code = await ended;
  // If the database or a server is still starting, its start is aborted.
  controller.abort();
  await stopAll().catch((error: unknown) => {
    console.error(sentence(error));
    code = 1;
  });
  process.exit(code);
}
