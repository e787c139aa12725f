import { recordChange } from '@/lib/activity/audit/record';
import { deriveTenant } from '@/lib/booking/bookings/derive-again';
import { notFound } from '@/lib/contract/errors/app-error';
import { type Db, db, pool, readIn } from '@/lib/platform/db';
import { log } from '@/lib/platform/log';
import { StartError } from '@/lib/platform/postgres/start-error';
import { readRulesInForce, rulesProblem } from '@/lib/platform/rules-in-force';
import { param, statement } from '@/lib/platform/sql';
import { ACTIVE } from '@/lib/webhooks/active';
import { releaseHeld } from '@/lib/webhooks/held';
import { retryJob } from '../retry-job';
import { notifyPolicies } from './notify';
import { requireUndeleted } from './undeleted';

/** Milliseconds. The transaction changes rows of all the tenant's applications. */
const TIMEOUT = 60_000;

/** `since`: when the tenant was suspended before the call, or null. */
export type Suspension = { name: string; changed: boolean; since: Date | null };

/**
 * Suspends or resumes a tenant. If the tenant is already in the requested state, changes nothing. Every instance
 * applies the change within one second. Writes that an instance has already accepted are completed.
 *
 * While a tenant is suspended, its partners' requests are refused, its deliveries are held, and its members can change
 * nothing (`lib/control-center/trpc/init.ts`).
 * @param moving whether the suspended tenant is being moved to another deployment. Its partners then get a 503 instead
 *   of a 403, because their requests will succeed again.
 *
 * Before a tenant is resumed, its bookings are derived again if they have other time zone rules than those in force, as
 * after an import. Otherwise, the same local time could be sold again, at another instant.
 * @throws AppError not_found if there is no such tenant; invalid_request for `tenant` if it is being deleted; StartError
 *   if this process cannot derive the bookings.
 */
export async function setTenantSuspended(
  now: Date,
  tenantId: string,
  suspended: boolean,
  moving = false,
  signal = new AbortController().signal,
): Promise<Suspension> {
  if (!suspended) await deriveAgain(now, tenantId, signal);
  return db().$transaction(
    async (tx) => {
      // Waits for running inserts of applications, which lock this row (foreign key), so that `notifyPolicies` reads
      // all.
      await tx.$queryRaw`SELECT 1 FROM tenants WHERE id = ${tenantId} FOR UPDATE`;
      const tenant = await tx.tenant.findUnique({ where: { id: tenantId } });
      if (!tenant) throw notFound();
      const { name, suspendedAt: since } = tenant;
      requireUndeleted(tenant);
      if (!suspended && (await hasOtherRules(tx, tenantId)))
        throw new StartError('The bookings have other time zone rules than this deployment. Repeat the command.');
      const wasMoving = tenant.movingSince !== null;
      if ((since !== null) === suspended && wasMoving === moving) return { name, changed: false, since };
      const times = { suspendedAt: suspended ? (since ?? now) : null, movingSince: moving ? now : null };
      await tx.tenant.update({ where: { id: tenantId }, data: times });
      if (!suspended) await releaseActive(tx, now, tenantId);
      await recordChange(tx, now, {
        tenantId,
        actor: { kind: 'operator' },
        action: suspended ? 'tenant.suspended' : 'tenant.resumed',
        object: { kind: 'tenant', id: tenantId },
        before: { suspended: since !== null, ...(wasMoving && { moving: true }) },
        after: { suspended, ...(moving && { moving }) },
      });
      await notifyPolicies(tx, tenantId);
      return { name, changed: true, since };
    },
    { timeout: TIMEOUT },
  );
}

async function deriveAgain(now: Date, tenantId: string, signal: AbortSignal): Promise<void> {
  await readRulesInForce(pool());
  if (!(await hasOtherRules(db(), tenantId))) return;
  const problem = rulesProblem();
  if (problem !== null) throw new StartError(problem);
  const onRetry = () => log().warn({ tenantId }, 'bookings will be derived when the tenant is not locked');
  await retryJob(() => deriveTenant(now, tenantId, signal), { signal, onRetry });
}

async function hasOtherRules(client: Db, tenantId: string): Promise<boolean> {
  const found = await client.$queryRaw<unknown[]>`
    SELECT FROM tenants t JOIN environment e ON e.zone_rules IS DISTINCT FROM t.zone_rules
    WHERE t.id = ${tenantId} AND t.deletion_began_at IS NULL AND e.zone_rules IS NOT NULL`;
  return found.length > 0;
}

const ACTIVE_ENDPOINTS = statement<{ application_id: string }>()`
  SELECT e.application_id FROM webhook_endpoints e JOIN applications a ON a.id = e.application_id
  WHERE e.tenant_id = ${param.text('tenantId')} AND ${ACTIVE} ORDER BY 1`;

async function releaseActive(tx: Db, now: Date, tenantId: string): Promise<void> {
  const endpoints = await readIn(tx, ACTIVE_ENDPOINTS, { tenantId });
  for (const { application_id } of endpoints) await releaseHeld(tx, now, application_id);
}
