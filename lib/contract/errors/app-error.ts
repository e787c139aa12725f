import type { InvalidField } from './body';
import { ERROR_CODES, type ErrorCode } from './codes';
import { type ErrorReason, REASONS, type ReasonOf } from './reasons';

type Details = {
  reason?: ErrorReason | null;
  fields?: InvalidField[];
  message?: string;
  cause?: unknown;
  /** Seconds for the Retry-After header of a 429 or 503. */
  retryAfter?: number;
  /** Methods for the Allow header; makes the status 405 (contract B2). */
  allow?: readonly string[];
};

/**
 * The error that the domain throws and that REST and tRPC map to a response (contract B3). The message must be fixed
 * text: it must not contain anything from the request.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: ErrorReason | null;
  readonly fields: InvalidField[];
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    // A refusal is an expected result. Its stack is never shown and would cost more than the rest of a 429.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(details.message ?? ERROR_CODES[code].message, { cause: details.cause });
    Error.stackTraceLimit = limit;
    this.name = 'AppError';
    this.code = code;
    this.reason = details.reason ?? null;
    this.fields = details.fields ?? [];
    this.retryAfter = details.retryAfter;
    this.allow = details.allow;
  }

  /** The HTTP status of this error. */
  get status(): number {
    return this.allow ? 405 : ERROR_CODES[this.code].status;
  }
}

/** Returns a 400 that names one field (contract B3). */
export function invalidField(path: string, message: string): AppError {
  return invalid({ path, message });
}

/** Returns the 400 of a reason, which names the reason's field (contract B3). */
export function invalidBecause(reason: ReasonOf<'invalid_request'>): AppError {
  return invalid(REASONS[reason].field, reason);
}

function invalid(field: InvalidField, reason?: ErrorReason): AppError {
  return new AppError('invalid_request', { reason, fields: [field], message: 'One field is invalid.' });
}

/** Returns the 404, which is the same for a missing record and for one of another tenant (contract B3). */
export function notFound(): AppError {
  return new AppError('not_found');
}
