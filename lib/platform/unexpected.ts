import { AppError } from '@/lib/contract/errors/app-error';
import { log } from './log';
import { NO_TURN } from './tenant-scope';

/**
 * lock_not_available, query_canceled, Prisma's code for a transaction that could not begin or took too long, and a busy
 * tenant. The pool reports its timeouts only as a message.
 */
const LATE_CODES = new Set(['55P03', '57014', 'P2028', NO_TURN]);
const LATE_MESSAGE = /^(?:timeout exceeded when trying to connect|Query read timeout)$/;

const MAX_CAUSES = 5;

function lateness(error: unknown): string | null {
  let current: unknown = error;
  for (let depth = 0; depth < MAX_CAUSES && typeof current === 'object' && current !== null; depth += 1) {
    for (const name of ['code', 'originalCode']) {
      const code: unknown = Reflect.get(current, name);
      if (typeof code === 'string' && LATE_CODES.has(code)) return code;
    }
    const message: unknown = Reflect.get(current, 'message');
    if (typeof message === 'string' && LATE_MESSAGE.test(message)) return message;
    const meta: unknown = Reflect.get(current, 'meta');
    // Prisma keeps the error of the driver in its metadata.
    current =
      typeof meta === 'object' && meta !== null && 'driverAdapterError' in meta
        ? meta.driverAdapterError
        : Reflect.get(current, 'cause');
  }
  return null;
}

/**
 * Returns an AppError unchanged. Logs any other error and returns a 503 without its text (contract B3), or `tooLate`
 * for a late call of the database. Overloads cause many of those, so their log lines have no stack.
 */
export function toAppError(
  error: unknown,
  requestId: string,
  tooLate = (cause: unknown) => new AppError('service_unavailable', { cause }),
): AppError {
  if (error instanceof AppError) return error;
  const late = lateness(error);
  if (late !== null) {
    log().warn({ why: late, request_id: requestId }, 'the database was too busy for a call');
    return tooLate(error);
  }
  log().error({ err: error, request_id: requestId }, 'unexpected failure');
  return new AppError('service_unavailable', { cause: error });
}
