import { createHmac, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createAccount } from '@/lib/access/owners/accounts';
import { emailAddress } from '@/lib/access/owners/email';
import { isToken, tokenIn } from '@/lib/access/owners/link-token';
import { hashPassword } from '@/lib/access/owners/password-hash';
import { PASSWORD_LENGTH } from '@/lib/access/owners/password-length';
import { limitLockWait } from '@/lib/access/owners/second-factor';
import { throttleAddress } from '@/lib/access/owners/sign-in';
import { recordChange } from '@/lib/activity/audit/record';
import { businessFields } from '@/lib/booking/catalog/edit/business-fields';
import { boundedText } from '@/lib/contract/bounded-text';
import { notFound } from '@/lib/contract/errors/app-error';
import { requestError } from '@/lib/contract/errors/request-error';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { newId } from '@/lib/platform/ids';
import { hashKeyFor } from '@/lib/platform/secrets';
import { singleton } from '@/lib/platform/singleton';
import { displayNameSchema } from '@/lib/platform/text/display-name';
import { skeletonOf } from '@/lib/platform/text/skeleton';

/** Milliseconds (architecture 8). */
const LIFETIME = 3_600_000;

/** Milliseconds. Short, because an operator can delete the last tenant and set up again. */
const REMEMBERED = 10_000;

function hashToken(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHmac('sha256', hashKeyFor('setup')).update(token).digest());
}

const known = () => singleton('setup:known', () => ({ until: 0 }));

/** The sandbox of TEST always has a tenant. */
function isKnownSetUp(now: Date): boolean {
  return env().ENVIRONMENT !== 'LIVE' || now.getTime() < known().until;
}

/** Returns whether the first tenant and its owner must be created. Always false in TEST, where the sandbox has both. */
export async function awaitsSetup(now: Date): Promise<boolean> {
  if (isKnownSetUp(now)) return false;
  if ((await db().tenant.findFirst({ select: { id: true } })) === null) return true;
  known().until = now.getTime() + REMEMBERED;
  return false;
}

/**
 * Creates a link for the first owner, and returns its token, which cannot be shown again, or null in TEST and with a
 * tenant. It works once within one hour and replaces any earlier link (architecture 8).
 */
export async function createSetupLink(now: Date): Promise<string | null> {
  if (!(await awaitsSetup(now))) return null;
  const token = randomBytes(32).toString('base64url');
  const link = { tokenHash: hashToken(token), createdAt: now, expiresAt: new Date(now.getTime() + LIFETIME) };
  // With the unique field of `where` in `create`, Prisma executes a single INSERT … ON CONFLICT. With separate
  // statements, one of two instances that start at the same time would fail.
  await db().setupLink.upsert({ where: { singleton: true }, create: { singleton: true, ...link }, update: link });
  return token;
}

/**
 * Returns whether a setup link is valid: known, not used, replaced, or expired.
 * @throws AppError rate_limited after too many attempts from the address within a minute.
 */
export async function setupLinkWorks(token: string, address: string, now: Date): Promise<boolean> {
  if (isKnownSetUp(now)) return false;
  await throttleAddress(address);
  return isValid(token, now);
}

async function isValid(token: string, now: Date): Promise<boolean> {
  if (!isToken(token) || !(await awaitsSetup(now))) return false;
  return (await db().setupLink.count({ where: { tokenHash: hashToken(token), expiresAt: { gt: now } } })) > 0;
}

export const setupBody = z.strictObject({
  token: boundedText(100),
  ...businessFields,
  name: displayNameSchema(200),
  email: emailAddress,
  password: boundedText(PASSWORD_LENGTH.max, 'is too long'),
});

/**
 * Creates the tenant and its first owner, once. The cheap checks come before `read`, which reads the body, because
 * anyone can send this request.
 * @throws AppError not_found if the link is not valid; invalid_request with the invalid field; rate_limited after too
 * many attempts from the address within a minute.
 */
export async function setUp(now: Date, address: string, read: () => Promise<unknown>): Promise<void> {
  if (isKnownSetUp(now)) throw notFound();
  await throttleAddress(address);
  const body = await read();
  if (!(await isValid(tokenIn(body), now))) throw notFound();
  const parsed = setupBody.safeParse(body);
  if (!parsed.success) throw requestError(parsed.error);
  const { token, business_name, time_zone: timeZone, locales, name, email, password } = parsed.data;
  const passwordHash = await hashPassword({ email, password, path: 'password', own: [name, business_name] });
  const tenantId = newId('ten');
  const [defaultLocale = ''] = locales;
  await db().$transaction(async (tx) => {
    await limitLockWait(tx);
    const { count } = await tx.setupLink.deleteMany({ where: { tokenHash: hashToken(token), expiresAt: { gt: now } } });
    // `createSetupLink` checks for a tenant before it stores the link, and another process can create the tenant in
    // between.
    if (count === 0 || (await tx.tenant.count()) > 0) throw notFound();
    const tenant = { name: business_name, nameSkeleton: skeletonOf(business_name), timeZone, defaultLocale, locales };
    await tx.tenant.create({ data: { id: tenantId, ...tenant, createdAt: now } });
    const userId = await createAccount(tx, now, { email, name, passwordHash, tenantId: null });
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
