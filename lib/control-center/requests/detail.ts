import { notFound } from '@/lib/contract/errors/app-error';
import { helpFor } from '@/lib/contract/errors/help';
import type { Help } from '@/lib/contract/errors/reasons';
import { BASE_PATH, OPERATIONS } from '@/lib/contract/operations';
import { db, pool } from '@/lib/platform/db';
import { env } from '@/lib/platform/env';
import { isBookingReference } from '@/lib/platform/ids';
import { activeSql } from '@/lib/webhooks/active';
import type { DeliveryState } from '@/lib/webhooks/deliveries';
import { MAX_ATTEMPTS } from '@/lib/webhooks/schedule';
import { supportText } from './support-text';

/** Neighbours shown at most of each kind. */
const MAX_RELATED = 50;

/** Another request that this one is connected with. */
export type RelatedRequest = {
  request_id: string;
  at: Date;
  method: string;
  route: string | null;
  status: number;
  code: string | null;
  reason: string | null;
  /** `replay` is one of the same original; `same_key` has the same idempotency key and is neither. */
  relation: 'original' | 'replay' | 'same_key';
};

type Line = {
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
};

/**
 * Returns one request of a tenant, or one of nobody, which is found by its exact id only and holds no address
 * (architecture 4). The look-up takes less than 20 ms among 5,000,000 lines: request_log_pkey.
 * @throws AppError not_found for any other, also another tenant's.
 */
export async function readRequest(tenantId: string, requestId: string) {
  const { rows } = await pool().query<Line>(
    'SELECT * FROM request_log WHERE request_id = $1 AND (tenant_id = $2 OR tenant_id IS NULL)',
    [requestId, tenantId],
  );
  const line = rows[0];
  if (!line) throw notFound();
  const [owner, related, events] = await Promise.all([
    ownerOf(tenantId, line),
    relatedRequests(line),
    eventsOf(tenantId, line),
  ]);
  const { idempotency_key_hash, tenant_id, application_id, key_id, ...shown } = line;
  return {
    ...shown,
    path: shownPath(line),
    address: tenant_id === null ? null : line.address,
    ...owner,
    // Whether there was a key is of use; its hash is not.
    had_idempotency_key: idempotency_key_hash !== null,
    booking_reference: line.booking_reference ?? referenceInPath(line.path),
    required_scope: line.code === 'insufficient_scope' ? scopeOf(line.method, line.route) : null,
    help: helpOf(line),
    related,
    events,
    support_text: supportText({ ...line, environment: env().ENVIRONMENT, origin: env().origin }),
  };
}

function helpOf({ status, code, reason }: Line): Help | null {
  return code === null ? null : helpFor({ status, code, reason });
}

async function ownerOf(tenantId: string, { application_id, key_id }: Line) {
  const [application, key] = await Promise.all([
    application_id && db().application.findFirst({ where: { id: application_id, tenantId } }),
    key_id && db().apiKey.findFirst({ where: { id: key_id, application: { tenantId } } }),
  ]);
  return {
    application: application ? { id: application.id, name: application.name } : null,
    key: key ? { id: key.id, name: key.name, prefix: key.prefix, last_four: key.lastFour } : null,
  };
}

// Each branch has an index of its own: request_log_pkey, request_log_replayed_from_idx and
// request_log_application_id_idempotency_key_hash_idx.
const RELATED = `
  SELECT DISTINCT ON (at, request_id) request_id, at, method, route, status, code, reason,
    CASE WHEN request_id = $3 THEN 'original' WHEN replayed_from IN ($2, $3) THEN 'replay' ELSE 'same_key' END AS relation
  FROM (
    (SELECT * FROM request_log WHERE request_id = $3)
    UNION ALL (SELECT * FROM request_log WHERE replayed_from = $2 LIMIT ${MAX_RELATED})
    UNION ALL (SELECT * FROM request_log WHERE application_id = $4 AND idempotency_key_hash = $5 LIMIT ${MAX_RELATED})
  ) AS line
  WHERE tenant_id = $1 AND request_id <> $2
  ORDER BY at, request_id LIMIT ${MAX_RELATED}`;

async function relatedRequests(line: Line): Promise<RelatedRequest[]> {
  // Only a write has a key, and a replay has the key of its original.
  if (line.tenant_id === null || line.idempotency_key_hash === null) return [];
  const { rows } = await pool().query<RelatedRequest>(RELATED, [
    line.tenant_id,
    line.request_id,
    line.replayed_from,
    line.application_id,
    line.idempotency_key_hash,
  ]);
  return rows;
}

type EventLine = {
  id: string;
  type: string;
  version: number | null;
  at: Date;
  delivery_id: string | null;
  delivery_state: DeliveryState;
  attempts: number;
  max_attempts: number;
};

// An event has one delivery at most: deliveries_event_id_key.
const EVENTS = `
  SELECT v.id, v.type, v.version, v.at, d.id AS delivery_id, d.scheduled_attempts AS attempts,
    ${MAX_ATTEMPTS} AS max_attempts,
    CASE WHEN d.state = 'pending' AND NOT ${activeSql('e', 'a')} THEN 'held' ELSE d.state END AS delivery_state
  FROM events v LEFT JOIN deliveries d ON d.event_id = v.id
    LEFT JOIN webhook_endpoints e ON e.application_id = d.application_id
    LEFT JOIN applications a ON a.id = d.application_id
  WHERE v.tenant_id = $1 AND v.request_id = $2
  ORDER BY v.at, v.id LIMIT ${MAX_RELATED}`;

/** The events that a request caused, each with its delivery; only a write does. events_request_id_idx. */
async function eventsOf(tenantId: string, { request_id: requestId, idempotency_key_hash }: Line) {
  if (idempotency_key_hash === null) return [];
  const { rows } = await pool().query<EventLine>(EVENTS, [tenantId, requestId]);
  return rows.map(({ delivery_id: id, delivery_state: state, attempts, max_attempts, ...event }) => ({
    ...event,
    delivery: id === null ? null : { id, state, attempts, max_attempts },
  }));
}

// Where a reference belongs, people paste keys and telephone numbers: a path that holds anything else is not shown.
function shownPath({ path, route }: Line): string | null {
  return path === route || referenceInPath(path) !== null ? path : null;
}

/** A refused action names its booking in the path only. */
function referenceInPath(path: string | null): string | null {
  const segment = path?.slice(`${BASE_PATH}/bookings/`.length).split('/')[0] ?? '';
  return isBookingReference(segment) ? segment : null;
}

function scopeOf(method: string, route: string | null): string | null {
  return OPERATIONS.find((one) => one.method === method && BASE_PATH + one.path === route)?.scope ?? null;
}
