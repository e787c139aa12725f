import { readTenant } from '@/lib/access/tenants/read';
import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField } from '@/lib/contract/errors/app-error';
import { type Db, db, readIn } from '@/lib/platform/db';
import { consumeAttempt } from '@/lib/platform/rate-limit/rate-limit';
import { join, param, sql, statement } from '@/lib/platform/sql';
import { skeletonOf } from '@/lib/platform/text/skeleton';
import { changeCatalog } from './write';

export type Business = { business_name: string; time_zone: string; locales: string[] };

const COLUMNS = { name: true, timeZone: true, locales: true } as const;

type Row = { name: string; timeZone: string; locales: string[] };

const shown = ({ name, timeZone, locales }: Row): Business => ({ business_name: name, time_zone: timeZone, locales });

/** Returns the settings of a tenant's business. @throws AppError not_found. */
export async function readBusiness(tenantId: string): Promise<Business> {
  return shown(await readTenant(db(), tenantId, COLUMNS));
}

type Change = { tenantId: string; actor: Actor; before: Business; after: Business };

/**
 * Changes the settings of the business. Languages can only be added. The first one is the default. It can change while
 * nothing is published, if every text exists in it. `before` is what the owner's form showed.
 * @throws AppError version_conflict if the settings no longer equal `before`; invalid_request for `locales`, or for
 * `business_name` if it looks like another tenant's; rate_limited after too many new names within a minute.
 */
export async function changeBusiness(now: Date, { tenantId, actor, before, after }: Change): Promise<void> {
  const renamed = after.business_name !== before.business_name;
  if (renamed) await countName(tenantId);
  // Invalidates the cached catalog, from which partners read the tenant's languages.
  const changing = changeCatalog(now, { tenantId, actor }, async ({ tx }) => {
    const current = shown(await readTenant(tx, tenantId, COLUMNS));
    if (!same(current, before)) throw new AppError('version_conflict');
    if (same(current, after)) return;
    const defaultLocale = after.locales[0] ?? '';
    if (!current.locales.every((locale) => after.locales.includes(locale)))
      throw invalidField('locales', 'must keep the existing languages');
    if (defaultLocale !== current.locales[0]) await refuseNewDefault(tx, tenantId, defaultLocale);
    const { business_name: name, time_zone: timeZone, locales } = after;
    await tx.tenant.update({ where: { id: tenantId }, data: { name, timeZone, locales, defaultLocale } });
    // A trigger removes the skeleton if only the name changes, also if the new name has the same skeleton.
    if (renamed) await tx.tenant.update({ where: { id: tenantId }, data: { nameSkeleton: skeletonOf(name) } });
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'tenant.changed', object, before: current, after });
  });
  await changing.catch((error: unknown) => {
    throw isNameTaken(error) ? invalidField('business_name', 'is not available; choose another name') : error;
  });
}

const TEXTS = [
  [sql`services`, sql`name`],
  [sql`services`, sql`category`],
  [sql`services`, sql`description`],
  [sql`locations`, sql`name`],
  [sql`specialists`, sql`title`],
  [sql`specialists`, sql`description`],
] as const;

const MISSING = join(
  TEXTS.map(
    ([table, column]) => sql`SELECT 1 FROM ${table}
      WHERE tenant_id = ${param.text('tenantId')} AND jsonb_typeof(${column}) = 'object'
        AND NOT jsonb_exists(${column}, ${param.text('locale')})`,
  ),
  ' UNION ALL ',
);

const ONE_MISSING = statement<object>()`${MISSING} LIMIT 1`;

async function refuseNewDefault(tx: Db, tenantId: string, locale: string): Promise<void> {
  const where = { tenantId, published: true };
  const published = await Promise.all([
    tx.service.count({ where }),
    tx.location.count({ where }),
    tx.specialist.count({ where }),
  ]);
  if (published.some((count) => count > 0))
    throw invalidField('locales', 'must keep the first language while a part of the catalog is published');
  const rows = await readIn(tx, ONE_MISSING, { tenantId, locale });
  if (rows.length > 0)
    throw invalidField('locales', 'must begin with a language in which every text of the catalog exists');
}

/** Per tenant. An owner could otherwise test which names other tenants have. */
const NAMES_PER_MINUTE = 5;

async function countName(tenantId: string): Promise<void> {
  const { exceeded, retryAfter } = await consumeAttempt(`business-name:${tenantId}`, NAMES_PER_MINUTE);
  if (exceeded) throw new AppError('rate_limited', { retryAfter });
}

// The statements of an owner see only the owner's tenant, so the database decides.
const isNameTaken = (error: unknown) =>
  error instanceof AppError && error.fields.some(({ message }) => message.includes('tenants_name_skeleton_key'));

function same(one: Business, other: Business): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

const ordered = ({ business_name, time_zone, locales }: Business) => [business_name, time_zone, locales];
