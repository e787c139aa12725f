import { AppError } from '@/lib/contract/errors/app-error';
import { log } from './log';

/**
 * Returns the error to answer with: an AppError as it is; anything else is logged in full and becomes a 503 with a
 * fixed message, so that no exception text reaches a caller (contract B3).
 */
export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  log().error({ err: error, request_id: requestId }, 'unexpected failure');
  return new AppError('service_unavailable', { cause: error });
}
