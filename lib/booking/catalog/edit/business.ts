import type { Actor } from '@/lib/activity/audit/actor';
import { recordChange } from '@/lib/activity/audit/record';
import { AppError, invalidField, notFound } from '@/lib/contract/errors/app-error';
import { db } from '@/lib/platform/db';
import { changeCatalog } from './write';

/** The settings of a business. The first language is the default (contract B4). */
export type Business = { business_name: string; time_zone: string; locales: string[] };

const COLUMNS = { name: true, timeZone: true, locales: true } as const;

type Row = { name: string; timeZone: string; locales: string[] };

const shown = ({ name, timeZone, locales }: Row): Business => ({ business_name: name, time_zone: timeZone, locales });

/**
 * Returns the settings of a tenant's business.
 * @throws AppError not_found.
 */
export async function readBusiness(tenantId: string): Promise<Business> {
  const row = await db().tenant.findFirst({ where: { id: tenantId }, select: COLUMNS });
  if (!row) throw notFound();
  return shown(row);
}

type Change = { tenantId: string; actor: Actor; before: Business; after: Business };

/**
 * Changes the settings of the business. Languages can be added but not removed. The default language cannot change,
 * because every text must exist in the default language.
 * @param change.before the settings that the owner's form showed.
 * @throws AppError version_conflict if the settings no longer equal `before`; invalid_request for `locales` if an
 *   existing language is missing or the default language differs.
 */
export async function changeBusiness(now: Date, { tenantId, actor, before, after }: Change): Promise<void> {
  // `changeCatalog` invalidates the cached catalog, from which partners read the tenant's languages.
  await changeCatalog(now, { tenantId, actor }, async ({ tx }) => {
    const current = shown(await tx.tenant.findUniqueOrThrow({ where: { id: tenantId }, select: COLUMNS }));
    if (!same(current, before)) throw new AppError('version_conflict');
    if (same(current, after)) return;
    if (after.locales[0] !== current.locales[0]) throw invalidField('locales', 'must keep the first language');
    if (!current.locales.every((locale) => after.locales.includes(locale)))
      throw invalidField('locales', 'must keep the existing languages');
    const { business_name: name, time_zone: timeZone, locales } = after;
    await tx.tenant.update({ where: { id: tenantId }, data: { name, timeZone, locales } });
    const object = { kind: 'tenant', id: tenantId };
    await recordChange(tx, now, { tenantId, actor, action: 'tenant.changed', object, before: current, after });
  });
}

function same(one: Business, other: Business): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

const ordered = ({ business_name, time_zone, locales }: Business) => [business_name, time_zone, locales];
