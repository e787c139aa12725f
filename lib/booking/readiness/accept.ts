import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import type { Readiness } from '@/lib/contract/readiness';
import { type Db, db } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { openCertificate } from './certificate';

type Target = { tenantId: string; applicationId: string };

/** The certificate that an owner of LIVE added to an application. `problem`: why it does not count now, or null. */
export type Accepted = { added_at: Date; readiness: Readiness | null; problem: string | null };

const KIND = 'certificate';

/**
 * Stores the certificate of an application in TEST with the application of the same name in LIVE (contract B21), instead
 * of an earlier one. The audit log has the score.
 * @throws AppError not_found, also in TEST; invalid_request, which names the field `file` and why.
 */
export async function acceptCertificate(
  now: Date,
  { tenantId, applicationId, actor, file }: Target & { actor: Actor; file: string },
): Promise<Readiness> {
  if (env().ENVIRONMENT !== 'LIVE') throw notFound();
  return db().$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM applications WHERE id = ${applicationId} AND tenant_id = ${tenantId} FOR NO KEY UPDATE`;
    const application = await tx.application.findFirst({ where: { id: applicationId, tenantId } });
    if (!application) throw notFound();
    const readiness = openCertificate(file, now);
    if (readiness.application.name !== application.name)
      throw invalidField('file', 'is for an application with another name. Both must have the same name');
    const row = { at: now, value: { file: file.trim() } };
    const before = await stored(tx, { tenantId, applicationId });
    await tx.readinessRecord.upsert({
      where: { applicationId_kind: { applicationId, kind: KIND } },
      create: { tenantId, applicationId, kind: KIND, ...row },
      update: row,
    });
    const object = { kind: 'application', id: applicationId };
    const { met, host, issued_at } = readiness;
    await recordChange(tx, now, {
      ...{ tenantId, actor, action: 'application.readiness_added', object },
      ...(before && { before: { readiness_added_at: before.at.toISOString() } }),
      after: { met, of: readiness.criteria.length, host, issued_at },
    });
    return readiness;
  });
}

/** Returns the certificate of an application, checked again, or null. @throws AppError not_found. */
export async function readAccepted(now: Date, target: Target): Promise<Accepted | null> {
  const { tenantId, applicationId: id } = target;
  if (!(await db().application.findFirst({ where: { id, tenantId }, select: { id: true } }))) throw notFound();
  const row = await stored(db(), target);
  if (!row) return null;
  const { file } = row.value as { file: string };
  try {
    return { added_at: row.at, readiness: openCertificate(file, now), problem: null };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { added_at: row.at, readiness: null, problem: error.fields?.[0]?.message ?? null };
  }
}

function stored(tx: Db, { tenantId, applicationId }: Target) {
  return tx.readinessRecord.findFirst({ where: { tenantId, applicationId, kind: KIND } });
}
