import { createHmac, randomBytes } from 'node:crypto';
import { notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { hashKeyFor } from '@/lib/platform/secrets';
import { type Reauthentication, requirePassword } from './password';
import { hasSecondFactor, lockUser, recordOwnChange } from './second-factor';

/** Number of recovery codes in a set. A new set replaces all earlier codes. */
const CODES = 10;
/** Number of characters in a code, without its hyphen. Each character stands for five random bits. */
const LENGTH = 10;
/** The alphabet of Crockford's base32. It has no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Returns the keyed hash that is stored instead of a code. Letters that look like digits count as digits. */
function hashCode(code: string): Uint8Array<ArrayBuffer> {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return new Uint8Array(createHmac('sha256', hashKeyFor('recovery-code')).update(letters).digest());
}

function newCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte & 31)).join('');
  return `${letters.slice(0, LENGTH / 2)}-${letters.slice(LENGTH / 2)}`;
}

/** Replaces the recovery codes of a user, and returns the new codes, which cannot be shown again. */
export async function replaceCodes(tx: Db, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  const rows = codes.map((code) => ({ userId, codeHash: hashCode(code), createdAt: now }));
  await tx.recoveryCode.createMany({ data: rows });
  return codes;
}

/**
 * Replaces the recovery codes of the signed-in user, and returns the new codes.
 * @throws AppError invalid_request if the password is wrong; not_found if the user has no second factor;
 * rate_limited after too many attempts within a minute.
 */
export async function newRecoveryCodes(now: Date, reauthentication: Reauthentication): Promise<string[]> {
  const { userId, tenantId } = reauthentication.member;
  await requirePassword(reauthentication);
  return db().$transaction(async (tx) => {
    await lockUser(tx, userId);
    if (!(await hasSecondFactor(tx, userId))) throw notFound();
    await recordOwnChange(tx, now, { userId, tenantId, action: 'user.recovery_codes_issued', method: 'recovery_code' });
    return replaceCodes(tx, userId, now);
  });
}

/** Marks a recovery code as used. Returns false if the user has no such unused code. */
export async function takeRecoveryCode(userId: string, code: string, now: Date): Promise<boolean> {
  const where = { userId, codeHash: hashCode(code), usedAt: null };
  const { count } = await db().recoveryCode.updateMany({ where, data: { usedAt: now } });
  return count === 1;
}
