import { createHmac, randomBytes } from 'node:crypto';
import { notFound } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { hashKeyFor } from '@/lib/platform/secrets';
import { changeOwn } from './own-change';
import { hasSecondFactor } from './second-factor';
import type { Member } from './session';

/** A new set replaces all earlier codes. */
const CODES = 10;
/** 120 random bits, so nobody can reverse a stored hash by trying codes. Earlier versions' ten characters work too. */
const LENGTH = 24;
/** Characters between two hyphens. */
const GROUP = 6;
/** Crockford's base32 has no letters that look like digits. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Letters that look like digits count as digits. */
function hashCode(code: string): Uint8Array<ArrayBuffer> {
  const letters = code.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return new Uint8Array(createHmac('sha256', hashKeyFor('recovery-code')).update(letters).digest());
}

function newCode(): string {
  const letters = [...randomBytes(LENGTH)].map((byte) => ALPHABET.charAt(byte & 31)).join('');
  return Array.from({ length: LENGTH / GROUP }, (_, at) => letters.slice(at * GROUP, (at + 1) * GROUP)).join('-');
}

/** Replaces the recovery codes of a user, and returns the new codes, which cannot be shown again. */
export async function replaceCodes(tx: Db, userId: string, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await tx.recoveryCode.deleteMany({ where: { userId } });
  const rows = codes.map((code) => ({ userId, codeHash: hashCode(code), createdAt: now }));
  await tx.recoveryCode.createMany({ data: rows });
  return codes;
}

/** Replaces the person's recovery codes, and returns them. @throws AppError not_found without a second factor. */
export async function newRecoveryCodes(now: Date, member: Member): Promise<string[]> {
  const { userId } = member;
  const entry = { action: 'user.recovery_codes_issued', after: { method: 'recovery_code' } };
  return changeOwn(now, member, entry, async (tx) => {
    if (!(await hasSecondFactor(tx, userId))) throw notFound();
    return replaceCodes(tx, userId, now);
  });
}

/** Marks a recovery code as used. Returns false if the user has no such unused code. */
export async function takeRecoveryCode(userId: string, code: string, now: Date): Promise<boolean> {
  const where = { userId, codeHash: hashCode(code), usedAt: null };
  const { count } = await db().recoveryCode.updateMany({ where, data: { usedAt: now } });
  return count === 1;
}
