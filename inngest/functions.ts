import { cron, type Inngest } from 'inngest';
import { prune } from '@/lib/operations/retention/prune';
import { resetIfDue } from '@/lib/operations/sandbox/reset';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import type { DeliveryDependencies } from '@/lib/webhooks/deliver';
import { attemptDispatched, releaseOverdue } from '@/lib/webhooks/dispatch';
import { MAX_PER_ENDPOINT } from '@/lib/webhooks/lease';
import { deliveryDue, deliveryDueData } from './client';

/**
 * Maximum number of attempts of one delivery in one run of the function. A delivery has fewer scheduled attempts, so a
 * run normally ends earlier. If the delivery is still due after the last attempt of a run, the sweep dispatches it
 * again.
 */
const MAX_CHECKS = 50;

/** Creates the Inngest functions. PostgreSQL holds all state, so a lost or repeated run does no harm. */
export function createFunctions(client: Inngest, dependencies: DeliveryDependencies) {
  const functions = [deliverWebhook(client, dependencies), sweepDeliveries(client), pruneRows(client)];
  // The function that resets the sandbox is not even registered in LIVE.
  return env().ENVIRONMENT === 'TEST' ? [...functions, resetSandboxes(client)] : functions;
}

/**
 * Makes the attempts of a delivery (contract B11). Each step makes one attempt. The function then sleeps until the next
 * attempt is due.
 */
function deliverWebhook(client: Inngest, dependencies: DeliveryDependencies) {
  return client.createFunction(
    {
      id: 'deliver-webhook',
      triggers: [deliveryDue()],
      // Inngest retries a step that throws, for example because the database is unavailable. A failed attempt does not
      // throw, because the delivery's own schedule determines the next attempt.
      retries: 4,
      // Each application has its own queue, so that an unresponsive endpoint does not delay other applications. Runs
      // that sleep do not count toward the limit.
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

/**
 * Runs every minute. Marks deliveries whose events Inngest may have lost, so that the dispatcher dispatches them again.
 */
function sweepDeliveries(client: Inngest) {
  return client.createFunction(
    { id: 'sweep-deliveries', triggers: [cron('* * * * *')], retries: 0, concurrency: 1 },
    async () => ({ released: await releaseOverdue(systemClock()) }),
  );
}

/** Runs every ten minutes. Resets the TEST sandbox if its nightly reset is due in the tenant's time zone. */
function resetSandboxes(client: Inngest) {
  return client.createFunction(
    { id: 'reset-sandbox', triggers: [cron('*/10 * * * *')], retries: 2, concurrency: 1 },
    async () => ({ reset: await resetIfDue(systemClock()) }),
  );
}

/** Runs every hour. Deletes data that is older than its retention period. */
function pruneRows(client: Inngest) {
  return client.createFunction({ id: 'prune', triggers: [cron('17 * * * *')], retries: 2, concurrency: 1 }, async () =>
    prune(systemClock()),
  );
}
