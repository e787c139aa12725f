import type pg from 'pg';
import { IN_REACH } from '@/lib/booking/bookings/statements';
import { LOCAL_START } from '@/lib/booking/local-times';
import { bind, param, type Sql, sql, statement } from '@/lib/platform/sql';
import { reachedLocations } from '@/lib/platform/tenant-scope';
import { boundedRead } from '../bounded-read';
import { spellings } from '../requests/filter';

/** A `reference` represents all requests with one external reference. */
export const FOUND_KINDS = [
  'request',
  'booking',
  'delivery',
  'reference',
  'key',
  'application',
  'service',
  'specialist',
  'location',
] as const;

/** Deliveries and keys have `application_id`, for the URL of their page. */
export type Found = { kind: (typeof FOUND_KINDS)[number]; id: string; name: string; application_id: string | null };

export type Searcher = { tenantId: string; mayViewPartners: boolean };

const MAX_NAMED = 12;
const MAX_BOOKINGS = 5;

const TIMEOUT_MS = 700;

/** The last four characters of a key, as typed or as a page shows them. */
const LAST_FOUR = /^(?:…|\.{3})?([0-9A-Za-z]{4})$/;

const ID = /\b(req|pbr|evt|dlv|app|svc|loc|spc)_[0-9a-hjkmnp-tv-z]{26}\b/i;

/**
 * Returns the records of a tenant that match the text. A text that contains an id finds the record with this id. Any
 * other text finds:
 *
 * - keys by their last four characters
 * - bookings by external reference, in any letter case
 * - applications and catalog records by a part of their name
 * - requests by external reference, as given, in lowercase, or in uppercase (returned together as one record)
 *
 * Returns nothing if the search takes too long. Without `mayViewPartners`, only bookings and catalog records are found.
 */
export async function findRecords(by: Searcher, text: string): Promise<Found[]> {
  const [id, prefix] = ID.exec(text.toLowerCase()) ?? [];
  const lastFour = LAST_FOUR.exec(text)?.[1];
  const queries = id && prefix ? [byId(by, id, prefix)] : [byReference(by, text), byName(by, text)];
  if (lastFour) queries.unshift(bind(BY_LAST_FOUR, { ...by, lastFour }));
  const found = await boundedRead(TIMEOUT_MS, async (client) => {
    const records: Found[] = [];
    for (const query of queries) records.push(...(await client.query<Row>(query)).rows.map(foundOf));
    return records;
  });
  return found ?? [];
}

type Row = Found & { date?: string; start_time?: string };

/** The name of a booking is its service with its local date and time. */
function foundOf({ kind, id, name, application_id, date, start_time }: Row): Found {
  return { kind, id, name: date ? `${name ?? ''}, ${date} ${start_time}` : name, application_id };
}

const TENANT = param.text('tenantId');
const MAY_VIEW_PARTNERS = param.boolean('mayViewPartners');
const MAY_VIEW_CATALOG = param.boolean('mayViewCatalog');

/** A member who is limited to locations cannot open the catalog. */
const mayViewCatalog = () => reachedLocations() === null;

// Services and locations are found by their name in the tenant's default language. A specialist has the same name in
// all languages.
const NAMED = sql`(
  SELECT 'application' AS kind, id, name FROM applications WHERE tenant_id = ${TENANT} AND ${MAY_VIEW_PARTNERS}
  UNION ALL SELECT 'service', s.id, s.name->>t.default_locale FROM services s JOIN tenants t ON t.id = s.tenant_id
    WHERE s.tenant_id = ${TENANT} AND ${MAY_VIEW_CATALOG}
  UNION ALL SELECT 'specialist', id, display_name FROM specialists WHERE tenant_id = ${TENANT} AND ${MAY_VIEW_CATALOG}
  UNION ALL SELECT 'location', l.id, l.name->>t.default_locale FROM locations l JOIN tenants t ON t.id = l.tenant_id
    WHERE l.tenant_id = ${TENANT} AND ${MAY_VIEW_CATALOG}) AS named`;

const SEARCHED = param.text('searched');

// Names that start with the text come first. LIKE would treat % and _ in the text as wildcards.
const BY_NAME = statement<Row>()`
  SELECT kind, id, name, NULL AS application_id FROM ${NAMED}
  WHERE position(${SEARCHED} in lower(name)) > 0
  ORDER BY position(${SEARCHED} in lower(name)) > 1, lower(name), id LIMIT ${MAX_NAMED}`;

function byName(by: Searcher, text: string): pg.QueryConfig<unknown[]> {
  return bind(BY_NAME, { ...by, mayViewCatalog: mayViewCatalog(), searched: text.toLowerCase() });
}

const BOOKING = sql`'booking' AS kind, b.reference AS id, s.name->>t.default_locale AS name,
  NULL AS application_id, b.starts_at, b.time_zone, ${LOCAL_START}
  FROM bookings b JOIN services s ON s.id = b.service_id JOIN tenants t ON t.id = b.tenant_id`;

const BY_REFERENCE = statement<Row>()`
  (SELECT ${BOOKING} WHERE b.tenant_id = ${TENANT} AND lower(b.external_reference) = lower(${param.text('reference')}) AND ${IN_REACH}
    ORDER BY b.created_at DESC, b.reference DESC LIMIT ${MAX_BOOKINGS})
  UNION ALL (SELECT 'reference', external_reference, external_reference, NULL, NULL, NULL, NULL, NULL FROM request_log
    WHERE tenant_id = ${TENANT} AND ${MAY_VIEW_PARTNERS} AND external_reference = ANY (${param.texts('spellings')}) LIMIT 1)`;

function byReference(by: Searcher, reference: string): pg.QueryConfig<unknown[]> {
  return bind(BY_REFERENCE, { ...by, reference, spellings: spellings(reference) });
}

const ID_SEARCHED = param.text('id');

const REQUEST = statement<Row>()`
  SELECT 'request' AS kind, request_id AS id, concat_ws(' ', method, route, status) AS name, NULL AS application_id
  FROM request_log
  WHERE request_id = ${ID_SEARCHED} AND (tenant_id = ${TENANT} OR tenant_id IS NULL) AND ${MAY_VIEW_PARTNERS}`;

const BY_BOOKING = statement<Row>()`
  SELECT ${BOOKING} WHERE b.tenant_id = ${TENANT} AND b.reference = ${ID_SEARCHED} AND ${IN_REACH}`;

/** An event leads to its delivery or, without one, its booking. */
const eventBy = (column: Sql<object>) => statement<Row>()`
  SELECT CASE WHEN d.id IS NULL THEN 'booking' ELSE 'delivery' END AS kind,
    coalesce(d.id, v.booking_reference) AS id, v.type AS name, v.application_id
  FROM events v LEFT JOIN deliveries d ON d.event_id = v.id
  WHERE v.tenant_id = ${TENANT} AND ${column} = ${ID_SEARCHED}
    AND coalesce(d.id, v.booking_reference) IS NOT NULL AND ${MAY_VIEW_PARTNERS}`;

const BY_EVENT = eventBy(sql`v.id`);
const BY_DELIVERY = eventBy(sql`d.id`);

const BY_ID = statement<Row>()`
  SELECT kind, id, name, NULL AS application_id FROM ${NAMED} WHERE id = ${ID_SEARCHED}`;

function byId(by: Searcher, id: string, prefix: string): pg.QueryConfig<unknown[]> {
  if (prefix === 'req') return bind(REQUEST, { ...by, id });
  if (prefix === 'pbr') return bind(BY_BOOKING, { ...by, id });
  if (prefix === 'evt' || prefix === 'dlv') return bind(prefix === 'evt' ? BY_EVENT : BY_DELIVERY, { ...by, id });
  return bind(BY_ID, { ...by, mayViewCatalog: mayViewCatalog(), id });
}

// Valid keys come before revoked ones.
const BY_LAST_FOUR = statement<Row>()`
  SELECT 'key' AS kind, k.id, k.name || ' …' || k.last_four || ' (' || a.name || ')' ||
    CASE WHEN k.revoked_at IS NULL THEN '' ELSE ', revoked' END AS name, a.id AS application_id
  FROM api_keys k JOIN applications a ON a.id = k.application_id
  WHERE a.tenant_id = ${TENANT} AND ${MAY_VIEW_PARTNERS} AND k.last_four = ${param.text('lastFour')}
  ORDER BY k.revoked_at IS NOT NULL, k.created_at DESC, k.id LIMIT ${MAX_NAMED}`;
