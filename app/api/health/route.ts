import { checkHealth } from '@/lib/operations/health';

/**
 * Handles `GET /api/health`, the readiness check. Responds with 200 while the server accepts traffic. Otherwise, for
 * example during shutdown, responds with 503.
 */
export async function GET(): Promise<Response> {
  const status = await checkHealth();
  return Response.json({ status }, { status: status === 'ok' ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
