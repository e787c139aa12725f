import type { InvalidField } from './body';
import { ERROR_CODES, type ErrorCode } from './codes';
import { type ErrorReason, messageOf, REASONS, type ReasonOf } from './reasons';

type Details = {
  reason?: ErrorReason | null;
  fields?: InvalidField[];
  message?: string;
  cause?: unknown;
  /** Seconds for the Retry-After header. */
  retryAfter?: number;
  /** Methods for the `Allow` header of a 405 (contract B2). */
  allow?: readonly string[];
};

/**
 * The error that domain code throws. REST and tRPC map it to a response (contract B3). The message must be fixed and
 * contain nothing from the request.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: ErrorReason | null;
  readonly fields: InvalidField[];
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    // The constructor records no stack trace. The stack trace of a refusal is never shown, and recording it would
    // take longer than all other work for a 429.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    const ofReason = details.reason ? messageOf(details.reason) : null;
    super(details.message ?? ofReason ?? ERROR_CODES[code].message, { cause: details.cause });
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

/** Returns a 400 error that names one field (contract B3). */
export function invalidField(path: string, message: string): AppError {
  return invalid({ path, message });
}

/**
 * Returns a 400 error with a reason (contract B3). By default, it names the field that `REASONS` states.
 * @param path another field that the reason is about
 */
export function invalidBecause(reason: ReasonOf<'invalid_request'>, path?: string): AppError {
  const { field } = REASONS[reason];
  return invalid(path === undefined ? field : { ...field, path }, reason);
}

function invalid(field: InvalidField, reason?: ErrorReason): AppError {
  return new AppError('invalid_request', { reason, fields: [field], message: 'One field is invalid.' });
}

/**
 * Returns a 404 error. It is the same for missing records and for records of another tenant (contract B3). `field` is
 * the name of the field, parameter, or variable of the path with the id.
 */
export function notFound(field?: string): AppError {
  if (field === undefined) return new AppError('not_found');
  const message = `No such record for this application: ${field} is not known.`;
  return new AppError('not_found', { fields: [{ path: field, message: 'is not known' }], message });
}
