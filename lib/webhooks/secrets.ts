import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { AppError } from '@/lib/contract/errors/app-error';
import type { Db } from '@/lib/platform/db';
import { open, placeIn, seal } from '@/lib/platform/secrets';

/** Per endpoint (contract B11). */
export const MAX_LIVE_SECRETS = 5;

/** Contract B11. */
export const MAX_OVERLAP_DAYS = 7;

const DAY = 86_400_000;

const placeOf = (applicationId: string, number: number) => placeIn('webhook_secrets.sealed', applicationId, number);

/** Decrypts a stored secret. The result is `whsec_` followed by base64. */
export function openSecret(applicationId: string, number: number, sealed: Uint8Array): string {
  return open(sealed, placeOf(applicationId, number));
}

/** `sealed` is in base64. */
export type SealedSecret = { number: number; sealed: string };

/**
 * Returns the signers of an endpoint's valid secrets, newest first, without replaced secrets that cannot be used, so
 * that a rotation of the current one is enough.
 * @throws Error if there is no valid secret, or the current one cannot be decrypted or contains no key
 */
export function signersOf(applicationId: string, [current, ...replaced]: readonly SealedSecret[]): Webhook[] {
  if (!current) throw new Error('The endpoint has no valid secret.');
  const signerOf = ({ number, sealed }: SealedSecret) =>
    new Webhook(openSecret(applicationId, number, Buffer.from(sealed, 'base64')));
  const others = replaced.flatMap((one) => {
    try {
      return [signerOf(one)];
    } catch {
      return [];
    }
  });
  return [signerOf(current), ...others];
}

/** Creates an endpoint's new current secret and returns it. It is not shown again. */
export async function addSecret(tx: Db, now: Date, applicationId: string): Promise<string> {
  const last = await tx.webhookSecret.aggregate({ where: { applicationId }, _max: { number: true } });
  const number = (last._max.number ?? 0) + 1;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const sealed = new Uint8Array(seal(secret, placeOf(applicationId, number)));
  await tx.webhookSecret.create({ data: { applicationId, number, sealed, createdAt: now } });
  return secret;
}

/**
 * Replaces the current secret and returns the new one. Earlier secrets keep their expiry, and expired ones are deleted.
 * The caller must hold the lock of the endpoint.
 * @throws AppError too_many_secrets if more than `MAX_LIVE_SECRETS` secrets would be valid.
 */
export async function rotateSecret(tx: Db, now: Date, applicationId: string, overlapDays: number): Promise<string> {
  await tx.webhookSecret.deleteMany({ where: { applicationId, expiresAt: { lte: now } } });
  const live = await tx.webhookSecret.count({ where: { applicationId } });
  const kept = overlapDays > 0 ? live : live - 1;
  if (kept >= MAX_LIVE_SECRETS) throw new AppError('too_many_secrets');
  const current = { applicationId, expiresAt: null };
  if (overlapDays === 0) await tx.webhookSecret.deleteMany({ where: current });
  else {
    const expiresAt = new Date(now.getTime() + overlapDays * DAY);
    await tx.webhookSecret.updateMany({ where: current, data: { expiresAt } });
  }
  return addSecret(tx, now, applicationId);
}
