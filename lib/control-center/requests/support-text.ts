type Facts = {
  environment: 'TEST' | 'LIVE';
  /** Of this deployment. */
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
 * Returns what a support request states: environment, endpoint, UTC time, status and request id (contract A). The
 * endpoint is the route's pattern: a path may hold what a partner put there by mistake, this text is sent around.
 */
export function supportText(facts: Facts): string {
  const { environment, origin, at, method, route, status, code, reason, request_id } = facts;
  const refusal = [code, reason && `(${reason})`].filter(Boolean).join(' ');
  return [
    `Environment: ${environment}`,
    `Endpoint: ${method} ${origin}${route ?? ' (unknown route)'}`,
    `UTC time: ${at.toISOString()}`,
    `Status: ${[status, refusal].filter(Boolean).join(' ')}`,
    `X-Request-Id: ${request_id}`,
  ].join('\n');
}
