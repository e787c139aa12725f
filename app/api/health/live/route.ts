/**
 * `GET /api/health/live`: liveness, always 200. A supervisor restarts a process that does not respond. The response
 * does not depend on the database, because a restart would not repair the database.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
