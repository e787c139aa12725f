import type { AppError } from '@/lib/contract/errors/app-error';
import type { FinishedRequest } from '@/lib/platform/tracing/tracing';
import { type Call, headerOf } from './call';

/** Returns the span of a finished call. Like the log entry, it contains no bodies, contacts, or credentials. */
export function spanOf(call: Call, status: number, error: AppError | null): FinishedRequest {
  const method = call.method === 'GET' || call.method === 'POST' ? call.method : '_OTHER';
  return {
    name: call.route ? `${method} ${call.route}` : method,
    begun: call.begun,
    traceparent: headerOf(call, 'traceparent'),
    failed: status >= 500,
    attributes: {
      'http.request.method': method,
      'http.response.status_code': status,
      'booking.request_id': call.requestId,
      ...(call.route && { 'http.route': call.route }),
      ...(call.policy && { 'booking.application_id': call.policy.applicationId }),
      ...(error && { 'error.type': error.code }),
      ...(error?.reason && { 'booking.reason': error.reason }),
    },
  };
}
