import { answerOwnPage } from '@/app/_own-page';
import { systemClock } from '@/lib/clock';
import { setUp, setupBody } from '@/lib/owners/setup';
import { EDGE_HEADERS } from '@/lib/partner-api/call';
import { requestError } from '@/lib/partner-api/request-error';

/** Makes the tenant of an empty LIVE and its first owner. Whoever has the link may. */
export function POST(request: Request): Promise<Response> {
  return answerOwnPage(request, async () => {
    const parsed = setupBody.safeParse(await request.json().catch(() => null));
    if (!parsed.success) throw requestError(parsed.error);
    const address = request.headers.get(EDGE_HEADERS.address) ?? 'unknown';
    await setUp(systemClock(), { ...parsed.data, address });
  });
}
