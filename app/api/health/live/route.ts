import { jsonAnswer, operatorRoute } from '@/lib/http/operator/operator-route';

/**
 * `GET /api/health/live`: liveness, always 200. A supervisor restarts a process that does not respond. The response
 * does not depend on the database, because a restart would not repair the database.
 */
export const GET = operatorRoute(() => jsonAnswer(200, { status: 'ok' }));

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
