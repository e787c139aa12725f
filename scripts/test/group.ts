import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds after SIGTERM. */
const STOP_WITHIN_MS = 20_000;
const POLL_MS = 50;
/** Milliseconds. The output does not end while a process in another group keeps the pipe open. */
const OUTPUT_WITHIN_MS = 2_000;

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  for (const end = Date.now() + STOP_WITHIN_MS; Date.now() < end && signalGroup(pid, 0); ) await delay(POLL_MS);
  signalGroup(pid, 'SIGKILL');
}

type Options = { env: NodeJS.ProcessEnv; signal: AbortSignal; write: (text: string) => void };

/**
 * Runs a Node program in a new process group, and then ends every other process in it, such as servers of a crashed
 * test runner. Returns the exit code, or null after a signal.
 */
export async function runGroup(args: string[], { env, signal, write }: Options): Promise<number | null> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', write);
  const pid = child.pid;
  const closed = new Promise((resolve) => child.once('close', resolve));
  const stop = () => pid && endGroup(pid);
  signal.addEventListener('abort', stop, { once: true });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  signal.removeEventListener('abort', stop);
  if (pid) await endGroup(pid);
  await Promise.race([closed, delay(OUTPUT_WITHIN_MS, undefined, { ref: false })]);
  return code;
}
