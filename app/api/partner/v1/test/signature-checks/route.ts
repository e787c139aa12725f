import { checkSignature as check } from '@/lib/booking/readiness/check-signature';
import { checkSignature } from '@/lib/contract/operations';
import { logEntryOf } from '@/lib/http/partner-api/call';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { writeResult } from '@/lib/http/partner-api/write';

/** `POST /test/signature-checks`: sends a genuine and a forged test event to the application's endpoint (contract B21). */
export const POST = partnerWriteRoute(checkSignature, async ({ call, policy, identity, budget }) => {
  const { tenantId, applicationId } = policy;
  const logEntry = logEntryOf(call, 202, null);
  const write = { tenantId, applicationId, requestId: call.requestId, identity, now: call.at, budget, logEntry };
  return writeResult(call, await check(write));
});
