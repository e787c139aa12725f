import { typedAddress } from '@/lib/access/owners/email';
import { type IssuedInvitation, inviteIn } from '@/lib/access/owners/invitations';
import { lockTeam } from '@/lib/access/owners/team';
import { recordChange } from '@/lib/activity/audit/record';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { TENANTS_LOCK, takeLock } from '@/lib/platform/locks';
import { skeletonOf } from '@/lib/platform/text/skeleton';
import { TEST_CONTACT_DAYS } from '../retention/settings';
import { requireUndeleted } from './undeleted';

const OPERATOR = { kind: 'operator' } as const;

/** Fields of its business (`businessFields`), and the email address of its first owner. */
export type NewTenant = { business_name: string; time_zone: string; locales: string[]; owner: string };

/**
 * Creates a tenant, and the operator's invitation for its first owner.
 * @throws AppError invalid_request for `business_name` if another tenant has this name or one that looks like it, for
 * example because the operator has run the command twice.
 */
export async function addTenant(
  now: Date,
  { business_name: name, time_zone: timeZone, locales, owner }: NewTenant,
): Promise<{ tenantId: string; invitation: IssuedInvitation }> {
  const tenantId = newId('ten');
  const [defaultLocale = ''] = locales;
  return db().$transaction(async (tx) => {
    await takeLock(tx, TENANTS_LOCK);
    const nameSkeleton = skeletonOf(name);
    const same = await tx.tenant.findUnique({ where: { nameSkeleton }, select: { id: true } });
    if (same) throw invalidField('business_name', `is or looks like the name of ${same.id}`);
    const retention = env().ENVIRONMENT === 'TEST' ? { contactDays: TEST_CONTACT_DAYS } : {};
    await tx.tenant.create({
      data: { id: tenantId, name, nameSkeleton, timeZone, defaultLocale, locales, createdAt: now, ...retention },
    });
    await recordChange(tx, now, {
      tenantId,
      actor: OPERATOR,
      action: 'tenant.created',
      object: { kind: 'tenant', id: tenantId },
      after: { name, time_zone: timeZone, locales },
    });
    return { tenantId, invitation: await inviteByOperator(tx, now, tenantId, owner) };
  });
}

/**
 * Creates the operator's invitation for an owner of an existing tenant. Revokes the link of an earlier one for the same
 * email address.
 * @throws AppError not_found if there is no such tenant; invalid_request for `owner` if the person is already a member
 * of this tenant, or for `tenant` if it is being deleted.
 */
export async function inviteOwner(now: Date, tenantId: string, owner: string): Promise<IssuedInvitation> {
  return db().$transaction(async (tx) => {
    await lockTeam(tx, tenantId);
    const tenant = await tx.tenant.findUnique({ where: { id: tenantId }, select: { deletionBeganAt: true } });
    if (!tenant) throw notFound();
    requireUndeleted(tenant);
    return inviteByOperator(tx, now, tenantId, owner);
  });
}

async function inviteByOperator(tx: Db, now: Date, tenantId: string, owner: string): Promise<IssuedInvitation> {
  const email = typedAddress(owner);
  if (await tx.membership.findFirst({ where: { tenantId, user: { email } } }))
    throw invalidField('owner', 'already belongs to a member of this tenant');
  return inviteIn(tx, now, { tenantId, actor: OPERATOR, userId: null, email, role: 'OWNER' });
}
