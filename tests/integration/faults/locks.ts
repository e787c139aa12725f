import { expect } from 'vitest';
import { identityOf } from '@/lib/booking/idempotency/once';
import { exclusiveTenantLock, specialistLocks } from '@/lib/platform/locks';
import { rivalClaim } from '@/tests/support/rival-claim';
import {
  type BookingReply,
  cancelOf,
  createOf,
  dayAhead,
  outcomeOf,
  type Partner,
  rescheduleOf,
  type Stage,
  type Write,
} from '@/tests/support/storm';

/** A write that has to wait for a lock, and the statement that takes this lock. */
export type Blocked = { write: Write; sql: string; values: unknown[] };

/** A lock that can block a write. Before the test sends the write, `prepare` creates the bookings that must exist. */
export type Obstacle = { name: string; prepare: (stage: Stage, partner: Partner) => Promise<Blocked> };

/** The number of seats of a slot. */
export const SEATS = 3;

const wish = { date: dayAhead(7), start_time: '11:00' };
const elsewhere = { date: wish.date, start_time: '15:00' };

async function booked({ place }: Stage, partner: Partner): Promise<BookingReply['data']['booking']> {
  const reply = await partner.prepare(createOf(place, wish));
  expect(outcomeOf(reply)).toBe('201');
  return reply.data.booking;
}

const ROW = 'SELECT FROM bookings WHERE reference = $1 FOR UPDATE';
const CLAIM = 'SELECT FROM slot_claims WHERE tenant_id = $1 FOR UPDATE';
const KEY = 'SELECT FROM idempotency_keys WHERE application_id = $1 AND key_hash = $2 FOR UPDATE';
const NEW_KEY = `
  INSERT INTO idempotency_keys (application_id, key_hash, fingerprint, request_id, created_at, expires_at)
  VALUES ($1, $2, $3, 'req_01h455vb4pex5vsknk084sn02q', now(), now() + interval '7 days')`;
function identity({ applicationIds }: Stage, { key, path, body }: Write) {
  // The JSON round trip removes undefined fields, which the request does not contain either.
  return identityOf(applicationIds[0] ?? '', key, 'POST', path, JSON.parse(JSON.stringify(body)));
}

/** Every lock that a write can wait for (architecture 5). */
export const OBSTACLES: Obstacle[] = [
  {
    name: "the tenant's lock, as a sandbox reset does, against a create",
    prepare: async ({ place, tenantId }) => ({
      write: createOf(place, wish),
      sql: exclusiveTenantLock(tenantId),
      values: [],
    }),
  },
  {
    name: 'the row of a bound key against its request',
    prepare: async (stage, partner) => {
      const booking = await booked(stage, partner);
      for (let guest = 1; guest < SEATS; guest += 1) await booked(stage, partner);
      const write = createOf(stage.place, wish);
      expect(outcomeOf(await partner.send(write))).toBe('409 slot_taken');
      expect(outcomeOf(await partner.send(cancelOf(booking)))).toBe('200');
      const { applicationId, keyHash } = identity(stage, write);
      return { write, sql: KEY, values: [applicationId, keyHash] };
    },
  },
  {
    name: 'the same key, not yet committed, against a create',
    prepare: async (stage) => {
      const write = createOf(stage.place, wish);
      const { applicationId, keyHash, fingerprint } = identity(stage, write);
      return { write, sql: NEW_KEY, values: [applicationId, keyHash, fingerprint] };
    },
  },
  {
    name: 'the same slot, not yet committed, against a create',
    prepare: async ({ place, tenantId, specialists }) => ({
      write: createOf(place, wish),
      ...rivalClaim({ tenantId, specialistId: specialists[0]?.id ?? '', wish }),
    }),
  },
  {
    name: "a group's claim against a further booking",
    prepare: async (stage, partner) => {
      await booked(stage, partner);
      return { write: createOf(stage.place, wish), sql: CLAIM, values: [stage.tenantId] };
    },
  },
  {
    name: 'the booking against a cancel',
    prepare: async (stage, partner) => {
      const booking = await booked(stage, partner);
      return { write: cancelOf(booking), sql: ROW, values: [booking.reference] };
    },
  },
  {
    name: 'the claim against a cancel',
    prepare: async (stage, partner) => {
      const booking = await booked(stage, partner);
      return { write: cancelOf(booking), sql: CLAIM, values: [stage.tenantId] };
    },
  },
  {
    name: 'the booking against a reschedule',
    prepare: async (stage, partner) => {
      const booking = await booked(stage, partner);
      return { write: rescheduleOf(booking, elsewhere), sql: ROW, values: [booking.reference] };
    },
  },
  {
    name: "the specialist's lock against a reschedule",
    prepare: async (stage, partner) => ({
      write: rescheduleOf(await booked(stage, partner), elsewhere),
      sql: specialistLocks([stage.specialists[0]?.id ?? '']),
      values: [],
    }),
  },
  {
    name: 'the old claim against a reschedule',
    prepare: async (stage, partner) => ({
      write: rescheduleOf(await booked(stage, partner), elsewhere),
      sql: CLAIM,
      values: [stage.tenantId],
    }),
  },
];
