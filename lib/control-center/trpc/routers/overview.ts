import { z } from 'zod';
import { ENDPOINT_STATES, INACTIVE_REASONS } from '@/lib/webhooks/view';
import { attentionOf, progressOf } from '../../overview/attention';
import { bookabilityOf, UNBOOKABLE_REASONS } from '../../overview/bookable';
import { errorGroups } from '../../overview/errors';
import { outsideByLocation } from '../../overview/outside';
import { trafficSummary } from '../../overview/summary';
import { bookingsToday } from '../../overview/today';
import { webhookHealth } from '../../overview/webhooks';
import { memberProcedure, router } from '../init';
import { count, outputTime } from '../inputs';
import { overlappingBooking } from './bookings-shapes';
import { histogram } from './requests';

const named = { id: z.string(), name: z.string() };

const totals = z
  .strictObject({ requests: count, client_errors: count, server_errors: count, estimated: z.boolean() })
  .nullable();

const traffic = z.strictObject({
  histogram,
  /** Null if the query timed out. */
  totals,
  /** Milliseconds, from the newest requests. */
  durations: z.strictObject({ p50: z.number(), p95: z.number(), measured: count }).nullable(),
  bookings_made: count,
  /** Of the period of the same length before. `totals` is also null if the request log does not cover it. */
  previous: z.strictObject({ totals, bookings_made: count }),
});

const today = z.strictObject({
  bookings: count,
  locations: count,
  shown: z.array(
    z.strictObject({
      location: z.strictObject(named),
      time_zone: z.string(),
      date: z.string(),
      bookings: count,
      remaining: count,
      next: z.array(
        z.strictObject({
          reference: z.string(),
          start_time: z.string(),
          end_time: z.string(),
          started: z.boolean(),
          service: z.string(),
          specialist: z.string(),
        }),
      ),
    }),
  ),
});

const attention = z.strictObject({
  overlaps: z.array(z.strictObject({ specialist: z.string(), bookings: z.array(overlappingBooking).length(2) })),
  overlap_total: count,
  busy_conflicts: z.array(
    z.strictObject({
      reference: z.string(),
      date: z.string(),
      start_time: z.string(),
      service: z.string(),
      specialist: z.string(),
      calendar: z.string().nullable(),
    }),
  ),
  busy_conflict_total: count,
  unreadable_calendars: z.array(
    z.strictObject({
      ...named,
      whose: z.string(),
      specialist_id: z.string().nullable(),
      location_id: z.string().nullable(),
      since: outputTime,
      block_when_stale: z.boolean(),
    }),
  ),
  expiring_keys: z.array(
    z.strictObject({ ...named, last_four: z.string(), ends_at: outputTime, application: z.strictObject(named) }),
  ),
  failing_applications: z.array(z.strictObject({ ...named, requests: count, errors: count })),
  suspended_applications: z.array(z.strictObject({ ...named, suspended_at: outputTime })),
  invalid_prices: z.array(z.strictObject({ ...named, currency: z.string() })),
});

const outsideAtLocation = z.strictObject({
  location: z.strictObject(named),
  bookings: count,
  date: z.string(),
  start_time: z.string(),
});

const endpointHealth = z.strictObject({
  application: z.strictObject(named),
  state: z.enum(ENDPOINT_STATES),
  reason: z.enum(INACTIVE_REASONS).nullable(),
  failing: z.boolean(),
  /** Too few attempts of the last 24 hours succeeded. False if only the last attempt failed. */
  low_success: z.boolean(),
  /** The last attempt could not be signed, and the secret has not been rotated since. */
  secret_unreadable: z.boolean(),
  /** Ended attempts, without those of test events. */
  attempts_24h: count,
  succeeded_24h: count,
  pending: count,
  oldest_pending_at: outputTime.nullable(),
});

export const overviewRouter = router({
  traffic: memberProcedure
    .input(z.strictObject({ period: z.enum(['24h', '7d']).default('24h') }))
    .output(traffic)
    .query(({ ctx: { member, now }, input }) => trafficSummary(member.tenantId, now, input.period)),

  errors: memberProcedure
    .input(z.strictObject({ period: z.enum(['24h', '7d']).default('24h') }))
    .output(
      z.strictObject({
        groups: z
          .array(
            z.strictObject({
              application: z.strictObject(named),
              code: z.string(),
              reason: z.string().nullable(),
              errors: count,
              requests: count,
            }),
          )
          .nullable(),
        complete: z.boolean(),
      }),
    )
    .query(({ ctx: { member, now }, input }) => errorGroups(member.tenantId, now, input.period)),

  attention: memberProcedure.output(attention).query(({ ctx: { member, now } }) => attentionOf(member.tenantId, now)),

  outside: memberProcedure
    .output(z.array(outsideAtLocation))
    .query(({ ctx: { member, now } }) => outsideByLocation(member.tenantId, now)),

  bookable: memberProcedure
    .output(
      z.strictObject({
        services: z.array(z.strictObject({ ...named, reason: z.enum(UNBOOKABLE_REASONS) })),
        total: count,
        any_bookable: z.boolean(),
      }),
    )
    .query(({ ctx: { member, now } }) => bookabilityOf(member.tenantId, now)),

  today: memberProcedure.output(today).query(({ ctx: { member, now } }) => bookingsToday(member.tenantId, now)),

  webhooks: memberProcedure
    .output(z.array(endpointHealth))
    .query(({ ctx: { member, now } }) => webhookHealth(member.tenantId, now)),

  progress: memberProcedure
    .output(
      z.strictObject({
        locations: count,
        specialists: count,
        services: count,
        offerings: count,
        applications: count,
        keys: count,
        endpoints: count,
        requests: z.boolean(),
        bookings: z.boolean(),
      }),
    )
    .query(({ ctx: { member, now } }) => progressOf(member.tenantId, now)),
});
