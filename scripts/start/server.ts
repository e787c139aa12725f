import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '@/lib/platform/postgres/start-error';

/**
 * When a server is stopped, it first keeps serving for `notice` milliseconds (see `Options`). It then has this number
 * of milliseconds to exit before it is killed.
 */
const DRAIN_MS = 10_000;

const readyMessage = z.object({ type: z.literal('ready'), port: z.number().int().positive() });

/** A running server. `exited` resolves with a text that states its exit code or signal. */
export type Server = {
  port: number;
  pid: number;
  exited: Promise<string>;
  /** Replaces the server's workers, one at a time. */
  restart: () => void;
  stop: () => Promise<void>;
};

/**
 * A start's parameters: the root directory, the bundled server file, the server's environment, and the signal that
 * aborts the start. `notice` is the number of milliseconds for which the server keeps serving after SIGTERM.
 */
type Options = { root: string; file: string; env: NodeJS.ProcessEnv; signal: AbortSignal; notice: number };

/**
 * Makes glibc return freed memory to the operating system. Without this value, glibc would keep about 70 MiB of freed
 * memory after V8 has freed the large buffers of its compiler. Other C libraries ignore the variable.
 */
const MALLOC = { MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Starts the server as a child process, and waits until the server sends `{type: 'ready', port}` over the IPC channel.
 * The server drains and exits on SIGTERM. It does the same when the IPC channel closes, for example because this
 * process was killed. It ignores SIGINT. When Ctrl-C in a terminal sends SIGINT to both processes, this process stops
 * the server.
 * @throws StartError if the server exits before it listens
 */
export async function startServer({ root, file, env, signal, notice }: Options): Promise<Server> {
  // With the first option, V8's young generation has its full size from the start. Otherwise, it would start smaller
  // and be collected far more often. With the second option, V8 collects all garbage when the heap has grown by half
  // since the last such collection. Without this option, the heap would quadruple under load.
  const options = ['--min-semi-space-size=16', '--heap-growing-percent=50'];
  const child = spawn(process.execPath, [...options, file], {
    cwd: root,
    env: { ...MALLOC, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, ended) => resolve(ended ? `signal ${ended}` : `exit code ${code}`));
  });
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    const patience = new AbortController();
    const drained = exited.then(() => true);
    const late = delay(notice + DRAIN_MS, false, { signal: patience.signal }).catch(() => false);
    if (!(await Promise.race([drained, late]))) child.kill('SIGKILL');
    patience.abort();
    await exited;
  };
  const listening = new Promise<number>((resolve) => {
    child.on('message', (message) => {
      const parsed = readyMessage.safeParse(message);
      if (parsed.success) resolve(parsed.data.port);
    });
  });
  let abort = () => {};
  const aborted = new Promise<null>((resolve) => {
    abort = () => resolve(null);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
  });
  const first = await Promise.race([listening, exited, aborted]);
  // One run can start many servers with the same signal, so the listener is removed. Otherwise, the listeners would
  // accumulate.
  signal.removeEventListener('abort', abort);
  const restart = () => void child.kill('SIGUSR2');
  if (typeof first === 'number') return { port: first, pid: child.pid ?? 0, exited, restart, stop };
  await stop();
  signal.throwIfAborted();
  throw new StartError(`The server did not start (${first}).`);
}
