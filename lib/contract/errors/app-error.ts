import { ERROR_CODES, type ErrorCode, type ErrorReason } from './codes';

/** One invalid field: a path in the request and what is expected there, never the value that was sent. */
export type InvalidField = { path: string; message: string };

type Details = {
  reason?: ErrorReason | null;
  fields?: InvalidField[];
  message?: string;
  cause?: unknown;
  /** Seconds until a retry makes sense; for 429 and 503. */
  retryAfter?: number;
  /** Methods for the Allow header; makes the status 405 (contract B2). */
  allow?: readonly string[];
};

/**
 * The one error that the domain throws and the edges map (contract B3). Its message is fixed text from the table:
 * nothing a caller sent may enter it.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly reason: ErrorReason | null;
  readonly fields: InvalidField[];
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;

  constructor(code: ErrorCode, details: Details = {}) {
    super(details.message ?? ERROR_CODES[code].message, { cause: details.cause });
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
export function invalidField(path: string, message: string, reason?: ErrorReason): AppError {
  return new AppError('invalid_request', { reason, fields: [{ path, message }], message: 'One field is invalid.' });
}

/** Returns the 404 that is the same for everything that is not the caller's (contract B3). */
export function notFound(): AppError {
  return new AppError('not_found');
}
