/**
 * `GET /api/health/live`: 200 while the process answers at all, whatever the database does. A supervisor restarts who
 * does not answer here; to restart whoever waits for the database would only cost the traffic that comes back first.
 */
export function GET(): Response {
  return Response.json({ status: 'ok' }, { headers: { 'Cache-Control': 'no-store' } });
}

/** Never prerendered: it speaks of this moment. */
export const dynamic = 'force-dynamic';
