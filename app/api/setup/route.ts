import { answerOwnPage, readJson } from '@/app/_own-page';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { setUp } from '@/lib/operations/setup';
import { systemClock } from '@/lib/platform/clock';

/** Creates the tenant and its first owner in an empty LIVE deployment. The setup token authorizes the request. */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, async () => {
    const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
    await setUp(systemClock(), address, () => readJson(request));
    return { done: true };
  });
}
