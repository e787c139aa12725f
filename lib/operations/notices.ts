import { failingApplications } from '@/lib/access/applications/failing';
import { inPool, queueNotice } from '@/lib/activity/mail/queue';
import { readOverlaps } from '@/lib/booking/bookings/overlaps';
import { unreadableCalendars } from '@/lib/booking/calendars/trouble';
import { pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { bind, param, statement } from '@/lib/platform/sql';
import { formatDay, formatInstant, localDayBounds, parseDay, storedZone, ZONE_RULES } from '@/lib/platform/time-zones';
import { lastBackup } from './backup/age';

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;

/** Days before the end of a key at which its members get a mail. */
const KEY_DAYS = [30, 14, 3];
/** Days after its end for which a mail about an expired key is still useful. */
const EXPIRED_DAYS = 7;
/** Maximum number of keys and of specialists per run. Each mails once, so the next runs find the others. */
const MAX_ENTRIES = 1_000;
/** Hours after which the newest backup is overdue. */
const BACKUP_HOURS = 26;
/** Days for which a mail about moved bookings is still useful. */
const MOVED_DAYS = 2;
/** The hour of the tenant's day from which the summary of the day before is sent. */
const SUMMARY_HOUR = 7;

type Tenant = { id: string; name: string; zone: string };

const TENANTS = statement<Tenant>('notices-tenants')`
  SELECT id, name, time_zone AS zone FROM tenants WHERE suspended_at IS NULL ORDER BY id`;

/** Queues the notices that no change causes. Each cause mails once, so the job can run at any time and in several processes. */
export async function queueNotices(now: Date, signal?: AbortSignal): Promise<void> {
  const { rows: tenants } = await pool().query<Tenant>(bind(TENANTS, {}));
  await aboutKeys(now);
  await aboutCatalog(now);
  await aboutCalendars(now);
  await aboutBackup(now, tenants);
  for (const tenant of tenants) {
    if (signal?.aborted) return;
    await aboutApplications(now, tenant);
    await aboutMoved(now, tenant);
    await aboutOverlaps(now, tenant);
    await aboutYesterday(now, tenant);
  }
}

const pageOf = (tenantId: string, path: string) => `${env().origin}/t/${tenantId}${path}`;

type Key = {
  id: string;
  tenantId: string;
  business: string;
  applicationId: string;
  application: string;
  key: string;
  endsAt: Date;
  createdAt: Date;
};

// A rotated key ends as planned, so nobody needs to know.
const KEYS = statement<Key>('notices-keys')`
  SELECT k.id, a.tenant_id AS "tenantId", t.name AS business, a.id AS "applicationId", a.name AS application,
    k.name || ' (…' || k.last_four || ')' AS key, k.expires_at AS "endsAt", k.created_at AS "createdAt"
  FROM api_keys k JOIN applications a ON a.id = k.application_id JOIN tenants t ON t.id = a.tenant_id
  WHERE k.revoked_at IS NULL AND k.rotated_to_id IS NULL AND a.suspended_at IS NULL AND t.suspended_at IS NULL
    AND k.expires_at > ${param.timestamptz('from')} AND k.expires_at <= ${param.timestamptz('to')}
  ORDER BY k.expires_at, k.id LIMIT ${MAX_ENTRIES}`;

async function aboutKeys(now: Date): Promise<void> {
  const from = new Date(now.getTime() - EXPIRED_DAYS * DAY);
  const to = new Date(now.getTime() + Math.max(...KEY_DAYS) * DAY);
  const { rows } = await pool().query<Key>(bind(KEYS, { from, to }));
  for (const { id, tenantId, applicationId, createdAt, endsAt, ...names } of rows) {
    const step = stepOf(now, createdAt, endsAt);
    if (step === null) continue;
    const days = Math.max(0, Math.ceil((endsAt.getTime() - now.getTime()) / DAY));
    const facts = { ...names, endsAt, days, url: pageOf(tenantId, `/applications/${applicationId}/keys`) };
    await queueNotice(inPool, now, { tenantId, kind: 'key_expiry', cause: `${id} ${step}`, facts });
  }
}

/**
 * Returns the number of days of the latest step that has begun, 0 for an expired key, or null. A step that began before
 * the key was issued says nothing new.
 */
export function stepOf(now: Date, createdAt: Date, endsAt: Date): number | null {
  if (endsAt <= now) return 0;
  const left = endsAt.getTime() - now.getTime();
  const life = endsAt.getTime() - createdAt.getTime();
  return [...KEY_DAYS].reverse().find((days) => left <= days * DAY && life > days * DAY) ?? null;
}

type Unbookable = {
  id: string;
  tenantId: string;
  business: string;
  kind: 'service' | 'location' | 'specialist';
  name: string;
  offers: boolean;
};

const OFFERED = `EXISTS (SELECT FROM offerings o JOIN services v ON v.id = o.service_id JOIN locations l ON l.id = o.location_id
    JOIN specialists p ON p.id = o.specialist_id
  WHERE o.tenant_id = r.tenant_id AND v.published AND l.published AND p.published AND r.id = `;

const UNBOOKABLE = `
  SELECT r.id, r.tenant_id AS "tenantId", t.name AS business, r.kind, r.name, r.offers
  FROM (
    SELECT r.id, r.tenant_id, 'specialist' AS kind, r.display_name AS name, ${OFFERED} o.specialist_id) AS offers,
      EXISTS (SELECT FROM specialist_hours h WHERE h.tenant_id = r.tenant_id AND h.specialist_id = r.id)
        OR EXISTS (SELECT FROM specialist_exceptions e WHERE e.tenant_id = r.tenant_id AND e.specialist_id = r.id) AS works
    FROM specialists r WHERE r.published
    UNION ALL SELECT r.id, r.tenant_id, 'service', coalesce(r.name->>t.default_locale, r.id), ${OFFERED} o.service_id), true
      FROM services r JOIN tenants t ON t.id = r.tenant_id WHERE r.published
    UNION ALL SELECT r.id, r.tenant_id, 'location', coalesce(r.name->>t.default_locale, r.city), ${OFFERED} o.location_id), true
      FROM locations r JOIN tenants t ON t.id = r.tenant_id WHERE r.published) r
    JOIN tenants t ON t.id = r.tenant_id
  WHERE t.suspended_at IS NULL AND NOT (r.offers AND r.works)
    AND NOT EXISTS (SELECT FROM mails m WHERE m.kind = 'not_bookable' AND m.cause = r.id)
  ORDER BY r.id LIMIT ${MAX_ENTRIES}`;

async function aboutCatalog(now: Date): Promise<void> {
  const { rows } = await pool().query<Unbookable>({ name: 'notices-unbookable', text: UNBOOKABLE });
  for (const { id, tenantId, business, kind, name, offers } of rows) {
    const reason = offers ? ('no_hours' as const) : ('no_offering' as const);
    const facts = { business, kind, name, reason, url: pageOf(tenantId, `/catalog/${kind}s/${id}`) };
    await queueNotice(inPool, now, { tenantId, kind: 'not_bookable', cause: id, facts });
  }
}

/** Hours without a success after which members get a mail about a calendar. */
const CALENDAR_HOURS = [24, 2];

async function aboutCalendars(now: Date): Promise<void> {
  for (const calendar of await unreadableCalendars(now, null)) {
    const { id, tenantId, business, name, whose, since, block_when_stale: blocks } = calendar;
    const hours = CALENDAR_HOURS.find((step) => now.getTime() - since.getTime() >= step * 60 * MINUTE);
    if (hours === undefined) continue;
    const path = calendar.specialist_id ? `specialists/${calendar.specialist_id}` : `locations/${calendar.location_id}`;
    const facts = { business, calendar: name, whose, hours, blocks, url: pageOf(tenantId, `/catalog/${path}`) };
    const cause = `${id} ${since.getTime()} ${hours}`;
    await queueNotice(inPool, now, { tenantId, kind: 'calendar_unreadable', cause, facts });
  }
}

async function aboutApplications(now: Date, { id: tenantId, name: business }: Tenant): Promise<void> {
  const today = now.toISOString().slice(0, 10);
  for (const { id, name: application, requests, errors } of await failingApplications(tenantId, now)) {
    const facts = { business, application, requests, errors, url: pageOf(tenantId, `/requests?application=${id}`) };
    await queueNotice(inPool, now, { tenantId, kind: 'application_errors', cause: `${id} ${today}`, facts });
  }
}

async function aboutOverlaps(now: Date, { id: tenantId, name: business }: Tenant): Promise<void> {
  const { total: count } = await readOverlaps(now, tenantId);
  if (count === 0) return;
  const facts = { business, count, url: pageOf(tenantId, '') };
  await queueNotice(inPool, now, { tenantId, kind: 'overlaps', cause: `${tenantId} ${ZONE_RULES}`, facts });
}

// The tenants whose future bookings have all been derived with these rules. Before, the number would be too small.
const MOVED = statement<{ count: number }>('notices-moved')`
  SELECT count(*)::int AS count FROM audit_log g
  WHERE g.tenant_id = ${param.text('tenantId')} AND g.action = 'booking.updated' AND g.at > ${param.timestamptz('from')}
    AND EXISTS (SELECT FROM environment e WHERE e.zone_rules = ${param.text('rules')} AND e.zone_rules_derived_at > ${param.timestamptz('from')})`;

async function aboutMoved(now: Date, { id: tenantId, name: business }: Tenant): Promise<void> {
  const from = new Date(now.getTime() - MOVED_DAYS * DAY);
  const { rows } = await pool().query<{ count: number }>(bind(MOVED, { tenantId, from, rules: ZONE_RULES }));
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  const facts = { business, count, rules: ZONE_RULES, url: pageOf(tenantId, '/audit?action=booking.updated') };
  await queueNotice(inPool, now, { tenantId, kind: 'moved_bookings', cause: `${tenantId} ${ZONE_RULES}`, facts });
}

/**
 * The backup is that of the deployment. If several businesses share it, their members are not those who run it, and the
 * operator has the metric. Without a recorded backup, there may be backups by other means.
 */
async function aboutBackup(now: Date, tenants: readonly Tenant[]): Promise<void> {
  const [tenant, other] = tenants;
  const lastAt = await lastBackup();
  if (!tenant || other || !lastAt || now.getTime() - lastAt.getTime() <= BACKUP_HOURS * 60 * MINUTE) return;
  const facts = { lastAt, url: pageOf(tenant.id, '/environment') };
  const cause = `backup ${lastAt.getTime()}`;
  await queueNotice(inPool, now, { tenantId: tenant.id, kind: 'backup_overdue', cause, facts });
}

const SUMMARY = statement<{ created: number; requests: number; failed: number }>('notices-summary')`
  SELECT (SELECT count(*)::int FROM events WHERE tenant_id = ${param.text('tenantId')} AND type = 'booking.created'
      AND at >= ${param.timestamptz('from')} AND at < ${param.timestamptz('to')}) AS created,
    coalesce(sum(requests), 0)::int AS requests, coalesce(sum(requests) FILTER (WHERE status >= 400), 0)::int AS failed
  FROM request_counts WHERE tenant_id = ${param.text('tenantId')}
    AND hour >= ${param.timestamptz('from')} AND hour < ${param.timestamptz('to')}`;

const WANTED = statement<{ wanted: boolean }>('notices-summary-wanted')`
  SELECT EXISTS (SELECT FROM memberships m JOIN users u ON u.id = m.user_id
    WHERE m.tenant_id = ${param.text('tenantId')} AND m.role = 'OWNER' AND 'daily_summary' <> ALL (u.unwanted_mails)) AS wanted`;

/** Queues the summary of the tenant's last day. Requests are counted by the hours of UTC. */
async function aboutYesterday(now: Date, { id: tenantId, name: business, zone: name }: Tenant): Promise<void> {
  const zone = storedZone(name);
  const { date, time } = formatInstant(zone, Math.floor(now.getTime() / MINUTE));
  if (Number(time.slice(0, 2)) < SUMMARY_HOUR) return;
  const { rows: wanted } = await pool().query<{ wanted: boolean }>(bind(WANTED, { tenantId }));
  if (!wanted[0]?.wanted) return;
  const day = formatDay(parseDay(date) - 1);
  const bounds = localDayBounds(zone, day);
  const range = { from: new Date(bounds.from * MINUTE), to: new Date(bounds.to * MINUTE) };
  const { rows } = await pool().query<{ created: number; requests: number; failed: number }>(
    bind(SUMMARY, { tenantId, ...range }),
  );
  if (!rows[0]) return;
  const facts = { business, day, ...rows[0], url: pageOf(tenantId, '') };
  await queueNotice(inPool, now, { tenantId, kind: 'daily_summary', cause: `${tenantId} ${day}`, facts });
}
