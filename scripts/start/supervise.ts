import { EnvironmentError } from '@/lib/operations/environment/connection';
import { StartError } from '@/lib/platform/postgres/start-error';

/** What ends a run from outside: Ctrl-C, a service manager, a closed terminal. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const PARENT_POLL_MS = 500;

/** Everything a run has started, and the one signal that it must stop. */
export type Run = {
  signal: AbortSignal;
  /** Registers how to stop something; the last one registered is stopped first. */
  onStop: (stop: () => Promise<void>) => void;
  /** Stops everything that is registered; done anyway when the run ends. */
  stopAll: () => Promise<void>;
};

/** What the person sees of an error: one sentence where we know the cause, everything where we do not. */
function sentence(error: unknown): string {
  if (error instanceof Error && error.message.includes('No space left on device')) {
    return 'The disk is full: the database cannot be written.';
  }
  if (error instanceof StartError || error instanceof EnvironmentError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** Calls `stop` whenever somebody wants us gone. */
function listenForStop(stop: () => void): void {
  // Signals come twice when npm passes on what the terminal sent already: any further one changes nothing.
  for (const signal of SIGNALS) process.on(signal, stop);
  // A closed pipe (`npm start | head`) must not leave a database behind.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  // npm passes SIGTERM to the shell it started us with, and not every shell passes it on.
  const parent = process.ppid;
  const look = () => {
    if (process.ppid !== parent) stop();
  };
  if (process.env.npm_lifecycle_event) setInterval(look, PARENT_POLL_MS).unref();
}

/**
 * Runs `main` and then stops whatever it started, however it ended: by itself, by an error, or by Ctrl-C, SIGTERM or
 * SIGHUP. Ends the process.
 * @param stopped the exit code after a stop on request
 */
export async function supervise(main: (run: Run) => Promise<number>, stopped: number): Promise<never> {
  const stops: (() => Promise<void>)[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const stopAll = async () => {
    const problems: unknown[] = [];
    // One that cannot be stopped must not keep the others running.
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
  // What is still starting must not go on while the rest is being stopped.
  controller.abort();
  await stopAll().catch((error: unknown) => {
    console.error(sentence(error));
    code = 1;
  });
  process.exit(code);
}
