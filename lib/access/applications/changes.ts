import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';

const MAX_CHANGES = 20;

export type ApplicationChange = { at: Date; by: string; action: string; fields: string[] };

/**
 * Returns an application's changes since a version, newest first, at most `MAX_CHANGES`. Every change increments the
 * version and writes one audit entry, so the newest `application.version - version` entries are these changes.
 * @throws AppError not_found if the tenant has no such application.
 */
export async function changesSince(
  tenantId: string,
  applicationId: string,
  version: number,
): Promise<ApplicationChange[]> {
  const application = await db().application.findFirst({
    where: { id: applicationId, tenantId },
    select: { version: true },
  });
  if (!application) throw notFound();
  const take = Math.min(Math.max(application.version - version, 0), MAX_CHANGES);
  if (take === 0) return [];
  const entries = await db().auditLog.findMany({
    where: { tenantId, objectKind: 'application', objectId: applicationId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take,
  });
  const ids = [...new Set(entries.flatMap(({ actorKind, actorId }) => (actorKind === 'owner' && actorId) || []))];
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return entries.map(({ at, action, actorId, before, after }) => ({
    at,
    by: names.get(actorId ?? '') ?? 'The system',
    action,
    fields: changedFields(before, after),
  }));
}

function changedFields(before: unknown, after: unknown): string[] {
  const [old, now] = [before, after].map((value) => (typeof value === 'object' && value !== null ? value : {}));
  const was = new Map(Object.entries(old ?? {}));
  return Object.entries(now ?? {}).flatMap(([name, value]) =>
    JSON.stringify(was.get(name)) === JSON.stringify(value) ? [] : [name],
  );
}
