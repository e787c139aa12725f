import { isatty } from 'node:tty';
import { describeRefusal, EnvironmentError } from '@/lib/operations/environment/connection';
import { StartError } from '@/lib/platform/postgres/start-error';

/** Ctrl-C or a service manager sends these signals. */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
const PARENT_POLL_MS = 500;

/** `signal` aborts when the command must stop. Afterward, its stop functions are called. */
export type Run = {
  signal: AbortSignal;
  /** They are called in reverse order. */
  onStop: (stop: () => Promise<void>) => void;
  /** Now instead of at the end of the run. */
  stopAll: () => Promise<void>;
};

function sentence(error: unknown): string {
  if (error instanceof Error && error.message.includes('No space left on device')) {
    return 'The disk is full: the database cannot be written.';
  }
  if (error instanceof StartError || error instanceof EnvironmentError) return error.message;
  const refusal = describeRefusal(error);
  if (refusal !== null) return refusal;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Every signal in `SIGNALS`, a closed terminal, and the end of the parent process. */
function listenForStop(stop: () => void): void {
  // A signal can arrive twice, from the terminal and from npm, so `stop` must allow repeated calls.
  for (const signal of SIGNALS) process.on(signal, stop);
  // A closed terminal sends SIGHUP. Without a terminal, it asks a service to reload its configuration or log, which
  // this process does not have. Without a listener, it would end this process.
  const inTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.on('SIGHUP', () => inTerminal && stop());
  // Writing to a closed pipe (`npm start | head`) would end this process before the database is stopped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // A SIGTERM to npm does not always arrive here, because not every shell forwards it.
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) stop();
  };
  if (process.env.npm_lifecycle_event) setInterval(look, PARENT_POLL_MS).unref();
}

/**
 * Runs `main` until it ends or a signal arrives, calls all stop functions, and ends the process. `stopped` is the exit
 * code after a signal.
 */
export async function supervise(main: (run: Run) => Promise<number>, stopped: number): Promise<never> {
  const stops: (() => Promise<void>)[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const stopAll = async () => {
    const problems: unknown[] = [];
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
  // The database or a server may still be starting.
  controller.abort();
  await stopAll().catch((error: unknown) => {
    console.error(sentence(error));
    code = 1;
  });
  process.exit(code);
}
