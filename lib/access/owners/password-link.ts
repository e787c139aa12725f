import { inPrisma, isMailOn, queueMail } from '@/lib/activity/mail/queue';
import { AppError, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { log } from '@/lib/platform/log';
import { lockAddress } from './accounts';
import { proveAddress } from './address-proof';
import { emailAddress } from './email';
import { hashesOfMailed, isToken, LINK_MINUTES, MAX_LINKS, newMailedToken } from './link-token';
import { recordOfAccount } from './own-change';
import { hashPassword } from './password-hash';
import { throttleAddress } from './sign-in';

/** Maximum number of requests whose work runs at the same time in this process. */
const MAX_RUNNING = 8;

let running = 0;

/**
 * Mails a link with which the person can set a new password, if the address has an account. Returns at once, before
 * anything is looked up, so neither the answer nor its time shows whether there is an account.
 * @throws AppError invalid_request if the text is not an address; rate_limited after too many attempts from the client's
 *   address within a minute; service_unavailable without a mail server, or if too many requests run.
 */
export async function requestPasswordLink(now: Date, typed: string, address: string): Promise<void> {
  await throttleAddress(address);
  const parsed = emailAddress.safeParse(typed);
  if (!parsed.success)
    throw new AppError('invalid_request', { fields: [{ path: 'email', message: 'must be an email address' }] });
  if (!isMailOn() || running >= MAX_RUNNING) throw new AppError('service_unavailable');
  running += 1;
  mailLink(now, parsed.data)
    .catch((error: unknown) => log().warn({ err: error }, 'a link for a new password could not be mailed'))
    .finally(() => {
      running -= 1;
    });
}

/** Mails a link to an address, if it has an account whose password a link may replace. */
export async function mailLink(now: Date, email: string): Promise<void> {
  await db().$transaction(async (tx) => {
    await lockAddress(tx, email, now);
    if (!(await mayReplace(tx, email))) return;
    const since = new Date(now.getTime() - LINK_MINUTES * 60_000);
    if ((await tx.passwordLink.count({ where: { email, createdAt: { gt: since } } })) >= MAX_LINKS) return;
    const { token, tokenHash } = newMailedToken();
    const expiresAt = new Date(now.getTime() + LINK_MINUTES * 60_000);
    await tx.passwordLink.create({ data: { tokenHash, email, createdAt: now, expiresAt } });
    const facts = { url: `${env().origin}/password/${token}` };
    const mail = { tenantId: null, userId: null, email, kind: 'password_link', facts } as const;
    await queueMail(inPrisma(tx), now, mail);
  });
}

/**
 * Returns whether a link may replace the password of an address. An account that is not proven and has a second factor is
 * replaced by a proven one without it, so a link must not do this while there is no proven account.
 */
async function mayReplace(tx: Db, email: string): Promise<boolean> {
  const accounts = await tx.user.findMany({
    where: { email, closedAt: null },
    select: {
      addressProvenAt: true,
      totpFactor: { select: { confirmedAt: true } },
      passkeys: { take: 1, select: { id: true } },
    },
    take: 200,
  });
  if (accounts.some(({ addressProvenAt }) => addressProvenAt !== null)) return true;
  return accounts.length > 0 && accounts.every(({ totpFactor, passkeys }) => !totpFactor?.confirmedAt && !passkeys[0]);
}

/** Returns the address of a link that works at `now`, or null. */
export async function addressOfLink(now: Date, token: string): Promise<string | null> {
  if (!isToken(token)) return null;
  const works = { tokenHash: { in: hashesOfMailed(token) }, usedAt: null, expiresAt: { gt: now } };
  return (await db().passwordLink.findFirst({ where: works }))?.email ?? null;
}

/**
 * Sets a new password with a mailed link. This proves the address (`proveAddress`), ends all sessions of the account, and
 * ends all links of the address. The second factors stay. The caller counts the attempt (`throttleAddress`).
 * @throws AppError not_found if the link does not work anymore; invalid_request if the password is not allowed.
 */
export async function setPasswordWithLink(now: Date, token: string, password: string): Promise<void> {
  const email = await addressOfLink(now, token);
  if (email === null) throw notFound();
  const passwordHash = await hashPassword({ email, password, path: 'password', own: [] });
  await db().$transaction(async (tx) => {
    await lockAddress(tx, email, now);
    const works = { tokenHash: { in: hashesOfMailed(token) }, usedAt: null, expiresAt: { gt: now } };
    if ((await tx.passwordLink.count({ where: works })) === 0 || !(await mayReplace(tx, email))) throw notFound();
    await tx.passwordLink.updateMany({ where: { email, usedAt: null }, data: { usedAt: now } });
    const userId = await proveAddress(tx, now, { email, password: { passwordHash, passwordExpiresAt: null } });
    if (userId === null) throw notFound();
    await recordOfAccount(tx, now, userId, { action: 'user.password_changed' });
  });
}
