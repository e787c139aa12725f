import { Secret, TOTP } from 'otpauth';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { open, placeIn, seal } from '@/lib/platform/secrets';
import { changeOwn } from './own-change';
import { replaceCodes } from './recovery-codes';
import { hasSecondFactor, lockUser, removeUnneededCodes } from './second-factor';
import { refundCode, throttleCode } from './second-step-throttle';
import type { Member } from './session';

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
const PERIOD_SECONDS = 30;
/** Time steps by which the clock of the user's device may be wrong. */
const WINDOW = 1;
/** Milliseconds. This limit replaces the proof that `confirmTotp` does not require. */
const SETUP_LIFE = 600_000;

const placeOf = (userId: string) => placeIn('totp_factors.secret', userId);

/** `secret` as text to type, and `uri` for the QR code. */
export type TotpSetup = { secret: string; uri: string };

/** Starts the setup of an app, until `confirmTotp`. @throws AppError version_conflict if one is set up. */
export async function startTotp(now: Date, { userId, email, tenantName }: Member): Promise<TotpSetup> {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = new Uint8Array(seal(secret.base32, placeOf(userId)));
  await db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    const { count } = await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: null } });
    if (count === 0 && (await tx.totpFactor.count({ where: { userId } })) > 0) throw new AppError('version_conflict');
    await tx.totpFactor.create({ data: { userId, secret: sealed, createdAt: now } });
  });
  const issuer = env().ENVIRONMENT === 'LIVE' ? tenantName : `${tenantName} (TEST)`;
  return { secret: secret.base32, uri: new TOTP({ issuer, label: email, secret, period: PERIOD_SECONDS }).toString() };
}

type Confirmation = { member: Member; address: string; code: string };

/**
 * Completes the setup of an authenticator app, and ends the user's other sessions. Returns recovery codes for a first
 * second factor, or null.
 * @throws AppError invalid_request if the code is wrong; not_found without a setup in the last ten minutes;
 * rate_limited after too many attempts within a minute.
 */
export async function confirmTotp(now: Date, { member, address, code }: Confirmation): Promise<string[] | null> {
  const { userId } = member;
  await throttleCode(userId, address);
  const createdAt = { gt: new Date(now.getTime() - SETUP_LIFE) };
  const factor = await db().totpFactor.findUnique({ where: { userId, confirmedAt: null, createdAt } });
  if (!factor) throw notFound();
  const lastStep = stepOf(open(factor.secret, placeOf(userId)), code, now);
  if (lastStep === null) throw invalidField('code', 'is not the current code of your authenticator app');
  await refundCode(userId, address);
  return changeOwn(now, member, { action: 'user.second_factor_added', after: { method: 'totp' } }, async (tx) => {
    const first = !(await hasSecondFactor(tx, userId));
    // If the setup was started again in the meantime, the secret has changed, and the update finds no row.
    const unchanged = { userId, confirmedAt: null, secret: factor.secret };
    const { count } = await tx.totpFactor.updateMany({ where: unchanged, data: { confirmedAt: now, lastStep } });
    if (count === 0) throw notFound();
    return first ? replaceCodes(tx, userId, now) : null;
  });
}

/** Removes the person's app, and ends the user's other sessions. @throws AppError not_found. */
export async function removeTotp(now: Date, member: Member): Promise<void> {
  const { userId } = member;
  await changeOwn(now, member, { action: 'user.second_factor_removed', after: { method: 'totp' } }, async (tx) => {
    const { count } = await tx.totpFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } });
    if (count === 0) throw notFound();
    await removeUnneededCodes(tx, userId);
  });
}

/** Checks a code of a user's app, which must be newer than the last accepted one, so each code works only once. */
export async function takeTotpCode(userId: string, code: string, now: Date): Promise<boolean> {
  const factor = await db().totpFactor.findUnique({ where: { userId, confirmedAt: { not: null } } });
  const step = factor && stepOf(open(factor.secret, placeOf(userId)), code, now);
  if (step === null) return false;
  // Of concurrent requests with one code, one succeeds.
  const unused = { userId, lastStep: { lt: step } };
  const { count } = await db().totpFactor.updateMany({ where: unused, data: { lastStep: step } });
  return count === 1;
}

/** The 30-second step, or null if the code is wrong. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const timestamp = now.getTime();
  const token = code.replaceAll(/\s/g, '');
  const delta = TOTP.validate({
    token,
    secret: Secret.fromBase32(secret),
    period: PERIOD_SECONDS,
    timestamp,
    window: WINDOW,
  });
  return delta === null ? null : TOTP.counter({ period: PERIOD_SECONDS, timestamp }) + delta;
}
