import { stripVTControlCharacters, types } from 'node:util';
import { workerCount } from '@/lib/platform/cluster';
import { env, SettingsError } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { loggableMessage } from '@/lib/platform/loggable';
import { StartError } from '@/lib/platform/postgres/start-error';

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error', trace: 'error' } as const;

/**
 * Redirects console output and runtime warnings to the log, which redacts them. Libraries could otherwise print whole
 * objects with customer data. Call this function before any other code runs.
 */
function redirectConsoleToLog(): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(console, { [method]: (...args: unknown[]) => logConsoleCall(level, args) });
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log().warn({ err: warning }, 'runtime warning'));
}

/** Logs the first line of its strings and its first error. Anything else may contain personal data. */
function logConsoleCall(level: (typeof LEVELS)[keyof typeof LEVELS], args: unknown[]): void {
  const texts = args.filter((arg): arg is string => typeof arg === 'string');
  const text = loggableMessage(stripVTControlCharacters(texts.join(' ')).split('\n', 1)[0] ?? '');
  const err = args.find((arg) => types.isNativeError(arg));
  log()[level]({ source: 'console', ...(err === undefined ? {} : { err }) }, text);
}

async function main(): Promise<void> {
  const production = process.env.NODE_ENV === 'production';
  // In production, console output becomes log lines. In development, it stays text.
  if (production) redirectConsoleToLog();
  const workers = production ? workerCount(env()) : 1;
  // The primary process serves no requests and does not need the modules of `./server/serve`.
  if (workers > 1) await (await import('./server/primary')).runPrimary(workers);
  else await (await import('./server/serve')).serve();
}

main().catch((error: unknown) => {
  process.stderr.write(`${sentence(error)}\n`);
  process.exit(1);
});

function sentence(error: unknown): string {
  if (error instanceof SettingsError || error instanceof StartError) return error.message;
  if (error instanceof Error && 'code' in error) {
    if (error.code === 'EADDRINUSE')
      return 'The port is in use. Stop the process that uses it, or set PORT to another port.';
    if (error.code === 'EACCES') return 'This user is not allowed to use the port. Set PORT to another port.';
  }
  return error instanceof Error ? (error.stack ?? error.message) : 'The server could not start.';
}
