/**
 * `GET /api/health/live`: liveness. Responds with 200 as long as the process can respond, regardless of the database. A
 * supervisor restarts the process if this check fails. A restart would not help if only the database is unavailable.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** Must not be cached. */
export const dynamic = 'force-dynamic';
