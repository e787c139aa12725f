import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** How long servers and databases that tests started may take to stop by themselves. */
const PATIENCE_MS = 20_000;
const POLL_MS = 50;

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    return false;
  }
}

async function endGroup(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && signalGroup(pid, 0); ) await delay(POLL_MS);
  signalGroup(pid, 'SIGKILL');
}

/**
 * Runs a Node program, its output shown, and waits until every process that it started in its group has ended. It has
 * a group of its own, so that nothing a crashed runner leaves behind outlives the test run.
 * @returns its exit code; null when a signal ended it
 */
export async function runGroup(args: string[], env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<number | null> {
  signal.throwIfAborted();
  const child = spawn(process.execPath, args, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const pid = child.pid;
  const stop = () => pid && endGroup(pid);
  signal.addEventListener('abort', stop, { once: true });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  signal.removeEventListener('abort', stop);
  if (pid) await endGroup(pid);
  return code;
}
