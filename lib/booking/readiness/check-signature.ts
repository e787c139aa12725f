import { randomInt } from 'node:crypto';
import { testEvent } from '@/lib/webhooks/test-event';
import { type Outcome, writeOnce } from '../idempotency/once';
import { sendTestEvents, type TestEventWrite } from '../test-events/send';
import { type Check, STORE_RECORD } from './score';

/**
 * Sends two test events to the calling application's endpoint, one with a wrong signature (contract B21), or replays
 * that (contract B8). Only in TEST.
 * @throws AppError like `sendOwnTestEvent`.
 */
export async function checkSignature(write: TestEventWrite): Promise<Outcome> {
  const { tenantId, applicationId, requestId, now: at } = write;
  const events = [testEvent(at), testEvent(at)];
  const ids = events.map(({ eventId }) => eventId);
  // The receiver cannot tell the events apart but by their signatures.
  const [genuineId = '', forgedId = ''] = randomInt(2) === 1 ? ids : ids.toReversed();
  const check: Check = {
    request_id: requestId,
    ...{ genuine_id: genuineId, forged_id: forgedId },
    ...{ genuine: null, forged: null },
  };
  const record = { tenantId, applicationId, kind: 'signature', at, value: JSON.stringify(check) };
  return writeOnce(
    { ...write, at },
    {
      read: async () => null,
      change: async (tx) => {
        const success = await sendTestEvents(tx, write, {
          events,
          forgedId,
          answer: { events: events.map(({ shown }) => shown) },
        });
        await tx.query(STORE_RECORD, record);
        return success;
      },
    },
  );
}
