import { stripVTControlCharacters, types } from 'node:util';
import { log } from './log';
import { loggableMessage } from './loggable';

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error', trace: 'error' } as const;

/**
 * Makes everything that this process says a line of the log: what libraries print to the console (whole objects, with
 * all the data they hold; Next also errors that nobody caught), and warnings of the runtime. Call it before anything
 * else runs.
 */
export function logEverything(): void {
  for (const [method, level] of Object.entries(LEVELS)) {
    Object.assign(console, { [method]: (...said: unknown[]) => logSaid(level, said) });
  }
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log().warn({ err: warning }, 'a warning of the runtime'));
}

/** Of what is said only texts and errors are told, and of those only what a log may say. */
function logSaid(level: (typeof LEVELS)[keyof typeof LEVELS], said: unknown[]): void {
  const texts = said.filter((one): one is string => typeof one === 'string');
  const text = loggableMessage(stripVTControlCharacters(texts.join(' ')).split('\n', 1)[0] ?? '');
  const err = said.find((one) => types.isNativeError(one));
  log()[level]({ source: 'console', ...(err === undefined ? {} : { err }) }, text);
}
