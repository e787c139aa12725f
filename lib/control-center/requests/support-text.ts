type LoggedRequest = {
  environment: 'TEST' | 'LIVE';
  /** The origin of this deployment, such as `https://example.com`. */
  origin: string;
  at: Date;
  method: string;
  route: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  request_id: string;
};

/**
 * Returns the text for a support request: environment, method and route, UTC time, status, and request id (contract A).
 * Users share this text. It contains the pattern of the route instead of the path, because a path may contain personal
 * data or credentials.
 */
export function supportText(request: LoggedRequest): string {
  const { environment, origin, at, method, route, status, code, reason, request_id } = request;
  const refusal = [code, reason && `(${reason})`].filter(Boolean).join(' ');
  return [
    `Environment: ${environment}`,
    `Method and URL: ${method} ${origin}${route ?? ' (unknown route)'}`,
    `UTC time: ${at.toISOString()}`,
    `Status: ${[status, refusal].filter(Boolean).join(' ')}`,
    `X-Request-Id: ${request_id}`,
  ].join('\n');
}
