import { answerOwnPage, readJson } from '@/app/_own-page';
import { requestError } from '@/lib/contract/errors/request-error';
import { EDGE_HEADERS } from '@/lib/http/partner-api/call';
import { setUp, setupBody } from '@/lib/operations/setup';
import { systemClock } from '@/lib/platform/clock';

/** Creates the tenant and its first owner in an empty LIVE deployment. The setup token authorizes the request. */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, async () => {
    const parsed = setupBody.safeParse(await readJson(request));
    if (!parsed.success) throw requestError(parsed.error);
    const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
    await setUp(systemClock(), { ...parsed.data, address });
  });
}
