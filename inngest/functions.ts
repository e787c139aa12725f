import { cron, type Inngest } from 'inngest';
import { prune } from '@/lib/operations/retention/prune';
import { resetIfDue } from '@/lib/operations/sandbox/reset';
import { systemClock } from '@/lib/platform/clock';
import { env } from '@/lib/platform/env';
import type { DeliveryDependencies } from '@/lib/webhooks/deliver';
import { attemptDispatched, releaseOverdue } from '@/lib/webhooks/dispatch';
import { MAX_PER_ENDPOINT } from '@/lib/webhooks/lease';
import { deliveryDue, deliveryDueData } from './client';

/** Looks of one run at its delivery: more than any schedule has attempts. What is left then, the sweep finds. */
const MAX_LOOKS = 50;

/** Returns what Inngest runs for us. State lives in PostgreSQL; a run that is lost or doubled changes nothing. */
export function createFunctions(client: Inngest, dependencies: DeliveryDependencies) {
  const functions = [deliverWebhook(client, dependencies), sweepDeliveries(client), pruneRows(client)];
  // LIVE has no reset, not even one that does nothing.
  return env().ENVIRONMENT === 'TEST' ? [...functions, resetSandboxes(client)] : functions;
}

/** One attempt per step, then sleep until the next is due (contract B11). */
function deliverWebhook(client: Inngest, dependencies: DeliveryDependencies) {
  return client.createFunction(
    {
      id: 'deliver-webhook',
      triggers: [deliveryDue()],
      // Of a step that failed on our side (the database was away), not of an attempt: those have their own schedule.
      retries: 4,
      // One dead endpoint never delays another: each application has a queue of its own. Who sleeps does not count.
      concurrency: { key: 'event.data.application_id', limit: MAX_PER_ENDPOINT },
    },
    async ({ event, step }) => {
      const { delivery_id, application_id, handed_at } = deliveryDueData.parse(event.data);
      const handed = { deliveryId: delivery_id, applicationId: application_id, handedAt: new Date(handed_at) };
      for (let look = 1; look <= MAX_LOOKS; look += 1) {
        const next = await step.run(`attempt-${look}`, async () => {
          const at = await attemptDispatched(dependencies, handed);
          return at?.toISOString() ?? null;
        });
        if (next === null) return { looks: look };
        await step.sleepUntil(`due-${look}`, next);
      }
      return { looks: MAX_LOOKS };
    },
  );
}

/** Each minute: what Inngest may have lost is handed over again. */
function sweepDeliveries(client: Inngest) {
  return client.createFunction(
    { id: 'sweep-deliveries', triggers: [cron('* * * * *')], retries: 0, concurrency: 1 },
    async () => ({ released: await releaseOverdue(systemClock()) }),
  );
}

/** Every ten minutes: the nightly reset of TEST, once its hour has come in the tenant's zone. In LIVE it does nothing. */
function resetSandboxes(client: Inngest) {
  return client.createFunction(
    { id: 'reset-sandbox', triggers: [cron('*/10 * * * *')], retries: 2, concurrency: 1 },
    async () => ({ reset: await resetIfDue(systemClock()) }),
  );
}

/** Every hour: what nobody need keep any longer is taken away, as the tenants' settings say. */
function pruneRows(client: Inngest) {
  return client.createFunction({ id: 'prune', triggers: [cron('17 * * * *')], retries: 2, concurrency: 1 }, async () =>
    prune(systemClock()),
  );
}
