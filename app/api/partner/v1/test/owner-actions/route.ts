import { runOwnerAction as run } from '@/lib/booking/sandbox/owner-action';
import { runOwnerAction } from '@/lib/contract/operations';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { beginWrite, writeResult } from '@/lib/http/partner-api/write';

/** `POST /test/owner-actions`: changes a booking as the owner would (contract B20). */
export const POST = partnerWriteRoute(runOwnerAction, async (context) =>
  writeResult(context.call, await run(await beginWrite(context), context.body)),
);
