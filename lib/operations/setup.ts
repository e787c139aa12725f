import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { emailAddress } from '@/lib/access/owners/email';
import { hashPassword } from '@/lib/access/owners/password-hash';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { recordChange } from '@/lib/activity/audit/record';
import { businessFields } from '@/lib/booking/catalog/edit/business-fields';
import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { hashKeyFor } from '@/lib/platform/secrets';
import { displayNameSchema } from '@/lib/platform/text/display-name';

/** Milliseconds after which a setup link expires (architecture 8). */
const LIFETIME = 3_600_000;

const TOKEN = /^[\w-]{43}$/;

function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', hashKeyFor('setup')).update(token).digest());
}

/**
 * Returns whether the first tenant and its owner must be created. Always false in TEST, where the sandbox has both.
 */
export async function awaitsSetup(): Promise<boolean> {
  return env().ENVIRONMENT === 'LIVE' && (await db().tenant.findFirst({ select: { id: true } })) === null;
}

/**
 * Creates a link to set up the tenant and its first owner, and returns its token, which cannot be shown again. Returns
 * null if a tenant exists or the environment is TEST. The link works once within one hour and replaces any earlier link
 * (architecture 8).
 */
export async function createSetupLink(now: Date): Promise<string | null> {
  if (!(await awaitsSetup())) return null;
  const token = randomBytes(32).toString('base64url');
  const link = { tokenHash: hashToken(token), createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME) };
  // `create` must contain the unique field of `where`, because Prisma then executes a single INSERT … ON CONFLICT. With
  // separate statements, one of two instances that start at the same time would fail.
  await db().setupLink.upsert({ where: { singleton: true }, create: { singleton: true, ...link }, update: link });
  return token;
}

/**
 * Returns whether a setup link is valid. An unknown, used, replaced, or expired link is not valid.
 * @throws AppError rate_limited after too many attempts from the address within a minute.
 */
export async function setupLinkWorks(token: string, address: string, now: Date): Promise<boolean> {
  await throttleAddress(address);
  if (!TOKEN.test(token) || !(await awaitsSetup())) return false;
  return (await db().setupLink.count({ where: { tokenHash: hashToken(token), expiresAt: { gt: now } } })) > 0;
}

export const setupBody = z.strictObject({
  token: z.string().max(100),
  ...businessFields,
  name: displayNameSchema(200),
  email: emailAddress,
  password: z.string().max(PASSWORD_LENGTH.max, 'is too long'),
});

/**
 * Creates the tenant and its first owner. After that, the setup link no longer works.
 * @throws AppError not_found if the link is not valid; invalid_request with the invalid field; rate_limited after too
 *   many attempts from the address within a minute.
 */
export async function setUp(now: Date, setup: z.infer<typeof setupBody> & { address: string }): Promise<void> {
  const { token, business_name, time_zone: timeZone, locales, name, password, address } = setup;
  if (!(await setupLinkWorks(token, address, now))) throw notFound();
  const email = setup.email.toLowerCase();
  const passwordHash = await hashPassword(password, 'password', [email, name, business_name]);
  const [tenantId, userId] = [newId('ten'), newId('usr')];
  const [defaultLocale = ''] = locales;
  await db().$transaction(async (tx) => {
    const { count } = await tx.setupLink.deleteMany({ where: { tokenHash: hashToken(token), expiresAt: { gt: now } } });
    // A valid link can exist although a tenant exists: `createSetupLink` checks for a tenant before it stores the link,
    // and another process can create the tenant in between.
    if (count === 0 || (await tx.tenant.count()) > 0) throw notFound();
    const tenant = { name: business_name, timeZone, defaultLocale, locales };
    await tx.tenant.create({ data: { id: tenantId, ...tenant, createdAt: now } });
    await tx.user.create({ data: { id: userId, email, name, passwordHash, createdAt: now } });
    await tx.membership.create({ data: { tenantId, userId, role: 'OWNER', createdAt: now } });
    await recordChange(tx, now, {
      tenantId,
      actor: { kind: 'owner', id: userId, tenantId },
      action: 'tenant.created',
      object: { kind: 'tenant', id: tenantId },
      after: { name: business_name, time_zone: timeZone, locales, owner: email },
    });
  });
}
