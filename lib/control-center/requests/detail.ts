import type { Refused } from '@/lib/activity/request-log/log-entry';
import { notFound } from '@/lib/contract/errors/app-error';
import { ALL_OPERATIONS, BASE_PATH } from '@/lib/contract/operations';
import { db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { isBookingReference } from '@/lib/platform/ids';
import { bind, nullable, param, statement } from '@/lib/platform/sql';
import { ACTIVE } from '@/lib/webhooks/active';
import type { DeliveryState } from '@/lib/webhooks/deliveries';
import { MAX_ATTEMPTS } from '@/lib/webhooks/schedule';
import { helpOfEntry } from './help';

/** Also of events. */
const MAX_RELATED = 50;

type LogEntry = {
  request_id: string;
  at: Date;
  tenant_id: string | null;
  application_id: string | null;
  key_id: string | null;
  method: string;
  route: string | null;
  path: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  invalid_fields: string[];
  duration_ms: number;
  address: string | null;
  origin: string | null;
  user_agent: string | null;
  idempotency_key_hash: Buffer | null;
  replayed_from: string | null;
  booking_reference: string | null;
  external_reference: string | null;
  refused: Refused | null;
};

type RelatedRequest = Pick<LogEntry, 'request_id' | 'at' | 'method' | 'route' | 'status' | 'code' | 'reason'> & {
  /**
   * `original`: the displayed request is a replay of the related request. `replay`: the related request is a replay of
   * the displayed request, or both are replays of a third request. `same_key`: any other related request.
   */
  relation: 'original' | 'replay' | 'same_key';
};

/**
 * Returns the log entry of a request with its related records. Without a tenant, the address is null (architecture 4).
 * @throws AppError not_found if the request does not exist or belongs to another tenant.
 */
export async function readRequest(tenantId: string, requestId: string) {
  const { rows } = await pool().query<LogEntry>(
    'SELECT * FROM request_log WHERE request_id = $1 AND (tenant_id = $2 OR tenant_id IS NULL)',
    [requestId, tenantId],
  );
  const entry = rows[0];
  if (!entry) throw notFound();
  const [owner, related, events, refused] = await Promise.all([
    ownerOf(tenantId, entry),
    relatedRequests(entry),
    eventsOf(tenantId, entry),
    entry.refused && readRefused(tenantId, entry.refused),
  ]);
  const { idempotency_key_hash, tenant_id, application_id, key_id, ...shown } = entry;
  const had_idempotency_key = idempotency_key_hash !== null;
  return {
    ...shown,
    path: shownPath(entry),
    ...owner,
    // The page does not show the hash.
    had_idempotency_key,
    refused,
    booking_reference: entry.booking_reference ?? referenceInPath(entry.path),
    required_scope: entry.code === 'insufficient_scope' ? scopeOf(entry.method, entry.route) : null,
    help: helpOfEntry({ ...entry, had_idempotency_key, environment: env().ENVIRONMENT }),
    related,
    events,
    support_text: supportText({ ...entry, environment: env().ENVIRONMENT, origin: env().origin }),
  };
}

async function ownerOf(tenantId: string, { application_id, key_id }: LogEntry) {
  const [application, key] = await Promise.all([
    application_id && db().application.findFirst({ where: { id: application_id, tenantId } }),
    key_id && db().apiKey.findFirst({ where: { id: key_id, application: { tenantId } } }),
  ]);
  return {
    application: application ? { id: application.id, name: application.name } : null,
    key: key ? { id: key.id, name: key.name, prefix: key.prefix, last_four: key.lastFour } : null,
  };
}

// Each SELECT of the UNION uses one index: request_log_pkey, request_log_replayed_from_idx, and
// request_log_application_id_idempotency_key_hash_idx.
const RELATED = statement<RelatedRequest>()`
  SELECT DISTINCT ON (at, request_id) request_id, at, method, route, status, code, reason,
    CASE WHEN request_id = ${nullable(param.text('replayed_from'))} THEN 'original'
      WHEN replayed_from IN (${param.text('request_id')}, ${nullable(param.text('replayed_from'))}) THEN 'replay'
      ELSE 'same_key' END AS relation
  FROM (
    (SELECT * FROM request_log WHERE request_id = ${nullable(param.text('replayed_from'))})
    UNION ALL (SELECT * FROM request_log WHERE replayed_from = ${param.text('request_id')} LIMIT ${param.int('limit')})
    UNION ALL (SELECT * FROM request_log WHERE application_id = ${nullable(param.text('application_id'))}
      AND idempotency_key_hash = ${nullable(param.bytea('idempotency_key_hash'))} LIMIT ${param.int('limit')})
  ) AS entry
  WHERE tenant_id = ${param.text('tenant_id')} AND request_id <> ${param.text('request_id')}
  ORDER BY at, request_id LIMIT ${param.int('limit')}`;

async function relatedRequests({ tenant_id, ...entry }: LogEntry): Promise<RelatedRequest[]> {
  if (tenant_id === null || entry.idempotency_key_hash === null) return [];
  const { rows } = await pool().query<RelatedRequest>(bind(RELATED, { ...entry, tenant_id, limit: MAX_RELATED }));
  return rows;
}

type EventRow = {
  id: string;
  type: string;
  version: number | null;
  at: Date;
  delivery_id: string | null;
  delivery_state: DeliveryState;
  attempts: number;
  max_attempts: number;
};

// The index deliveries_event_id_key is unique, so the join returns one row per event.
const EVENTS = statement<EventRow>()`
  SELECT v.id, v.type, v.version, v.at, d.id AS delivery_id, d.scheduled_attempts AS attempts,
    ${param.int('maxAttempts')} AS max_attempts,
    CASE WHEN d.state = 'pending' AND NOT ${ACTIVE} THEN 'held' ELSE d.state END AS delivery_state
  FROM events v LEFT JOIN deliveries d ON d.event_id = v.id
    LEFT JOIN webhook_endpoints e ON e.application_id = d.application_id
    LEFT JOIN applications a ON a.id = d.application_id
  WHERE v.tenant_id = ${param.text('tenantId')} AND v.request_id = ${param.text('requestId')}
  ORDER BY v.at, v.id LIMIT ${param.int('limit')}`;

/** Uses the index events_request_id_idx. */
async function eventsOf(tenantId: string, { request_id: requestId, idempotency_key_hash }: LogEntry) {
  if (idempotency_key_hash === null) return [];
  const { rows } = await pool().query<EventRow>(
    bind(EVENTS, { tenantId, requestId, limit: MAX_RELATED, maxAttempts: MAX_ATTEMPTS }),
  );
  return rows.map(({ delivery_id: id, delivery_state: state, attempts, max_attempts, ...event }) => ({
    ...event,
    delivery: id === null ? null : { id, state, attempts, max_attempts },
  }));
}

// A partner can send a key or a phone number by mistake where the path expects a booking reference.
function shownPath({ path, route }: LogEntry): string | null {
  return path === route || referenceInPath(path) !== null ? path : null;
}

/** A write can be refused before the server finds its booking. The reference is then only in the path. */
function referenceInPath(path: string | null): string | null {
  const segment = path?.slice(`${BASE_PATH}/bookings/`.length).split('/')[0] ?? '';
  return isBookingReference(segment) ? segment : null;
}

function scopeOf(method: string, route: string | null): string | null {
  return ALL_OPERATIONS.find((one) => one.method === method && BASE_PATH + one.path === route)?.scope ?? null;
}

type LoggedRequest = Pick<LogEntry, 'at' | 'method' | 'route' | 'status' | 'code' | 'reason' | 'request_id'> & {
  environment: 'TEST' | 'LIVE';
  origin: string;
};

/** Users share this text, so it has the pattern of the route: a path may contain personal data or credentials (contract A). */
function supportText(request: LoggedRequest): string {
  const { environment, origin, at, method, route, status, code, reason, request_id } = request;
  const refusal = [code, reason && `(${reason})`].filter(Boolean).join(' ');
  return [
    `Environment: ${environment}`,
    `Method and URL: ${method} ${origin}${route ?? ' (unknown route)'}`,
    `UTC time: ${at.toISOString()}`,
    `Status: ${[status, refusal].filter(Boolean).join(' ')}`,
    `X-Request-Id: ${request_id}`,
  ].join('\n');
}

type Names = {
  service: string | null;
  location: string | null;
  specialist: string | null;
  time_zone: string | null;
};

// The names are in the tenant's default language.
const NAMES = statement<Names>()`
  SELECT coalesce(s.name->>t.default_locale, s.id) AS service, p.display_name AS specialist,
    coalesce(l.name->>t.default_locale, l.city) AS location, l.time_zone
  FROM tenants t
    LEFT JOIN services s ON s.tenant_id = t.id AND s.id = ${nullable(param.text('serviceId'))}
    LEFT JOIN locations l ON l.tenant_id = t.id AND l.id = ${nullable(param.text('locationId'))}
    LEFT JOIN specialists p ON p.tenant_id = t.id AND p.id = ${nullable(param.text('specialistId'))}
  WHERE t.id = ${param.text('tenantId')}`;

async function readRefused(tenantId: string, refused: Refused) {
  const { service_id: serviceId, location_id: locationId, specialist_id: specialistId, date, start_time } = refused;
  const ids = { serviceId: serviceId ?? null, locationId: locationId ?? null, specialistId: specialistId ?? null };
  const { rows } = await pool().query<Names>(bind(NAMES, { tenantId, ...ids }));
  const names = rows[0];
  return {
    service: serviceId ? { id: serviceId, name: names?.service ?? null } : null,
    location: locationId
      ? { id: locationId, name: names?.location ?? null, time_zone: names?.time_zone ?? null }
      : null,
    specialist: specialistId ? { id: specialistId, name: names?.specialist ?? null } : null,
    date: date ?? null,
    start_time: start_time ?? null,
  };
}
