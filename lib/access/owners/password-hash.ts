import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { invalidField } from '@/lib/contract/errors/app-error';
import { type Db, db } from '@/lib/platform/db';
import { hashKeyFor } from '@/lib/platform/secrets';
import { passwordProblem } from './password-rules';

/** Bytes, as RFC 9106 recommends. */
const SALT_BYTES = 16;

/** The costs and the salt of a hash, which is a PHC string. */
const SETTINGS = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$/;

type NewPassword = {
  email: string;
  password: string;
  path: string;
  /** The names of the person and the business, which the password must not be. */
  own: readonly string[];
};

/**
 * Returns the hash of a new password. All accounts of one address share a salt, so that a sign-in computes one hash.
 * @throws AppError invalid_request if the password violates a rule for passwords.
 */
export async function hashPassword({ email, password, path, own }: NewPassword): Promise<string> {
  const problem = await passwordProblem(password, [email, ...own]);
  if (problem !== null) throw invalidField(path, problem);
  return hash(normalized(password), { salt: await saltOf(db(), email) });
}

/** Returns the hash of a random password for an account, and the password. */
export async function randomPassword(tx: Db, email: string): Promise<{ password: string; passwordHash: string }> {
  const password = randomBytes(18).toString('base64url');
  return { password, passwordHash: await hash(password, { salt: await saltOf(tx, email) }) };
}

/** Without a password, it depends only on the address, so that concurrent new accounts get the same salt. */
async function saltOf(tx: Db, email: string): Promise<Buffer> {
  const stored = await tx.user.findFirst({
    where: { email, passwordHash: { not: null } },
    orderBy: { id: 'asc' },
    select: { passwordHash: true },
  });
  const salt = SETTINGS.exec(stored?.passwordHash ?? '')?.[4];
  return salt === undefined ? derivedSalt(email) : Buffer.from(salt, 'base64');
}

/** The stored hash keys have a fixed set of purposes, so the salt is made with the key of another purpose. */
function derivedSalt(email: string): Buffer {
  const digest = createHmac('sha256', hashKeyFor('invitation')).update(`salt ${email}`).digest();
  return digest.subarray(0, SALT_BYTES);
}

/**
 * Returns the accounts with this password, in the given order. The hash is computed once, even without an account, so
 * that the time does not show how many there are. Only different salts, after an import, need more.
 */
export async function withPassword<Account extends { passwordHash: string | null }>(
  accounts: readonly Account[],
  { email, password }: { email: string; password: string },
): Promise<Account[]> {
  const stored = accounts.flatMap(({ passwordHash }) => passwordHash ?? []);
  const settings = new Set(stored.flatMap((one) => SETTINGS.exec(one)?.[0] ?? []));
  // Earlier releases did not normalize passwords.
  const spellings = [...new Set([normalized(password), password])];
  const each = settings.size > 0 ? [...settings] : [null];
  const hashes = await Promise.all(each.flatMap((one) => spellings.map((text) => hashWith(one, text, email))));
  return accounts.filter(({ passwordHash }) => passwordHash !== null && hashes.some((one) => equal(one, passwordHash)));
}

/** `settings` is a stored hash, or null for those of a new password. */
async function hashWith(settings: string | null, password: string, email: string): Promise<string> {
  if (settings === null) return hash(password, { salt: derivedSalt(email) });
  const [, memoryCost, timeCost, parallelism, salt = ''] = SETTINGS.exec(settings) ?? [];
  const costs = { memoryCost: Number(memoryCost), timeCost: Number(timeCost), parallelism: Number(parallelism) };
  return hash(password, { ...costs, salt: Buffer.from(salt, 'base64') });
}

function equal(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

/** Returns whether a password has this hash, normalized or, for earlier releases, as it was entered. */
export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  const normal = normalized(password);
  return (await verify(passwordHash, normal)) || (normal !== password && (await verify(passwordHash, password)));
}

/** Operating systems encode some letters differently. */
function normalized(password: string): string {
  return password.normalize('NFC');
}
