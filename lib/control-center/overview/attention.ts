import { failingApplications } from '@/lib/access/applications/failing';
import { readOverlaps } from '@/lib/booking/bookings/overlaps';
import { busyConflicts, unreadableCalendars } from '@/lib/booking/calendars/trouble';
import { CURRENCIES } from '@/lib/contract/currencies';
import { EXAMPLE_REFERENCES } from '@/lib/operations/sandbox/example-bookings';
import { db, pool } from '@/lib/platform/db';

const DAY = 86_400_000;

/** Days. */
const EXPIRY_DAYS = 14;
const MAX_ENTRIES = 20;

/**
 * Returns what needs attention. For the error rates, only the newest 2,000 requests of each application are counted.
 * The following need attention:
 *
 * - two appointments of a specialist that overlap after a change of time zone rules
 * - confirmed bookings at a time at which a calendar or an own system is busy
 * - calendars that could not be read for two hours
 * - keys that expire within 14 days, are not rotated or revoked, and belong to an active application
 * - applications with at least 20 requests in the last 24 hours, of which at least 20% failed
 * - applications with at least 5 requests in the last 24 hours, all of which failed
 * - suspended applications
 * - services with a price in a code that is not a current currency, from an earlier version or before an amendment of
 *   ISO 4217
 */
export async function attentionOf(tenantId: string, now: Date) {
  const [{ overlaps, total }, busy, unreadable, keys, failed, suspended, invalidPrices] = await Promise.all([
    readOverlaps(now, tenantId),
    busyConflicts(now, tenantId),
    unreadableCalendars(now, tenantId),
    db().apiKey.findMany({
      where: {
        application: { tenantId, suspendedAt: null },
        revokedAt: null,
        rotatedToId: null,
        expiresAt: { gt: now, lte: new Date(now.getTime() + EXPIRY_DAYS * DAY) },
      },
      include: { application: { select: { id: true, name: true } } },
      orderBy: { expiresAt: 'asc' },
      take: MAX_ENTRIES,
    }),
    failingApplications(tenantId, now),
    db().application.findMany({
      where: { tenantId, suspendedAt: { not: null } },
      orderBy: { suspendedAt: 'desc' },
      take: MAX_ENTRIES,
    }),
    pool().query<{ id: string; name: string; currency: string }>(INVALID_PRICES_SQL, [
      tenantId,
      CURRENCIES.map(({ code }) => code),
    ]),
  ]);
  return {
    overlaps,
    overlap_total: total,
    busy_conflicts: busy.conflicts,
    busy_conflict_total: busy.total,
    unreadable_calendars: unreadable.map(({ tenantId: _, business: __, ...calendar }) => calendar),
    expiring_keys: keys.map(({ id, name, lastFour, expiresAt, application }) => ({
      id,
      name,
      last_four: lastFour,
      ends_at: expiresAt ?? now,
      application,
    })),
    failing_applications: failed,
    suspended_applications: suspended.map(({ id, name, suspendedAt }) => ({
      id,
      name,
      suspended_at: suspendedAt ?? now,
    })),
    invalid_prices: invalidPrices.rows,
  };
}

const INVALID_PRICES_SQL = `
  SELECT s.id, coalesce(s.name->>t.default_locale, s.id) AS name, s.price_currency AS currency
  FROM services s JOIN tenants t ON t.id = s.tenant_id
  WHERE s.tenant_id = $1 AND s.price_currency <> ALL($2)
  ORDER BY s.id LIMIT ${MAX_ENTRIES}`;

/**
 * Counts published catalog records, all applications, valid keys, or webhook endpoints. A location must have opening
 * hours, and a specialist working hours at a published location. The service, specialist, and location of an offering
 * must be published. `requests`: the request log has an entry. `bookings`: there was a booking, other than those of the sandbox's
 * examples.
 */
export type Progress = Record<
  'locations' | 'specialists' | 'services' | 'offerings' | 'applications' | 'keys' | 'endpoints',
  number
> & { requests: boolean; bookings: boolean };

/** Returns the progress of setting up a tenant. */
export async function progressOf(tenantId: string, now: Date): Promise<Progress> {
  const live = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] };
  const shown = { tenantId, published: true };
  const [locations, specialists, services, offerings, applications, keys, endpoints, request, booking] =
    await Promise.all([
      db().location.count({ where: { ...shown, OR: [{ hours: { some: {} } }, { exceptions: { some: {} } }] } }),
      db().specialist.count({ where: { ...shown, hours: { some: { location: shown } } } }),
      db().service.count({ where: shown }),
      db().offering.count({ where: { tenantId, location: shown, specialist: shown, service: shown } }),
      db().application.count({ where: { tenantId } }),
      db().apiKey.count({ where: { ...live, application: { tenantId } } }),
      db().webhookEndpoint.count({ where: { tenantId } }),
      // Uses the index request_log_tenant_id_at_status_idx.
      pool().query('SELECT 1 FROM request_log WHERE tenant_id = $1 LIMIT 1', [tenantId]),
      db().booking.findFirst({
        where: { tenantId, reference: { notIn: [...EXAMPLE_REFERENCES] } },
        select: { reference: true },
      }),
    ]);
  const counts = { locations, specialists, services, offerings, applications, keys, endpoints };
  return { ...counts, requests: request.rowCount === 1, bookings: booking !== null };
}
