import pino, { type Logger } from 'pino';
import { loggableError } from './loggable';
import { singleton } from './singleton';

/** Names of properties whose values are redacted at the top level of a log entry and up to two levels below it. */
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
  'METRICS_TOKEN',
  'DATABASE_URL',
  'phone',
  'email',
  'customer',
  'cookie',
  'body',
  'payload',
];

/**
 * Patterns of secrets and personal data. Every match in a log entry is replaced, because such data may also be in
 * properties that `SECRET_NAMES` does not list.
 */
const PATTERNS: [RegExp, string][] = [
  [/pbk_[a-z]+_\w+/gi, '[key]'],
  [/whsec_[\w+/=-]+/gi, '[secret]'],
  [/(postgres(?:ql)?:\/\/)[^\s"]*@/gi, '$1[credentials]@'],
  [/\bbearer [^\s"\\]+/gi, 'Bearer [token]'],
  [/\/(setup|invite)\/[\w-]+/g, '/$1/[token]'],
  [/[^\s"'\\@<>()/:;,=]+@[^\s"'\\@<>()/:;,=]+\.[a-z]{2,}/gi, '[email]'],
  [/\+\d[\d ()./-]{5,}\d/g, '[phone]'],
];

function withoutSecrets(line: string): string {
  return PATTERNS.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** Returns the process's logger. It writes JSON lines to standard error, without credentials, payloads, or contacts. */
export function log(): Logger {
  return singleton('log', () =>
    pino(
      {
        level: process.env.LOG_LEVEL || 'warn',
        base: { pid: process.pid },
        serializers: { err: (error: unknown) => loggableError(error), error: (error: unknown) => loggableError(error) },
        redact: { paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
        hooks: { streamWrite: withoutSecrets },
      },
      pino.destination({ fd: 2, sync: false }),
    ),
  );
}
