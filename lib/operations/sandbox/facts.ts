import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { type MailState, readMailState } from '@/lib/activity/mail/state';
import { certificateSigner, trustedKeys } from '@/lib/booking/readiness/certificate';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { env, oidcSettings, schedulerInUse } from '@/lib/platform/env';
import type { ResetPolicy } from '@/lib/platform/generated/prisma/client';
import { SANDBOX_TENANT_ID } from '@/lib/platform/ids';
import { describeRelease, release } from '@/lib/platform/release';
import { ZONE_RULES } from '@/lib/platform/time-zones';

import { lastBackup } from '../backup/age';
import { type InngestStatus, readInngest } from '../inngest';
import { readDeliveries } from '../metrics/deliveries';

/** For the Control Center, without secrets and without the database URL. */
export type EnvironmentFacts = {
  environment: 'TEST' | 'LIVE';
  origin: string;
  database: string;
  issuer: string;
  node_version: string;
  /** Such as `2026f`. */
  version: string;
  zone_rules: string;
  scheduler: 'embedded' | 'inngest';
  /** Null with the embedded worker. */
  inngest: InngestStatus | null;
  /** Of the oldest overdue webhook delivery. Null if unknown. */
  delivery_lag_seconds: number | null;
  /** The newest backup of the deployment that is recorded. */
  last_backup_at: Date | null;
  /** The mails of the tenant. */
  mail: MailState;
  /** In TEST: the key that LIVE needs to trust its readiness files. In LIVE: the trusted keys, or null. */
  readiness_key: string | null;
  payments: 'disabled';
  tenant_name: string;
  /** Null in LIVE and for tenants other than the sandbox. */
  reset: { policy: ResetPolicy; last_reset_at: Date | null; time_zone: string } | null;
};

/** Returns the facts about this deployment for the members of a tenant. @throws AppError not_found if the tenant does not exist. */
export async function environmentFacts(now: Date, tenantId: string): Promise<EnvironmentFacts> {
  const { ENVIRONMENT, origin } = env();
  const tenant = await db().tenant.findFirst({ where: { id: tenantId } });
  if (!tenant) throw notFound();
  const [server] = await db().$queryRaw<{ version: string }[]>`SHOW server_version`;
  const deliveries = await readDeliveries();
  const resettable = ENVIRONMENT === 'TEST' && tenantId === SANDBOX_TENANT_ID;
  return {
    environment: ENVIRONMENT,
    origin,
    database: `PostgreSQL ${(server as { server_version?: string } | undefined)?.server_version ?? ''}`.trim(),
    issuer: oidcSettings()?.issuer ?? origin,
    node_version: process.version,
    version: describeRelease(release()),
    zone_rules: ZONE_RULES,
    scheduler: schedulerInUse(),
    inngest: schedulerInUse() === 'inngest' ? await readInngest(now) : null,
    delivery_lag_seconds: deliveries && Math.round(deliveries.lag),
    last_backup_at: await lastBackup(),
    mail: await readMailState(tenantId),
    readiness_key: ENVIRONMENT === 'TEST' ? certificateSigner().publicKey : trustedKeys().join(', ') || null,
    payments: 'disabled',
    tenant_name: tenant.name,
    reset: resettable
      ? { policy: tenant.resetPolicy, last_reset_at: tenant.lastResetAt, time_zone: tenant.timeZone }
      : null,
  };
}

/** @throws AppError not_found in LIVE and for tenants other than the sandbox. */
export async function setResetPolicy(
  now: Date,
  { tenantId, actor }: { tenantId: string; actor: Actor },
  policy: ResetPolicy,
): Promise<void> {
  if (env().ENVIRONMENT !== 'TEST' || tenantId !== SANDBOX_TENANT_ID) throw new AppError('not_found');
  await db().$transaction(async (tx) => {
    const before = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } });
    if (before.resetPolicy === policy) return;
    // Delays the first reset until the first night after this change.
    await tx.tenant.update({ where: { id: tenantId }, data: { resetPolicy: policy, resetPolicySince: now } });
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'sandbox.reset_policy_changed',
      object,
      before: { reset_policy: before.resetPolicy },
      after: { reset_policy: policy },
    });
  });
}
