import { checkHealth } from '@/lib/operations/health';

/** `GET /api/health`: readiness. 200 while the server accepts traffic, otherwise 503, for example during shutdown. */
export async function GET(): Promise<Response> {
  const status = await checkHealth();
  return Response.json({ status }, { status: status === 'ok' ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
