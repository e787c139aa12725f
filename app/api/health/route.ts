import { jsonAnswer, operatorRoute } from '@/lib/http/operator/operator-route';
import { checkHealth } from '@/lib/operations/health';

/**
 * Handles `GET /api/health`, the readiness check. Responds with 200 while the server accepts traffic. Otherwise, for
 * example during shutdown, responds with 503.
 */
export const GET = operatorRoute(async () => {
  const status = await checkHealth();
  return jsonAnswer(status === 'ok' ? 200 : 503, { status });
});

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
