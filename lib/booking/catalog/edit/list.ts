import { db } from '@/lib/platform/db';
import { Prisma } from '@/lib/platform/generated/prisma/client';
import type { WeeklyHoursRecord } from '../../availability/input';
import type { Languages } from '../records';
import type { KindName } from './kind';
import type { NextPrice } from './scheduled-prices';
import { languagesOf } from './write';

export const PAGE_SIZE = 50;

export type ListQuery = {
  /** Part of a name or of the category of a service, or a complete id. */
  search: string;
  status: 'any' | 'published' | 'unpublished';
  /** From 1. */
  page: number;
  /** Only of services: a category as the list shows it, or '' for services without one. */
  category?: string | null;
};

type Common = { id: string; name: string; published: boolean };

export type ServiceSummary = Common & {
  category: string | null;
  duration_minutes: number;
  capacity: number;
  price_amount: number | null;
  price_currency: string | null;
  /** From a later date. */
  next_price: NextPrice | null;
  specialist_count: number;
  location_count: number;
};

export type LocationSummary = Common & {
  city: string;
  time_zone: string;
  specialist_count: number;
  service_count: number;
};

export type SpecialistSummary = Common & { title: string | null; service_count: number; location_names: string[] };

/** In the tenant's default language, or the language whose tag comes first in the alphabet. */
const text = (column: string) =>
  Prisma.raw(`coalesce(r.${column}->>t.default_locale,
    (SELECT value FROM jsonb_each_text(r.${column}) ORDER BY key LIMIT 1))`);

/** `count('location', 'service')` counts the locations where a service is offered. */
const count = (what: KindName, of: KindName) =>
  Prisma.raw(`(SELECT count(DISTINCT o.${what}_id)::int FROM offerings o
    WHERE o.tenant_id = r.tenant_id AND o.${of}_id = r.id) AS ${what}_count`);

const COLUMNS: Record<KindName, Prisma.Sql> = {
  service: Prisma.sql`${text('name')} AS name, ${text('category')} AS category, r.duration_minutes, r.capacity,
    r.price_amount, r.price_currency,
    (SELECT json_build_object('amount', p.amount, 'currency', p.currency, 'valid_from', p.valid_from)
      FROM scheduled_prices p WHERE p.tenant_id = r.tenant_id AND p.service_id = r.id) AS next_price,
    ${count('specialist', 'service')}, ${count('location', 'service')}`,
  location: Prisma.sql`${text('name')} AS name, r.city, r.time_zone, ${count('specialist', 'location')},
    ${count('service', 'location')}`,
  specialist: Prisma.sql`r.display_name AS name, ${text('title')} AS title, ${count('service', 'specialist')},
    ARRAY(SELECT DISTINCT coalesce(l.name->>t.default_locale, l.city) FROM offerings o
      JOIN locations l ON l.id = o.location_id
      WHERE o.tenant_id = r.tenant_id AND o.specialist_id = r.id ORDER BY 1) AS location_names`,
};

/** Ordered by name. */
async function listRecords<T>(
  kind: KindName,
  tenantId: string,
  { search, status, page, category = null }: ListQuery,
): Promise<{ records: T[]; total: number }> {
  const searched = search.trim().toLowerCase();
  // LIKE would treat % and _ in the search text as wildcards.
  const found = searched
    ? Prisma.sql`AND (position(${searched} in lower(name)) > 0 OR id = ${searched}
        ${kind === 'service' ? Prisma.sql`OR position(${searched} in lower(category)) > 0` : Prisma.empty})`
    : Prisma.empty;
  const inCategory = category === null ? Prisma.empty : Prisma.sql`AND coalesce(category, '') = ${category}`;
  const inState = status === 'any' ? Prisma.empty : Prisma.sql`AND published = ${status === 'published'}`;
  const all = Prisma.sql`
    SELECT r.id, r.published, ${COLUMNS[kind]} FROM ${Prisma.raw(`${kind}s`)} r
    JOIN tenants t ON t.id = r.tenant_id WHERE r.tenant_id = ${tenantId}`;
  const [records, counted] = await Promise.all([
    db().$queryRaw<T[]>`SELECT * FROM (${all}) x WHERE true ${found} ${inState} ${inCategory}
      ORDER BY lower(name), id LIMIT ${PAGE_SIZE} OFFSET ${(page - 1) * PAGE_SIZE}`,
    db().$queryRaw<
      { total: number }[]
    >`SELECT count(*)::int AS total FROM (${all}) x WHERE true ${found} ${inState} ${inCategory}`,
  ]);
  return { records, total: counted[0]?.total ?? 0 };
}

export const listServices = (tenantId: string, query: ListQuery) =>
  listRecords<ServiceSummary>('service', tenantId, query);

export const listLocations = (tenantId: string, query: ListQuery) =>
  listRecords<LocationSummary>('location', tenantId, query);

export const listSpecialists = (tenantId: string, query: ListQuery) =>
  listRecords<SpecialistSummary>('specialist', tenantId, query);

/** `name` is null for services without a category. */
type Category = { name: string | null; services: number };

/** Returns the categories of the services as the list shows them, ordered by name, those without one last. */
export function listCategories(tenantId: string): Promise<Category[]> {
  return db().$queryRaw<Category[]>`
    SELECT name, count(*)::int AS services FROM (SELECT ${text('category')} AS name FROM services r
      JOIN tenants t ON t.id = r.tenant_id WHERE r.tenant_id = ${tenantId}) x
    GROUP BY name ORDER BY lower(name) NULLS LAST, name`;
}

export type Choice = Common;

/** Ordered by name. */
export type Choices = Languages & {
  services: Choice[];
  locations: (Choice & { time_zone: string; hours: WeeklyHoursRecord[] })[];
  specialists: Choice[];
};

const HOURS = Prisma.sql`coalesce((
  SELECT json_agg(json_build_object('weekday', h.weekday, 'opens', h.opens, 'closes', h.closes) ORDER BY h.weekday, h.opens)
  FROM location_hours h WHERE h.location_id = r.id), '[]')`;

/** Returns the choices for the catalog forms. */
export async function readChoices(tenantId: string): Promise<Choices> {
  const of = <T>(kind: KindName, columns: Prisma.Sql) => db().$queryRaw<T[]>`
    SELECT * FROM (SELECT r.id, r.published, ${columns} FROM ${Prisma.raw(`${kind}s`)} r
      JOIN tenants t ON t.id = r.tenant_id WHERE r.tenant_id = ${tenantId}) x ORDER BY lower(name), id`;
  const name = Prisma.sql`${text('name')} AS name`;
  const [languages, services, locations, specialists] = await Promise.all([
    languagesOf(tenantId),
    of<Choice>('service', name),
    of<Choices['locations'][number]>('location', Prisma.sql`${name}, r.time_zone, ${HOURS} AS hours`),
    of<Choice>('specialist', Prisma.sql`r.display_name AS name`),
  ]);
  return { ...languages, services, locations, specialists };
}
