/**
 * `GET /api/health/live`: liveness. 200 while the process responds, regardless of the database. A supervisor restarts the
 * process when this fails; a restart would not help a process that waits for the database.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** Must not be cached. */
export const dynamic = 'force-dynamic';
