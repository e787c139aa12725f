import { notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';

/** Changes that one answer holds. */
const MAX_CHANGES = 20;

/** One change of an application: who made it, when, and which parts. */
export type ApplicationChange = { at: Date; by: string; action: string; fields: string[] };

/**
 * Returns what happened to an application of the tenant since a version, newest first: every change raises the version
 * by one and leaves one audit line, so the lines are the last ones.
 * @throws AppError not_found.
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
  const lines = await db().auditLog.findMany({
    where: { tenantId, objectKind: 'application', objectId: applicationId },
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take,
  });
  const ids = [...new Set(lines.flatMap(({ actorKind, actorId }) => (actorKind === 'owner' && actorId) || []))];
  const users = await db().user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  const names = new Map(users.map(({ id, name }) => [id, name]));
  return lines.map(({ at, action, actorId, before, after }) => ({
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
