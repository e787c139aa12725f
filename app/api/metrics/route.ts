import { operatorRoute } from '@/lib/http/operator/operator-route';
import { scrape } from '@/lib/operations/metrics/scrape';

/** `GET /api/metrics`: the metrics in Prometheus format. Requires the bearer token METRICS_TOKEN. */
export const GET = operatorRoute(({ headers, address }) => scrape(headers.authorization ?? null, address));

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
