import { notFound } from '@/lib/contract/errors/app-error';
import { db, pool } from '@/lib/platform/db';
import type { Delivery, DeliveryAttempt, Event } from '@/lib/platform/generated/prisma/client';
import { bind, nullable, param, sql, statement, whereSet } from '@/lib/platform/sql';
import { type EndpointTarget, requireManaged } from './endpoint';
import { withSequence } from './payload';
import { MAX_ATTEMPTS } from './schedule';
import { APPLICATION_STATE, effectiveState } from './view';

const PAGE_SIZE = 50;

/** A pending delivery of an inactive endpoint is held. */
export const DELIVERY_STATES = ['pending', 'held', 'succeeded', 'failed'] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

type Scope = Omit<EndpointTarget, 'actor'>;

export type DeliveryFilter = {
  state: DeliveryState | null;
  type: string | null;
  /** A booking reference, event id, or delivery id, in any letter case. */
  reference: string | null;
  /** The last delivery on the previous page. */
  cursor: string | null;
};

export type DeliveryRow = {
  id: string;
  event_id: string;
  type: string;
  booking_reference: string | null;
  version: number | null;
  state: DeliveryState;
  attempts: number;
  scheduled_attempts: number;
  /** Whether the signature is wrong on purpose (contract B21). */
  forged: boolean;
  max_attempts: number;
  /** Null if the delivery is held or finished, or if an attempt is running. */
  next_attempt_at: Date | null;
  under_way: boolean;
  manual_requested: boolean;
  created_at: Date;
  finished_at: Date | null;
  /** The newest attempt that has ended or was interrupted. Null before the first. */
  last_answer: LastAnswer | null;
};

/** `status` is null if there was no response. */
export type LastAnswer = {
  started_at: Date;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  interrupted: boolean;
};

type Listed = Omit<Delivery, 'tenantId' | 'applicationId' | 'nextAttemptAt' | 'manualById' | 'replayId' | 'leasedBy'> &
  Pick<Event, 'type' | 'bookingReference' | 'version'>;

function rowOf(now: Date, active: boolean, delivery: Listed, newest: readonly Ended[]): DeliveryRow {
  const { id, eventId: event_id, state, test, forged, leasedUntil, dueAt } = delivery;
  const underWay = leasedUntil !== null && leasedUntil > now;
  const held = !active && !test;
  return {
    id,
    event_id,
    type: delivery.type,
    booking_reference: delivery.bookingReference,
    version: delivery.version,
    state: state === 'pending' && held ? 'held' : (state as DeliveryState),
    attempts: delivery.attempts,
    scheduled_attempts: delivery.scheduledAttempts,
    forged,
    max_attempts: test ? 1 : MAX_ATTEMPTS,
    next_attempt_at: underWay || held ? null : dueAt,
    under_way: underWay,
    manual_requested: delivery.manualRequestedAt !== null,
    created_at: delivery.createdAt,
    finished_at: delivery.finishedAt,
    last_answer: lastAnswer(newest, underWay ? delivery.attempts : null),
  };
}

type Ended = Pick<DeliveryAttempt, 'number' | 'startedAt' | 'durationMs' | 'status' | 'error'>;

/** `running` is the number of the running attempt, or null. `newest` starts with the newest attempt. */
function lastAnswer(newest: readonly Ended[], running: number | null): LastAnswer | null {
  const last = newest.find(({ number, durationMs }) => number !== running || durationMs !== null);
  if (!last) return null;
  const { startedAt: started_at, durationMs: duration_ms, status, error } = last;
  return { started_at, duration_ms, status, error, interrupted: duration_ms === null };
}

// Of the two newest attempts, at most the first is still running.
const NEWEST = statement<Ended & { delivery_id: string }>()`
  SELECT given.id AS delivery_id, a.number, a.started_at AS "startedAt", a.duration_ms AS "durationMs", a.status, a.error
  FROM unnest(${param.texts('ids')}) AS given (id) CROSS JOIN LATERAL (
    SELECT number, started_at, duration_ms, status, error FROM delivery_attempts
    WHERE delivery_id = given.id ORDER BY number DESC LIMIT 2) a
  ORDER BY given.id, a.number DESC`;

async function newestAttempts(ids: readonly string[]): Promise<ReadonlyMap<string, Ended[]>> {
  const { rows } = await pool().query<Ended & { delivery_id: string }>(bind(NEWEST, { ids }));
  const found = new Map<string, Ended[]>();
  for (const row of rows) found.set(row.delivery_id, [...(found.get(row.delivery_id) ?? []), row]);
  return found;
}

async function isActive({ applicationId, tenantId }: Scope): Promise<boolean> {
  const endpoint = await db().webhookEndpoint.findFirst({
    where: { applicationId, tenantId },
    include: { application: { select: APPLICATION_STATE } },
  });
  return endpoint !== null && effectiveState(endpoint, endpoint.application).state === 'active';
}

const REFERENCE = nullable(param.text('reference'));

// Not parameters, so that PostgreSQL can use the index on the state.
const OF_STATE = {
  pending: sql`d.state = 'pending'`,
  held: sql`false`,
  succeeded: sql`d.state = 'succeeded'`,
  failed: sql`d.state = 'failed'`,
};
const OF_INACTIVE = {
  ...OF_STATE,
  pending: sql`d.state = 'pending' AND d.test`,
  held: sql`d.state = 'pending' AND NOT d.test`,
};

const conditionsOf = (active: boolean) => ({
  tenantId: sql`d.tenant_id = ${param.text('tenantId')}`,
  applicationId: sql`d.application_id = ${param.text('applicationId')}`,
  state: (state: DeliveryState) => (active ? OF_STATE : OF_INACTIVE)[state],
  type: sql`v.type = ${nullable(param.text('type'))}`,
  reference: sql`(d.id = ${REFERENCE} OR d.event_id = ${REFERENCE} OR v.booking_reference = ${REFERENCE})`,
  cursor: sql`d.id < ${nullable(param.text('cursor'))}`,
});

type Values = Omit<DeliveryFilter, 'state'> & Pick<Scope, 'tenantId' | 'applicationId'>;

function pageSql(active: boolean, { tenantId, applicationId }: Scope, filter: DeliveryFilter) {
  const given = { ...filter, tenantId, applicationId, reference: filter.reference?.toLowerCase() ?? null };
  const where = whereSet<typeof given, Values>(given, conditionsOf(active));
  const select = statement<Listed>()`
    SELECT d.id, d.event_id AS "eventId", d.state, d.test, d.forged, d.attempts, d.scheduled_attempts AS "scheduledAttempts",
      d.manual_requested_at AS "manualRequestedAt", d.due_at AS "dueAt", d.leased_until AS "leasedUntil",
      d.created_at AS "createdAt", d.finished_at AS "finishedAt", v.type, v.booking_reference AS "bookingReference", v.version
    FROM deliveries d JOIN events v ON v.id = d.event_id
    WHERE ${where} ORDER BY d.id DESC LIMIT ${PAGE_SIZE + 1}`;
  return bind(select, given);
}

/** Returns a page of an application's deliveries, newest first. @throws AppError as `requireManaged`. */
export async function listDeliveries(
  now: Date,
  scope: Scope,
  filter: DeliveryFilter,
): Promise<{ deliveries: DeliveryRow[]; next: string | null }> {
  await requireManaged(db(), scope);
  const active = await isActive(scope);
  const { rows } = await pool().query<Listed>(pageSql(active, scope, filter));
  const shown = rows.slice(0, PAGE_SIZE);
  const newest = await newestAttempts(shown.map(({ id }) => id));
  const deliveries = shown.map((delivery) => rowOf(now, active, delivery, newest.get(delivery.id) ?? []));
  return { deliveries, next: rows.length > PAGE_SIZE ? (deliveries.at(-1)?.id ?? null) : null };
}

/** `duration_ms` is null if the attempt is running or was interrupted. */
export type AttemptView = {
  number: number;
  kind: 'scheduled' | 'manual';
  requested_by: string | null;
  started_at: Date;
  duration_ms: number | null;
  status: number | null;
  error: string | null;
  answer: string | null;
  interrupted: boolean;
};

export type DeliveryDetail = DeliveryRow & { payload: string; request_id: string | null; log: AttemptView[] };

/** Returns a delivery with its payload and 100 newest attempts. @throws AppError not_found, or as `requireManaged`. */
export async function readDelivery(now: Date, scope: Scope, id: string): Promise<DeliveryDetail> {
  await requireManaged(db(), scope);
  const { applicationId, tenantId } = scope;
  const delivery = await db().delivery.findFirst({
    where: { id, applicationId, tenantId },
    include: {
      event: { include: { number: { select: { sequence: true } } } },
      log: { orderBy: { number: 'desc' }, take: 100 },
    },
  });
  if (!delivery) throw notFound();
  const userIds = delivery.log.flatMap(({ requestedById }) => (requestedById ? [requestedById] : []));
  const users = await db().user.findMany({ where: { id: { in: userIds } }, select: { id: true, name: true } });
  const names = new Map(users.map((user) => [user.id, user.name]));
  const { type, bookingReference, version } = delivery.event;
  const row = rowOf(now, await isActive(scope), { ...delivery, type, bookingReference, version }, delivery.log);
  return {
    ...row,
    payload: withSequence(delivery.event.payload, delivery.event.number?.sequence ?? null),
    request_id: delivery.event.requestId,
    log: delivery.log.map((attempt) => ({
      number: attempt.number,
      kind: attempt.kind as AttemptView['kind'],
      requested_by: attempt.requestedById ? (names.get(attempt.requestedById) ?? null) : null,
      started_at: attempt.startedAt,
      duration_ms: attempt.durationMs,
      status: attempt.status,
      error: attempt.error,
      answer: attempt.answer,
      interrupted: attempt.durationMs === null && !(row.under_way && attempt.number === delivery.attempts),
    })),
  };
}
