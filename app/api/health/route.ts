import { jsonAnswer, operatorRoute } from '@/lib/http/operator/operator-route';
import { checkHealth, reasonOf } from '@/lib/operations/health';
import { release } from '@/lib/platform/release';

/**
 * Handles `GET /api/health`, the readiness check. Responds with 200 while the server accepts traffic. Otherwise, for
 * example during shutdown, responds with 503. States the reason if it is the time zone rules, and always the release.
 */
export const GET = operatorRoute(async () => {
  const status = await checkHealth();
  const reason = reasonOf(status);
  return jsonAnswer(status === 'ok' ? 200 : 503, { status, ...(reason !== null && { reason }), ...release() });
});

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
