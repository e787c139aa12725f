/**
 * `GET /api/health/live`: liveness. Responds with 200 as long as the process can respond. A supervisor restarts the
 * process if this check fails. The check ignores the database, because a restart does not help if only the database is
 * unavailable.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
