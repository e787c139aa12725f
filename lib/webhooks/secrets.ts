import { randomBytes } from 'node:crypto';
import { AppError } from '@/lib/contract/errors/app-error';
import { open, seal } from '@/lib/platform/crypto';
import type { Db } from '@/lib/platform/db';

/** Secrets of one endpoint that may sign at the same time (contract B11). */
export const MAX_LIVE_SECRETS = 5;

/** Days that an old secret may sign along after a rotation (contract B11). */
export const MAX_OVERLAP_DAYS = 7;

const DAY = 86_400_000;

const placeOf = (applicationId: string, number: number) => `webhook_secrets.sealed ${applicationId} ${number}`;

/** Returns a stored secret as it signs: `whsec_` and base64. */
export function openSecret(applicationId: string, number: number, sealed: Uint8Array): string {
  return open(sealed, placeOf(applicationId, number));
}

/** Makes the current secret of an endpoint and returns it: the only time it is seen. */
export async function addSecret(tx: Db, now: Date, applicationId: string): Promise<string> {
  const last = await tx.webhookSecret.aggregate({ where: { applicationId }, _max: { number: true } });
  const number = (last._max.number ?? 0) + 1;
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const sealed = new Uint8Array(seal(secret, placeOf(applicationId, number)));
  await tx.webhookSecret.create({ data: { applicationId, number, sealed, createdAt: now } });
  return secret;
}

/**
 * Replaces the current secret; the old one signs along for so many days, those before it until their own end. What has
 * ended is deleted. The caller holds the endpoint's row.
 * @throws AppError too_many_secrets when five would sign beside the new one.
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
