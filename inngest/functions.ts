import { cron, type Inngest } from 'inngest';
import { prune } from '@/lib/operations/retention/prune';
import { resetIfDue } from '@/lib/operations/sandbox/reset';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import { attemptDispatched } from '@/lib/webhooks/attempt-dispatched';
import type { DeliveryDependencies } from '@/lib/webhooks/deliver';
import { releaseOverdue, undoDispatch } from '@/lib/webhooks/dispatch';
import { MAX_PER_ENDPOINT } from '@/lib/webhooks/lease';
import { deliveryDue, deliveryDueData } from './client';

/**
 * Maximum number of times that one run of `deliverWebhook` makes the due attempts. It exceeds the number of scheduled
 * attempts of a delivery. Deliveries that still wait after the last time are dispatched again.
 */
const MAX_CHECKS = 50;

/** Creates the Inngest functions. All state is in PostgreSQL, so a lost or repeated run does no harm. */
export function createFunctions(client: Inngest, dependencies: DeliveryDependencies) {
  const functions = [deliverWebhook(client, dependencies), sweepDeliveries(client), pruneRows(client)];
  // The sandbox exists only in TEST.
  return env().ENVIRONMENT === 'TEST' ? [...functions, resetSandboxes(client)] : functions;
}

/**
 * Makes the attempts for dispatched deliveries of an application (contract B11). Each step makes the attempts that
 * are due, oldest delivery first. Between steps, the function sleeps until the next attempt is due.
 */
function deliverWebhook(client: Inngest, dependencies: DeliveryDependencies) {
  return client.createFunction(
    {
      id: 'deliver-webhook',
      triggers: [deliveryDue()],
      // Inngest retries a step that throws, for example while the database is unavailable. A step does not throw if the
      // attempt of a delivery fails, because each delivery has its own schedule of retries.
      retries: 4,
      // Each application has its own queue, so that an unresponsive endpoint does not delay the deliveries of other
      // applications. Sleeping runs do not count toward `limit`.
      concurrency: { key: 'event.data.application_id', limit: MAX_PER_ENDPOINT },
      // Events with `batch` share a run, because each run is much work for Inngest. The run of an event without `batch`
      // starts immediately, because no other events are expected with it.
      batchEvents: { maxSize: 100, timeout: '1s', key: 'event.data.application_id', if: 'event.data.batch == true' },
    },
    async ({ events, step }) => {
      const all = events.map(({ data }) => deliveryDueData.parse(data));
      const applicationId = all[0]?.application_id ?? '';
      const deliveries = all.map((one) => ({
        deliveryId: one.delivery_id,
        applicationId,
        handedAt: new Date(one.handed_at),
      }));
      for (let check = 1; check <= MAX_CHECKS; check += 1) {
        const next = await step.run(`attempt-${check}`, async () => {
          const at = await attemptDispatched(dependencies, applicationId, deliveries);
          return at?.toISOString() ?? null;
        });
        if (next === null) return { checks: check };
        await step.sleepUntil(`due-${check}`, next);
      }
      await step.run('release', () => undoDispatch(deliveries));
      return { checks: MAX_CHECKS };
    },
  );
}

/** Runs every minute. Marks deliveries whose events Inngest may have lost, so that they are dispatched again. */
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
