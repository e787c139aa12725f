import { cron, type Inngest } from 'inngest';
import { prune } from '@/lib/operations/retention/prune';
import { resetIfDue } from '@/lib/operations/sandbox/reset';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import type { DeliveryDependencies } from '@/lib/webhooks/deliver';
import { attemptDispatched, releaseOverdue } from '@/lib/webhooks/dispatch';
import { MAX_PER_ENDPOINT } from '@/lib/webhooks/lease';
import { deliveryDue, deliveryDueData } from './client';

/** Maximum number of checks in one run; a schedule has fewer attempts. The sweep finds deliveries that remain. */
const MAX_CHECKS = 50;

/** Creates the Inngest functions. All state is in PostgreSQL, so a lost or repeated run does no harm. */
export function createFunctions(client: Inngest, dependencies: DeliveryDependencies) {
  const functions = [deliverWebhook(client, dependencies), sweepDeliveries(client), pruneRows(client)];
  // LIVE must not have the reset function at all.
  return env().ENVIRONMENT === 'TEST' ? [...functions, resetSandboxes(client)] : functions;
}

/** Makes one attempt per step, then sleeps until the next is due (contract B11). */
function deliverWebhook(client: Inngest, dependencies: DeliveryDependencies) {
  return client.createFunction(
    {
      id: 'deliver-webhook',
      triggers: [deliveryDue()],
      // Retries of a step that threw, for example without a database. Failed attempts follow their own schedule.
      retries: 4,
      // A queue per application, so that an unresponsive endpoint delays no other. Sleeping runs do not count.
      concurrency: { key: 'event.data.application_id', limit: MAX_PER_ENDPOINT },
    },
    async ({ event, step }) => {
      const { delivery_id, application_id, handed_at } = deliveryDueData.parse(event.data);
      const delivery = { deliveryId: delivery_id, applicationId: application_id, handedAt: new Date(handed_at) };
      for (let check = 1; check <= MAX_CHECKS; check += 1) {
        const next = await step.run(`attempt-${check}`, async () => {
          const at = await attemptDispatched(dependencies, delivery);
          return at?.toISOString() ?? null;
        });
        if (next === null) return { checks: check };
        await step.sleepUntil(`due-${check}`, next);
      }
      return { checks: MAX_CHECKS };
    },
  );
}

/** Every minute: marks deliveries that Inngest may have lost, so that they are dispatched again. */
function sweepDeliveries(client: Inngest) {
  return client.createFunction(
    { id: 'sweep-deliveries', triggers: [cron('* * * * *')], retries: 0, concurrency: 1 },
    async () => ({ released: await releaseOverdue(systemClock()) }),
  );
}

/** Every ten minutes: runs the nightly reset of TEST if it is due in the tenant's time zone. */
function resetSandboxes(client: Inngest) {
  return client.createFunction(
    { id: 'reset-sandbox', triggers: [cron('*/10 * * * *')], retries: 2, concurrency: 1 },
    async () => ({ reset: await resetIfDue(systemClock()) }),
  );
}

/** Every hour: deletes rows beyond their retention period. */
function pruneRows(client: Inngest) {
  return client.createFunction({ id: 'prune', triggers: [cron('17 * * * *')], retries: 2, concurrency: 1 }, async () =>
    prune(systemClock()),
  );
}
