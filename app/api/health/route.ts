import { checkHealth } from '@/lib/operations/health';

/** `GET /api/health`: 200 once the server can serve, else 503, also from the signal to stop on: send it nothing new. */
export async function GET(): Promise<Response> {
  const status = await checkHealth();
  return Response.json({ status }, { status: status === 'ok' ? 200 : 503, headers: { 'Cache-Control': 'no-store' } });
}

/** Never prerendered: it speaks of this moment. */
export const dynamic = 'force-dynamic';
