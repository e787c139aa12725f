import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { StartError } from '@/lib/platform/postgres/start-error';
import { SERVER_FILE } from './build';

/** How long a server may drain, after its notice, before it is ended. */
const DRAIN_MS = 10_000;

const readyMessage = z.object({ type: z.literal('ready'), port: z.number().int().positive() });

/** A running server; `exited` resolves with how it ended. */
export type Server = { port: number; pid: number; exited: Promise<string>; stop: () => Promise<void> };

/**
 * Starts the server as a child process and waits until it listens. What we expect of it: it sends
 * `{type: 'ready', port}` over the channel, drains and exits on SIGTERM, leaves SIGINT to us (Ctrl-C in a terminal
 * reaches it too), and exits by itself when the channel closes, which happens when this process is killed.
 * @param notice milliseconds that it goes on answering after SIGTERM
 * @throws StartError when it ends instead
 */
export async function startServer(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal,
  notice = 0,
): Promise<Server> {
  // The young generation has its full size from the beginning: it would grow to it anyway, request by request, and a
  // small one is collected far more often.
  const child = spawn(process.execPath, ['--min-semi-space-size=16', SERVER_FILE], {
    cwd: root,
    env,
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
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const first = await Promise.race([listening, exited, aborted]);
  if (typeof first === 'number') return { port: first, pid: child.pid ?? 0, exited, stop };
  await stop();
  signal.throwIfAborted();
  throw new StartError(`The server did not start (${first}).`);
}
