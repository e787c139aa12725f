import { readMe as read } from '@/lib/booking/reconcile/me';
import { readMe } from '@/lib/contract/operations';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';

/** `GET /me`: returns whose key it is and what it may do now (contract B16). */
export const GET = partnerRoute(readMe, async ({ policy }) => ({ data: JSON.stringify(await read(policy)) }));
