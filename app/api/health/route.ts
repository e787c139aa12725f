import { jsonAnswer, operatorRoute } from '@/lib/http/operator/operator-route';
import { checkHealth, reasonOf } from '@/lib/operations/health';

/**
 * Handles `GET /api/health`, the readiness check. Responds with 200 while the server accepts traffic. Otherwise, for
 * example during shutdown, responds with 503. States the reason if it is the time zone rules.
 */
export const GET = operatorRoute(async () => {
  const status = await checkHealth();
  const reason = reasonOf(status);
  return jsonAnswer(status === 'ok' ? 200 : 503, reason === null ? { status } : { status, reason });
});

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
