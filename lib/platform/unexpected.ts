import { AppError } from '@/lib/contract/errors/app-error';
import { log } from './log';

/**
 * Returns an AppError unchanged. Logs any other error and returns a 503 with a fixed message, so that no exception text
 * reaches a client (contract B3).
 */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  log().error({ err: error, request_id: requestId }, 'unexpected failure');
  return new AppError('service_unavailable', { cause: error });
}
