import pino, { type Logger } from 'pino';
import { singleton } from './singleton';

/** Names whose values never reach a log line, wherever they stand. */
const SECRET_NAMES = [
  'authorization',
  'api_key',
  'apiKey',
  'password',
  'passwordHash',
  'secret',
  'SECRET_KEY',
  'DATABASE_URL',
  'phone',
  'customer',
  'cookie',
  'body',
];

/** What an error tells beside its message and must not: `detail` and `where` quote rows, `client` is a connection. */
const UNTOLD = ['client', 'detail', 'where', 'internalQuery', 'meta', 'parameters', 'query'];

function loggableError(error: Error): Record<string, unknown> {
  const { cause } = error;
  const told = Object.fromEntries(Object.entries(error).filter(([name]) => !UNTOLD.includes(name) && name !== 'cause'));
  return {
    ...told,
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(cause instanceof Error ? { cause: loggableError(cause) } : {}),
  };
}

/** Returns the process's logger: JSON lines on standard error, without credentials, payloads or contacts. */
export function log(): Logger {
  return singleton('log', () =>
    pino(
      {
        level: process.env.LOG_LEVEL || 'warn',
        base: { pid: process.pid },
        serializers: { err: loggableError },
        redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      },
      pino.destination({ fd: 2, sync: false }),
    ),
  );
}
