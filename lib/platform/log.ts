import pino, { type Logger } from 'pino';
import { loggableError } from './loggable';
import { withoutSecrets } from './redact';
import { singleton } from './singleton';

/** Redacted at the top level of a log entry and up to two levels below it. */
const SECRET_NAMES = [
  'authorization',
  'api_key',
  'apiKey',
  'password',
  'passwordHash',
  'secret',
  'secrets',
  'token',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'phone',
  'email',
  'customer',
  'metadata',
  'note',
  'cookie',
  'body',
  'payload',
];

const OPTIONS = {
  base: { pid: process.pid },
  serializers: { err: (error: unknown) => loggableError(error), error: (error: unknown) => loggableError(error) },
  redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
};

/** Characters that may wait, for example while nothing reads standard error. Above, lines are dropped. */
const MAX_UNWRITTEN = 16 * 1024 * 1024;

type Output = { logger: Logger; written: () => Promise<void> };

function output(): Output {
  return singleton('log', () => {
    const stream = pino.destination({ fd: 2, sync: false, maxLength: MAX_UNWRITTEN });
    let state: 'written' | 'writing' | 'broken' = 'written';
    stream.on('drain', () => {
      state = 'written';
    });
    // Without this listener, a write error, such as a full disk or a closed pipe, would end the process.
    stream.on('error', () => {
      state = 'broken';
    });
    const streamWrite = (line: string) => {
      if (state === 'written') state = 'writing';
      return withoutSecrets(line);
    };
    const written = () =>
      new Promise<void>((resolve) => {
        if (state === 'writing') stream.once('drain', resolve).once('error', () => resolve());
        else resolve();
      });
    return {
      logger: pino({ ...OPTIONS, level: process.env.LOG_LEVEL || 'warn', hooks: { streamWrite } }, stream),
      written,
    };
  });
}

/** Returns the logger: JSON lines on standard error, without credentials, payloads, or contacts. */
export function log(): Logger {
  return output().logger;
}

/** Resolves when all log lines are written or failed. Never resolves if standard error is a full, unread pipe. */
export function logWritten(): Promise<void> {
  return output().written();
}
