import { putBusy, removeBusy } from '@/lib/booking/busy/push';
import { snapshotOf } from '@/lib/booking/catalog/snapshot';
import { deleteBusyTime, putBusyTime } from '@/lib/contract/operations';
import { logEntryOf } from '@/lib/http/partner-api/call';
import { partnerRoute, partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { externalIdOf, writeResult } from '@/lib/http/partner-api/write';
import { within } from '@/lib/platform/write-transaction';

/** `PUT /busy/{external_id}`: pushes a busy time of an own system (contract B15). */
export const PUT = partnerWriteRoute(putBusyTime, async ({ call, policy, body, identity, budget }) => {
  const externalId = externalIdOf(call);
  const snapshot = await within(budget.endAt, snapshotOf(policy.tenantId));
  const logEntry = logEntryOf(call, 200, null);
  const write = { policy, snapshot, requestId: call.requestId, identity, now: call.at, budget, logEntry };
  return writeResult(call, await putBusy(write, externalId, body));
});

/** `DELETE /busy/{external_id}`: removes a busy time of an own system (contract B15). */
export const DELETE = partnerRoute(deleteBusyTime, async ({ call, policy }) => {
  const externalId = externalIdOf(call);
  const existed = await removeBusy(policy, externalId);
  return { data: JSON.stringify({ external_id: externalId, existed }) };
});
