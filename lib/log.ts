import pino, { type Logger } from 'pino';
import { singleton } from './singleton';

/** Names whose values never reach a log line, wherever they stand. */
const SECRET_NAMES = ['authorization', 'api_key', 'apiKey', 'password', 'passwordHash', 'secret', 'SECRET_KEY', 'DATABASE_URL', 'phone', 'customer', 'cookie', 'body'];

/** Returns the process's logger: JSON lines on standard error, without credentials, payloads or contacts. */
export function log(): Logger {
  return singleton('log', () =>
    pino(
      {
        level: process.env.LOG_LEVEL || 'warn',
        base: { pid: process.pid },
        redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      },
      pino.destination({ fd: 2, sync: false }),
    ),
  );
}
