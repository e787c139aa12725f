import { recordChange } from '@/lib/activity/audit/record';
import { TEST_EVENT_TYPE } from '@/lib/contract/events';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { type EndpointTarget, lockEndpoint } from './endpoint';

/** Returns the ids and the payload of a new test event (contract B11). Partners see only `shown` (contract B14). */
export function testEvent(now: Date) {
  const eventId = newId('evt');
  const shown = { id: eventId, type: TEST_EVENT_TYPE, timestamp: now.toISOString() };
  const payload = JSON.stringify({ ...shown, api_version: 'v1', environment: env().ENVIRONMENT, data: {} });
  return { eventId, deliveryId: `dlv_${eventId.slice(4)}`, payload, shown };
}

/**
 * Creates a test event and returns the id of its delivery. It gets one attempt, even if the endpoint is paused or
 * disabled, so that an owner can test a fix (contract B11).
 * @throws AppError not_found if the endpoint does not exist.
 */
export async function sendTestEvent(now: Date, target: EndpointTarget): Promise<{ deliveryId: string }> {
  const { tenantId, applicationId, actor } = target;
  const { eventId, deliveryId, payload } = testEvent(now);
  return db().$transaction(async (tx) => {
    await lockEndpoint(tx, target);
    const ids = { tenantId, applicationId };
    await tx.event.create({ data: { id: eventId, ...ids, type: 'webhook.test', actor: 'owner', payload, at: now } });
    await tx.delivery.create({
      data: { id: deliveryId, ...ids, eventId, test: true, nextAttemptAt: now, createdAt: now },
    });
    const object = { kind: 'webhook_endpoint', id: applicationId };
    await recordChange(tx, now, { tenantId, actor, action: 'webhook.test_sent', object, after: { event: eventId } });
    return { deliveryId };
  });
}
