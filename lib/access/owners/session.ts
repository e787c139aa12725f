import { inPrisma, isMailOn, queueMail } from '@/lib/activity/mail/queue';
import { type Db, db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import type { Role } from '@/lib/platform/generated/prisma/client';
import { isId, newId } from '@/lib/platform/ids';
import { networkOf } from '@/lib/platform/rate-limit/network';
import { bind, param, sql, statement } from '@/lib/platform/sql';
import type { HourCycle, Language } from '@/lib/platform/text/languages';
import { browserName } from './browser-name';
import { CAN_ENTER } from './memberships';
import { hasSecondFactor, lockUser } from './second-factor';
import { countSignIn, recordSignIn, type SignInMethod } from './sign-in-record';

/** Activity does not extend a session. */
export const SESSION_HOURS = 8;

const minutesBefore = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

/** Returns the time since which a session must have been used. */
export function idleLimit(now: Date): Date {
  return minutesBefore(now, env().SESSION_IDLE_MINUTES);
}

export type SignedIn = {
  sessionId: string;
  userId: string;
  name: string;
  email: string;
  /** If not, the account belongs to one tenant. */
  addressProven: boolean;
  /** After a sign-in with a password that the operator issued, the session allows only a change of the password. */
  mustChangePassword: boolean;
  /** Null if the browser decides. */
  language: Language | null;
  hourCycle: HourCycle | null;
  /** When the user last proved who they are in this session: at the sign-in, or with `confirmSession`. */
  confirmedAt: Date;
};

export type Member = SignedIn & {
  role: Role;
  /** The locations to which the member is limited. Null for all. */
  locations: readonly string[] | null;
  tenantId: string;
  tenantName: string;
  /** By the operator. The members can then only read. */
  suspended: boolean;
  /** The tenant requires a second factor that the user lacks. */
  lacksSecondFactor: boolean;
  /** To the minute. */
  lastUsedAt: Date;
};

/** `outsider`: no member of this tenant, or no such tenant. Null: no valid session. */
export type Access = Member | 'outsider' | null;

type PersonRow = {
  user_id: string;
  name: string;
  email: string;
  address_proven: boolean;
  confirmed_at: Date;
  must_change_password: boolean;
  language: Language | null;
  hour_cycle: HourCycle | null;
};

/** Not ended, of a person who can enter. */
const USABLE = sql`s.id = ${param.text('sessionId')} AND s.ended_at IS NULL AND s.expires_at > ${param.timestamptz('now')}
    AND s.last_used_at > ${param.timestamptz('idleLimit')}
    AND ${CAN_ENTER}`;

const PERSON = sql`s.user_id, u.name, u.email, u.address_proven_at IS NOT NULL AS address_proven, s.must_change_password,
    u.language, u.hour_cycle, coalesce(s.confirmed_at, s.created_at) AS confirmed_at`;

const SIGNED_IN = statement<PersonRow>('session-person')`
  SELECT ${PERSON} FROM sessions s JOIN users u ON u.id = s.user_id WHERE ${USABLE}`;

function personOf(sessionId: string, row: PersonRow): SignedIn {
  const { user_id: userId, name, email, address_proven: addressProven } = row;
  const { must_change_password: mustChangePassword, confirmed_at: confirmedAt } = row;
  const { language, hour_cycle: hourCycle } = row;
  return { sessionId, userId, name, email, addressProven, mustChangePassword, language, hourCycle, confirmedAt };
}

/** Returns the signed-in person, or null if the session has ended, or the person can enter no tenant anymore. */
export async function signedInOf(sessionId: string, now: Date): Promise<SignedIn | null> {
  const { rows } = await pool().query<PersonRow>(bind(SIGNED_IN, { sessionId, now, idleLimit: idleLimit(now) }));
  return rows[0] ? personOf(sessionId, rows[0]) : null;
}

type MemberRow = PersonRow & {
  role: Role | null;
  locations: string[] | null;
  tenant_name: string;
  suspended: boolean;
  requires_second_factor: boolean;
  last_used_at: Date;
  opened: boolean;
};

const MEMBER = statement<MemberRow>('session-member')`
  SELECT ${PERSON}, m.role::text AS role, CASE WHEN NOT m.all_locations THEN ARRAY(
      SELECT location_id FROM member_locations p WHERE p.tenant_id = m.tenant_id AND p.user_id = m.user_id ORDER BY 1)
    END AS locations, t.name AS tenant_name, t.suspended_at IS NOT NULL AS suspended,
    t.require_second_factor AS requires_second_factor, s.last_used_at,
    m.tenant_id = ANY (s.opened) AS opened
  FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN memberships m ON m.user_id = s.user_id AND m.tenant_id = ${param.text('tenantId')}
    LEFT JOIN tenants t ON t.id = m.tenant_id
  WHERE ${USABLE}`;

/**
 * Returns what a session may access in a tenant. Every page and call asks, so the end of a session or membership takes
 * effect immediately. `outsider` also stands for an unknown tenant, so nobody learns which tenants exist. The first
 * call for a tenant records the sign-in there.
 */
export async function memberOf(sessionId: string, now: Date, tenantId: string): Promise<Access> {
  const { rows } = await pool().query<MemberRow>(bind(MEMBER, { sessionId, now, idleLimit: idleLimit(now), tenantId }));
  const [found] = rows;
  if (!found) return null;
  const person = personOf(sessionId, found);
  const { role, locations, tenant_name: tenantName, suspended, last_used_at: lastUsedAt, opened } = found;
  if (role === null) return 'outsider';
  if (!opened) await recordSignIn(now, sessionId, tenantId);
  const lacksSecondFactor = found.requires_second_factor && !(await hasSecondFactor(db(), person.userId));
  return { ...person, role, locations, tenantId, tenantName, suspended, lacksSecondFactor, lastUsedAt };
}

const USE = statement<never>('session-use')`
  UPDATE sessions SET last_used_at = ${param.timestamptz('now')}
  WHERE id = ${param.text('sessionId')} AND ended_at IS NULL AND last_used_at <= ${param.timestamptz('minuteAgo')}`;

/** Records that a person uses a session, at most once a minute. */
export async function recordSessionUse(now: Date, { sessionId, lastUsedAt }: Member): Promise<void> {
  const minuteAgo = minutesBefore(now, 1);
  if (lastUsedAt <= minuteAgo) await pool().query(bind(USE, { now, minuteAgo, sessionId }));
}

/** `replaces` is the session or second step in the browser's cookie. */
export type SigningIn = { userAgent: string | null; replaces: string | null };

/** `provenAt` is when the OpenID provider last authenticated the person, if it says so and this is not now. */
type Opening = { userId: string; method: SignInMethod; address: string; browser?: SigningIn; provenAt?: Date };

/** A longer text is not an address. */
const MAX_NETWORK = 64;

async function createSession(tx: Db, now: Date, opening: Opening, mustChangePassword: boolean): Promise<string> {
  const { userId, address, browser, method, provenAt: confirmedAt = null } = opening;
  const expiresAt = new Date(now.getTime() + SESSION_HOURS * 3_600_000);
  const network = networkOf(address).slice(0, MAX_NETWORK) || null;
  const seen = { network, browser: browserName(browser?.userAgent ?? null) };
  const times = { createdAt: now, lastUsedAt: now, expiresAt, confirmedAt };
  const session = { id: newId('ses'), userId, method, mustChangePassword, ...times, ...seen };
  if (isMailOn()) await mailNewNetwork(tx, now, session);
  await tx.session.create({ data: session });
  return session.id;
}

type NewSession = { id: string; userId: string; network: string | null; browser: string | null };

/**
 * Mails the person about a sign-in from a network from which neither a session nor a recorded sign-in of the last weeks
 * came. The first sign-in of an account mails nothing.
 */
async function mailNewNetwork(tx: Db, now: Date, { id, userId, network, browser }: NewSession): Promise<void> {
  if (network === null) return;
  const [seen] = await tx.$queryRaw<{ any: boolean; known: boolean }[]>`
    SELECT count(*) > 0 AS any, bool_or(network = ${network}) IS TRUE AS known FROM (
      SELECT network FROM sessions WHERE user_id = ${userId}
      UNION ALL SELECT network FROM sign_ins WHERE user_id = ${userId} AND outcome = 'signed_in') AS networks`;
  const user = await tx.user.findUniqueOrThrow({ where: { id: userId } });
  if (!seen?.any || seen.known || user.addressProvenAt === null) return;
  const mail = { tenantId: null, userId, email: user.email, kind: 'new_sign_in', cause: id } as const;
  await queueMail(inPrisma(tx), now, { ...mail, facts: { network, browser, at: now } });
}

async function begin(now: Date, sessionId: string): Promise<void> {
  countSignIn('signed_in');
  await recordSignIn(now, sessionId, null);
}

/** Whoever the replaced session or second step belongs to. */
async function endReplaced(tx: Db, now: Date, id: string): Promise<void> {
  await tx.session.updateMany({ where: { id, endedAt: null }, data: { endedAt: now } });
  await tx.secondStep.deleteMany({ where: { id } });
}

const STEP_MINUTES = 10;

/**
 * Continues a sign-in after the password or the provider's response was accepted. Returns the id of a session, or of a
 * second step if the user has a second factor; `memberOf` grants it no access. A new password or second factor ends all
 * other sessions. This locks the user's row, so it runs before such a change, which ends the new session, or after it,
 * and then refuses the old password or starts a second step. The browser's previous session also ends, because its
 * cookie is lost.
 * `passwordHash` is the hash with which the password was compared, or null after a sign-in through the provider.
 * @returns null if the user's password has changed since the comparison.
 */
export async function openSession(now: Date, opening: Opening, passwordHash: string | null): Promise<string | null> {
  const { userId } = opening;
  const id = await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if (passwordHash !== null && (await tx.user.count({ where: { id: userId, passwordHash } })) === 0) return null;
    const issued = { id: userId, passwordExpiresAt: { not: null } };
    const mustChangePassword = passwordHash !== null && (await tx.user.count({ where: issued })) > 0;
    if (opening.browser?.replaces) await endReplaced(tx, now, opening.browser.replaces);
    if (!(await hasSecondFactor(tx, userId))) return createSession(tx, now, opening, mustChangePassword);
    const expiresAt = new Date(now.getTime() + STEP_MINUTES * 60_000);
    const data = { id: newId('sst'), userId, createdAt: now, expiresAt, mustChangePassword };
    return (await tx.secondStep.create({ data })).id;
  });
  if (id !== null && isId('ses', id)) await begin(now, id);
  return id;
}

/** Completes a second step and starts the session, or returns null if the step had already ended. */
export async function endSecondStep(now: Date, stepId: string, opening: Opening): Promise<string | null> {
  const { userId } = opening;
  const id = await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    const step = await tx.secondStep.findUnique({ where: { id: stepId, userId } });
    const { count } = await tx.secondStep.deleteMany({ where: { id: stepId, userId } });
    return step && count > 0 ? createSession(tx, now, opening, step.mustChangePassword) : null;
  });
  if (id !== null) await begin(now, id);
  return id;
}

/**
 * Ends all sessions of a user except `keep`, unfinished sign-ins, the links that would change the address, and setups of
 * an authenticator app: whoever has started a setup knows its secret, and would otherwise need no further proof.
 */
export async function endOtherSessions(tx: Db, userId: string, now: Date, keep: string | null): Promise<void> {
  const others = { userId, endedAt: null, ...(keep !== null && { id: { not: keep } }) };
  await tx.session.updateMany({ where: others, data: { endedAt: now } });
  await tx.secondStep.deleteMany({ where: { userId } });
  await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: null } });
  await tx.addressLink.updateMany({ where: { userId, endedAt: null }, data: { endedAt: now } });
}

/** Ends a session. Does nothing if the session has already ended. */
export async function endSession(sessionId: string, now: Date): Promise<void> {
  await db().session.updateMany({ where: { id: sessionId, endedAt: null }, data: { endedAt: now } });
}
