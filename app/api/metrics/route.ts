import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { scrape } from '@/lib/operations/metrics/scrape';

/** `GET /api/metrics`: the metrics in Prometheus format. Requires the bearer token METRICS_TOKEN. */
export async function GET({ headers }: Request): Promise<Response> {
  const address = headers.get(EDGE_HEADERS.address) ?? 'unknown';
  const response = await scrape(headers.get('authorization'), address);
  return new Response(response.body, {
    status: response.status,
    headers: { ...response.headers, 'Cache-Control': 'no-store' },
  });
}

/** The response must not be cached. */
export const dynamic = 'force-dynamic';
