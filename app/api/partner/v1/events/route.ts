import { listEvents as list } from '@/lib/booking/reconcile/events';
import { listEvents } from '@/lib/contract/operations';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';

/** `GET /events`: returns the application's events after a sequence (contract B16). */
export const GET = partnerRoute(listEvents, async ({ policy, query }) => {
  const { events, latest } = await list(policy, { after: query.after ?? null, limit: query.limit });
  return { data: ['{"events":[', events.join(','), `],"latest_sequence":${latest}}`] };
});
