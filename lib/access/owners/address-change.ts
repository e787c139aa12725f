import { canGetMail, inPrisma, isMailOn, queueMail } from '@/lib/activity/mail/queue';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { addressLocks, takeLock } from '@/lib/platform/locks';
import { END_LIMIT } from '@/lib/platform/tenant-scope';
import { lockAddresses } from './accounts';
import { hashesOfMailed, isToken, LINK_MINUTES, MAX_LINKS, newMailedToken } from './link-token';
import { recordOfAccount } from './own-change';
import { requirePassword } from './password';
import { hashPassword } from './password-hash';
import { passwordProblem } from './password-rules';
import { hasPassword, type Proof, requireProof } from './proof';
import { limitLockWait, lockUser } from './second-factor';
import { endOtherSessions, type Member, type SignedIn } from './session';

const WINDOW = LINK_MINUTES * 60_000;

type Wanted = { member: Member; address: string; proof: Proof; email: string };

/**
 * Mails a link to the address that a member wants to have instead of the present one. Whether the new address has an
 * account is not looked up, so neither the answer nor its time shows it. Nothing changes before the link is used. Beyond
 * the bounds of the new address, nothing is mailed, and the answer is the same.
 * @throws AppError service_unavailable without a mail server; forbidden for an account without a password, or whose
 *   present address is not proven; invalid_request for a field; rate_limited also after too many links of the account;
 *   errors of `requireProof`.
 */
export async function requestAddressChange(now: Date, { member, address, proof, email }: Wanted): Promise<void> {
  const { userId, sessionId, name } = member;
  if (!isMailOn()) throw new AppError('service_unavailable');
  if (!member.addressProven || !(await hasPassword(userId))) throw new AppError('forbidden');
  if (!canGetMail(email)) throw invalidField('email', 'must be an address that can get mail');
  await requireProof(now, { member, address, proof });
  if (email === member.email) throw invalidField('email', 'is your address already');
  // The link asks for the password again, and could otherwise not be used.
  const problem = await passwordProblem(proof.password ?? '', [email, name]);
  if (problem !== null) throw invalidField('password', `${problem}, so change it first`);
  await db().$transaction(async (tx) => {
    await limitLockWait(tx);
    for (const lock of addressLocks([email])) await takeLock(tx, lock);
    await lockUser(tx, userId);
    if ((await tx.session.count({ where: { id: sessionId, endedAt: null } })) === 0)
      throw new AppError('sign_in_required');
    await tx.$executeRawUnsafe(END_LIMIT);
    await mailLink(tx, now, userId, email);
  });
}

async function mailLink(tx: Db, now: Date, userId: string, email: string): Promise<void> {
  const createdAt = { gt: new Date(now.getTime() - WINDOW) };
  // The oldest of as many links as the account may have.
  const last = { orderBy: { createdAt: 'desc' }, skip: MAX_LINKS - 1 } as const;
  const own = await tx.addressLink.findFirst({ where: { userId, createdAt }, ...last });
  if (own) {
    const retryAfter = Math.max(1, Math.ceil((own.createdAt.getTime() + WINDOW - now.getTime()) / 1000));
    throw new AppError('rate_limited', { retryAfter });
  }
  if ((await tx.addressLink.count({ where: { email, createdAt } })) >= MAX_LINKS) return;
  const { token, tokenHash } = newMailedToken();
  const mail = { tenantId: null, userId: null, email, kind: 'address_link' } as const;
  const facts = { url: `${env().origin}/email/${token}` };
  if ((await queueMail(inPrisma(tx), now, { ...mail, facts })) === null) return;
  const expiresAt = new Date(now.getTime() + WINDOW);
  await tx.addressLink.create({ data: { tokenHash, userId, email, createdAt: now, expiresAt } });
}

const working = (now: Date, token: string) => ({
  tokenHash: { in: hashesOfMailed(token) },
  endedAt: null,
  expiresAt: { gt: now },
});

/** Returns the new address of a link that works at `now`, or null. Whether the address is free shows only its use. */
export async function newAddressOf(now: Date, token: string): Promise<string | null> {
  if (!isToken(token)) return null;
  return (await db().addressLink.findFirst({ where: working(now, token) }))?.email ?? null;
}

/** `person` is the signed-in user of the browser, or null. */
type Confirmation = { token: string; password: string; address: string; person: SignedIn | null };

/**
 * Gives an account the address of a mailed link, which proves it, and ends all links of both addresses and the sessions
 * of the account except that of this browser. The former address gets a mail. Second factors, identities at the
 * provider, memberships, and chosen mails stay. The password is asked for again, because its hash depends on the
 * address, and so that a mail program that opens links, or somebody with the mailbox alone, changes nothing.
 * The caller counts the attempt (`throttleAddress`).
 * @throws AppError not_found if the link does not work, or the address cannot be used: whoever has the link does not learn
 *   why. invalid_request if the password is wrong; rate_limited.
 */
export async function changeAddressWithLink(
  now: Date,
  { token, password, address, person }: Confirmation,
): Promise<void> {
  const link = await db().addressLink.findFirst({ where: working(now, token), include: { user: true } });
  if (!link) throw notFound();
  const { userId, email: to, user } = link;
  const { email: from } = user;
  const compared = await requirePassword(now, { person: { userId, email: from }, address, password });
  const passwordHash = await hashPassword({ email: to, password, path: 'password', own: [user.name] });
  await db().$transaction(async (tx) => {
    await lockAddresses(tx, [from, to], now);
    await lockTeamsOf(tx, userId);
    await lockUser(tx, userId);
    const works = (await tx.addressLink.count({ where: working(now, token) })) > 0;
    if (!works || !(await isUnchanged(tx, { userId, email: from, passwordHash: compared }))) throw notFound();
    if (await isTaken(tx, now, userId, to)) throw notFound();
    const both = { in: [from, to] };
    await tx.addressLink.updateMany({
      where: { endedAt: null, OR: [{ userId }, { email: both }] },
      data: { endedAt: now },
    });
    await tx.passwordLink.updateMany({ where: { email: both, usedAt: null }, data: { usedAt: now } });
    // Before the change, so that the former address gets the mail.
    await recordOfAccount(tx, now, userId, {
      action: 'user.email_changed',
      before: { email: from },
      after: { email: to },
    });
    await tx.user.update({ where: { id: userId }, data: { email: to, passwordHash, addressProvenAt: now } });
    await endOtherSessions(tx, userId, now, person?.userId === userId ? person.sessionId : null);
  });
}

/** The person joins no further team meanwhile, because this needs the lock of the address. */
async function lockTeamsOf(tx: Db, userId: string): Promise<void> {
  await tx.$queryRaw`
    SELECT 1 FROM tenants WHERE id IN (SELECT tenant_id FROM memberships WHERE user_id = ${userId})
    ORDER BY id FOR NO KEY UPDATE`;
}

type Compared = { userId: string; email: string; passwordHash: string };

/** Otherwise, a password that has been replaced meanwhile would work again. An issued password only serves to set one. */
async function isUnchanged(tx: Db, { userId, email, passwordHash }: Compared): Promise<boolean> {
  const same = { id: userId, email, passwordHash, passwordExpiresAt: null, closedAt: null };
  const where = { ...same, addressProvenAt: { not: null }, memberships: { some: {} } };
  return (await tx.user.count({ where })) > 0;
}

/** Another proven account has it, or one of the account's teams has it, as a member or in an open invitation. */
async function isTaken(tx: Db, now: Date, userId: string, email: string): Promise<boolean> {
  if ((await tx.user.count({ where: { email, closedAt: null, addressProvenAt: { not: null } } })) > 0) return true;
  const tenant = { memberships: { some: { userId } } };
  if ((await tx.membership.count({ where: { user: { email }, tenant } })) > 0) return true;
  const open = { acceptedAt: null, revokedAt: null, expiresAt: { gt: now } };
  return (await tx.invitation.count({ where: { email, tenant, ...open } })) > 0;
}
