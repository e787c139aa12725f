import { reportRun } from '@/lib/booking/readiness/report';
import { reportConformance } from '@/lib/contract/operations';
import { logEntryOf } from '@/lib/http/partner-api/call';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { writeResult } from '@/lib/http/partner-api/write';

/** `POST /test/conformance`: records the result of a run of the conformance suite (contract B21). */
export const POST = partnerWriteRoute(reportConformance, async ({ call, policy, body, identity, budget }) => {
  const { tenantId, applicationId } = policy;
  const logEntry = logEntryOf(call, 200, null);
  const report = { tenantId, applicationId, requestId: call.requestId, identity, at: call.at, budget, logEntry };
  return writeResult(call, await reportRun(report, body));
});
