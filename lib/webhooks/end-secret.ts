import { recordChange } from '@/lib/activity/audit/record';
import { invalidField, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { type EndpointTarget, lockEndpoint } from './endpoint';

/** Deactivates a replaced secret, for example if it leaked. @throws AppError not_found; invalid_request (current one). */
export async function endSecret(now: Date, target: EndpointTarget, number: number): Promise<{ version: number }> {
  const { tenantId, actor, applicationId } = target;
  return db().$transaction(async (tx) => {
    await lockEndpoint(tx, target);
    const secret = await tx.webhookSecret.findUnique({
      where: { applicationId_number: { applicationId, number } },
      select: { expiresAt: true },
    });
    if (!secret || (secret.expiresAt && secret.expiresAt <= now)) throw notFound();
    if (!secret.expiresAt) throw invalidField('number', 'must not be the current secret: rotate it instead');
    await tx.webhookSecret.delete({ where: { applicationId_number: { applicationId, number } } });
    const { version } = await tx.webhookEndpoint.update({
      where: { applicationId },
      data: { version: { increment: 1 } },
    });
    await recordChange(tx, now, {
      tenantId,
      actor,
      action: 'webhook.secret_ended',
      object: { kind: 'webhook_endpoint', id: applicationId },
      before: { secret: number, ends: secret.expiresAt.toISOString() },
      after: { secret: number, ends: now.toISOString() },
    });
    return { version };
  });
}
