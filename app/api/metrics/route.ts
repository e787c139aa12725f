import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { scrape } from '@/lib/operations/metrics/scrape';

/** `GET /api/metrics`: this process's metrics in Prometheus's format, for who has METRICS_TOKEN. */
export async function GET({ headers }: Request): Promise<Response> {
  const address = headers.get(EDGE_HEADERS.address) ?? 'unknown';
  const answer = await scrape(headers.get('authorization'), address);
  return new Response(answer.body, {
    status: answer.status,
    headers: { ...answer.headers, 'Cache-Control': 'no-store' },
  });
}

/** Never prerendered: it speaks of this moment. */
export const dynamic = 'force-dynamic';
