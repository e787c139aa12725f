import { setSuspended, updatePolicy } from '@/lib/access/applications/applications';
import { SCOPES } from '@/lib/contract/common';
import { setTenantSuspended } from '@/lib/operations/tenants/suspend';
import { db } from '@/lib/platform/db';
import { pauseEndpoint, resumeEndpoint } from '@/lib/webhooks/endpoint';
import type { Stage } from './stage';

const policy = (scopes: readonly (typeof SCOPES)[number][]) => ({
  name: 'Partner',
  scopes,
  allLocations: true,
  locationIds: [],
  origins: [],
  networks: [],
  quota: 600,
  agentsAsk: true,
});

async function setScopes(stage: Stage, scopes: readonly (typeof SCOPES)[number][]): Promise<void> {
  const { version } = await db().application.findUniqueOrThrow({ where: { id: stage.webhook.applicationId } });
  await updatePolicy(stage.clock.now(), { ...stage.webhook.target, expectedVersion: version }, policy(scopes));
}

type Pause = {
  reason: string;
  pause: (stage: Stage) => Promise<unknown>;
  resume: (stage: Stage) => Promise<unknown>;
};

/** The four ways to pause an endpoint, each with the way to resume the endpoint. */
export const PAUSES: Pause[] = [
  {
    reason: 'owner',
    pause: (stage) => pauseEndpoint(stage.clock.now(), stage.webhook.target),
    resume: (stage) => resumeEndpoint(stage.clock.now(), stage.webhook.target),
  },
  {
    reason: 'suspended',
    pause: (stage) => setSuspended(stage.clock.now(), { ...stage.webhook.target, suspended: true }),
    resume: (stage) => setSuspended(stage.clock.now(), { ...stage.webhook.target, suspended: false }),
  },
  {
    reason: 'suspended',
    pause: (stage) => setTenantSuspended(stage.clock.now(), stage.webhook.target.tenantId, true),
    resume: (stage) => setTenantSuspended(stage.clock.now(), stage.webhook.target.tenantId, false),
  },
  {
    reason: 'scope',
    pause: (stage) =>
      setScopes(
        stage,
        SCOPES.filter((scope) => scope !== 'webhooks.manage'),
      ),
    resume: (stage) => setScopes(stage, SCOPES),
  },
];
