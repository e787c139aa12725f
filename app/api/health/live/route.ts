/**
 * `GET /api/health/live`: liveness. Always responds with 200. A supervisor restarts the process if there is no
 * response. The check ignores the database, because a restart does not help if only the database is unavailable.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
