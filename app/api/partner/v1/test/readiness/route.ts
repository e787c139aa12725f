import { readInTurn } from '@/lib/booking/read-turns';
import { certify } from '@/lib/booking/readiness/certificate';
import { readScore } from '@/lib/booking/readiness/score';
import { readReadiness } from '@/lib/contract/operations';
import { partnerRoute } from '@/lib/http/partner-api/partner-route';
import { inTenant } from '@/lib/platform/tenant-scope';

/** `GET /test/readiness`: returns what the application's traffic in TEST has shown, signed (contract B21). */
export const GET = partnerRoute(readReadiness, async ({ call, policy }) => {
  const { tenantId, applicationId } = policy;
  const readiness = await readInTurn('bookings', policy, () =>
    inTenant(tenantId, () => readScore(call.at, tenantId, applicationId)),
  );
  return { data: JSON.stringify({ readiness, certificate: certify(readiness) }) };
});
