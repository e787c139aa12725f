import type { Actor } from '@/lib/activity/audit/actor';
import { BOOKING_EVENT_TYPES } from '@/lib/contract/events';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { bind, param, statement } from '@/lib/platform/sql';
import { systemResolve } from '@/lib/webhooks/addresses';
import { type DeliveryDependencies, deliver } from '@/lib/webhooks/deliver';
import { createEndpoint, type EventType } from '@/lib/webhooks/endpoint';
import { INSERT_DELIVERIES } from '@/lib/webhooks/insert';
import { leaseDue } from '@/lib/webhooks/lease';
import { createSender } from '@/lib/webhooks/send';
import { withSuperuser } from './database';
import { makeBusiness } from './factories';

export const LOOPBACK = { allowLoopback: true, resolve: systemResolve };

export function manualClock(start = new Date()) {
  let at = start.getTime();
  return {
    now: () => new Date(at),
    advance: (milliseconds: number) => {
      at += milliseconds;
    },
    to: (time: Date) => {
      at = Math.max(at, time.getTime());
    },
  };
}

export type ManualClock = ReturnType<typeof manualClock>;

/** Loopback is allowed, and by default there is no jitter. */
export function dependenciesOf(clock: ManualClock, random = 0.5): DeliveryDependencies {
  return { sender: createSender(LOOPBACK), clock: clock.now, random: () => random, draining: () => false };
}

export async function makeWebhook(url: string, now = new Date()) {
  const business = await makeBusiness();
  return { ...business, ...(await addEndpoint(business.tenant.id, business.applicationId, url, now)) };
}

export async function addEndpoint(
  tenantId: string,
  applicationId: string,
  url: string,
  now = new Date(),
  eventTypes: readonly EventType[] = BOOKING_EVENT_TYPES,
) {
  const actor: Actor = { kind: 'owner', id: newId('usr'), tenantId };
  const target = { tenantId, applicationId, actor };
  const { secret } = await createEndpoint(now, target, { url, eventTypes }, LOOPBACK);
  return {
    target,
    by: { ...target, userId: actor.id },
    secret,
    emit: (count = 1, at = now) => emitEvents(tenantId, applicationId, count, at),
    endpoint: () => db().webhookEndpoint.findUniqueOrThrow({ where: { applicationId } }),
    deliveries: () => db().delivery.findMany({ where: { applicationId }, orderBy: { id: 'asc' } }),
    attempts: (deliveryId: string) =>
      db().deliveryAttempt.findMany({ where: { deliveryId }, orderBy: { number: 'asc' } }),
  };
}

const EMIT = statement<never>()`
  WITH event AS (
    INSERT INTO events (id, tenant_id, application_id, type, booking_reference, version, actor, payload, at)
    SELECT id, ${param.text('tenantId')}, ${param.text('applicationId')}, ${param.text('eventType')},
      'pbr_' || substr(id, 5), 1, 'partner', payload, ${param.timestamptz('now')}
    FROM unnest(${param.texts('ids')}, ${param.texts('payloads')}) AS given(id, payload) RETURNING id)
  ${INSERT_DELIVERIES}`;

/** With the SQL of booking writes, but without bookings. Returns the delivery ids. */
async function emitEvents(tenantId: string, applicationId: string, count: number, at: Date): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId('evt')).sort();
  const payloads = ids.map((id) => JSON.stringify({ id, type: 'booking.created', data: {} }));
  await withSuperuser(async (client) => {
    // The bookings of the inserted events do not exist, so foreign keys are not checked.
    await client.query('BEGIN; SET LOCAL session_replication_role = replica');
    await client.query(
      bind(EMIT, { ids, tenantId, applicationId, payloads, now: at, deliverAt: at, eventType: 'booking.created' }),
    );
    await client.query('COMMIT');
  });
  return ids.map((id) => `dlv_${id.slice(4)}`);
}

/** Attempts that are due at the clock's time, concurrently, as in the worker. Returns their number. */
export async function deliverDue(dependencies: DeliveryDependencies, limit = 64): Promise<number> {
  const leases = await leaseDue(dependencies.clock(), limit);
  await Promise.all(leases.map((lease) => deliver(dependencies, lease)));
  return leases.length;
}
