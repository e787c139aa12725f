import { stripVTControlCharacters, types } from 'node:util';
import { log } from './log';
import { loggableMessage } from './loggable';

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error', trace: 'error' } as const;

/**
 * Redirects console output and runtime warnings to the log, which redacts them. Libraries could otherwise print whole
 * objects with customer data. Call this function before any other code runs.
 */
export function redirectConsoleToLog(): void {
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
