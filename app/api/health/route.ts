import { checkHealth } from '@/lib/health';

/** `GET /api/health`: 200 once the server can serve, else 503. */
export async function GET(): Promise<Response> {
  const healthy = await checkHealth();
  return Response.json(
    { status: healthy ? 'ok' : 'unavailable' },
    { status: healthy ? 200 : 503, headers: { 'Cache-Control': 'no-store' } },
  );
}

/** Never prerendered: it speaks of this moment. */
export const dynamic = 'force-dynamic';
