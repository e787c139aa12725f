import { setTimeout as delay } from 'node:timers/promises';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { setClock } from '@/lib/booking/sandbox/clock';
import { setTestClock } from '@/lib/contract/operations';
import { logEntryOf } from '@/lib/http/partner-api/call';
import { partnerWriteRoute } from '@/lib/http/partner-api/partner-route';
import { writeResult } from '@/lib/http/partner-api/write';
import { pollNow } from '@/lib/platform/cache';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';

/** Milliseconds after which every process has read a change of a policy (architecture 6). */
const SEEN_BY_ALL = 1_000;

/** `POST /test/clock`: sets the clock of the calling application (contract B20). */
export const POST = partnerWriteRoute(setTestClock, async ({ call, policy, body, identity, budget }) => {
  const logEntry = logEntryOf(call, 200, null);
  const write = { policy, requestId: call.requestId, identity, at: call.at, budget, logEntry };
  const result = writeResult(call, await setClock(write, body));
  await pollNow();
  // If this fails, the job does it within 30 seconds.
  await emitUpcoming(call.at, undefined, policy.applicationId).catch((error: unknown) =>
    log().warn({ err: error }, 'reminders will be emitted later'),
  );
  const { WORKERS, INSTANCES } = env();
  if (WORKERS === 1 && INSTANCES === 1) return result;
  // The next request may reach another process. Meanwhile, this one does not count as work in flight.
  call.endWork?.();
  await delay(SEEN_BY_ALL);
  return result;
});
