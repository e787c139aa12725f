import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '@/lib/platform/postgres/start-error';

/** Milliseconds to exit after `notice`, before the server is killed. */
const DRAIN_MS = 10_000;

const readyMessage = z.object({ type: z.literal('ready'), port: z.number().int().positive() });

/** `exited` resolves with its exit code or signal. */
export type Server = {
  port: number;
  pid: number;
  exited: Promise<string>;
  /** One at a time. */
  restart: () => void;
  stop: () => Promise<void>;
};

/** `notice`: milliseconds for which the server keeps serving after SIGTERM. */
type Options = { root: string; file: string; env: NodeJS.ProcessEnv; signal: AbortSignal; notice: number };

/** Otherwise, glibc would keep about 70 MiB after V8 has freed the buffers of its compiler. Other C libraries ignore it. */
const MALLOC = { MALLOC_TRIM_THRESHOLD_: '131072' };

/**
 * Starts the server as a child process, and waits for its `{type: 'ready', port}`. It drains and exits on SIGTERM, and
 * when the IPC channel closes, for example because this process was killed. On Ctrl-C, this process stops it.
 * @throws StartError if the server exits before it listens
 */
export async function startServer({ root, file, env, signal, notice }: Options): Promise<Server> {
  // V8's young generation has its full size from the start, or it would be collected far more often. All garbage is
  // collected when the heap has grown by half, or the heap would quadruple under load.
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
  // One run can start many servers with the same signal, so the listeners would accumulate.
  signal.removeEventListener('abort', abort);
  const restart = () => void child.kill('SIGUSR2');
  if (typeof first === 'number') return { port: first, pid: child.pid ?? 0, exited, restart, stop };
  await stop();
  signal.throwIfAborted();
  throw new StartError(`The server did not start (${first}).`);
}
