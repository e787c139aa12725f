import { sendOwnTestEvent } from '@/lib/booking/test-events/send';
import { sendTestEvent } from '@/lib/contract/operations';
import { logEntryOf } from '@/lib/http/partner-api/call';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { writeResult } from '@/lib/http/partner-api/write';

/** `POST /webhooks/test-events`: sends a test event to the calling application's endpoint (contract B14). */
export const POST = partnerWriteRoute(sendTestEvent, async ({ call, policy, identity, budget }) => {
  const { tenantId, applicationId } = policy;
  const logEntry = logEntryOf(call, 202, null);
  const write = { tenantId, applicationId, requestId: call.requestId, identity, now: call.at, budget, logEntry };
  return writeResult(call, await sendOwnTestEvent(write));
});
