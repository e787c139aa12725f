import { answerOwnPage, readJson } from '@/app/_own-page';
import { EDGE_HEADERS } from '@/lib/http/edge/headers';
import { setUp } from '@/lib/operations/setup';

/** Creates the tenant and its first owner in an empty LIVE deployment. The setup token authorizes the request. */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, async () => {
    const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
    await setUp(new Date(), address, () => readJson(request));
    return { done: true };
  });
}
