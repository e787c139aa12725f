/**
 * `GET /api/health/live`: liveness, always 200. A supervisor restarts the process if there is no response. The database
 * does not matter, because a restart would not help.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
