import { z } from 'zod';
import { timeZone } from '@/lib/booking/catalog/edit/schemas';
import { boundedText } from '@/lib/contract/bounded-text';
import { recordId } from '@/lib/contract/common';
import { env } from '@/lib/platform/env';
import { systemResolve } from '@/lib/webhooks/addresses';
import { DELIVERY_STATES, listDeliveries, readDelivery } from '@/lib/webhooks/deliveries';
import { endSecret } from '@/lib/webhooks/end-secret';
import {
  createEndpoint,
  EVENT_TYPES,
  pauseEndpoint,
  resumeEndpoint,
  rotateEndpointSecret,
  updateEndpoint,
} from '@/lib/webhooks/endpoint';
import { countReplay, replayDelivery, replayFailed, replayProgress, stopReplay } from '@/lib/webhooks/replay';
import { sendTestEvent } from '@/lib/webhooks/test-event';
import { URL_TOO_LONG } from '@/lib/webhooks/url';
import { disabledEndpoints, ENDPOINT_STATES, INACTIVE_REASONS, readEndpoint } from '@/lib/webhooks/view';
import { DELIVERY_FIELDS } from '../../filters/fields';
import { inputsOf } from '../../filters/inputs';
import { ATTEMPT_PERIODS, attemptHistory } from '../../webhooks/attempts';
import { listEndpoints, PAGE_SIZE } from '../../webhooks/endpoints';
import { memberProcedure, ownerProcedure, router, sensitiveProcedure } from '../init';
import { count, inputTime, nothing, outputTime } from '../inputs';

const one = z.strictObject({ application_id: recordId });
const delivery = z.strictObject({ application_id: recordId, delivery_id: recordId });
const done = z.strictObject({ version: z.int() });
const secret = z.strictObject({
  /** The secret in plaintext, which no other response contains. */
  secret: z.string(),
});

const endpoint = z.strictObject({
  url: z.string(),
  event_types: z.array(z.enum(EVENT_TYPES)),
  state: z.enum(ENDPOINT_STATES),
  reason: z.enum(INACTIVE_REASONS).nullable(),
  changed_at: outputTime,
  last_success_at: outputTime.nullable(),
  failing: z.boolean(),
  version: z.int(),
  secrets: z.array(z.strictObject({ number: z.int(), created_at: outputTime, expires_at: outputTime.nullable() })),
  max_secrets: z.int(),
  attempts_24h: count,
  succeeded_24h: count,
  pending: count,
  failed: count,
  oldest_held_at: outputTime.nullable(),
  now: outputTime,
});

const row = z.strictObject({
  id: z.string(),
  event_id: z.string(),
  type: z.string(),
  booking_reference: z.string().nullable(),
  version: z.int().nullable(),
  state: z.enum(DELIVERY_STATES),
  attempts: count,
  scheduled_attempts: count,
  max_attempts: count,
  forged: z.boolean(),
  next_attempt_at: outputTime.nullable(),
  under_way: z.boolean(),
  manual_requested: z.boolean(),
  created_at: outputTime,
  finished_at: outputTime.nullable(),
  last_answer: z
    .strictObject({
      started_at: outputTime,
      duration_ms: z.number().nullable(),
      status: z.int().nullable(),
      error: z.string().nullable(),
      interrupted: z.boolean(),
    })
    .nullable(),
});

const attempt = z.strictObject({
  number: z.int(),
  kind: z.enum(['scheduled', 'manual']),
  requested_by: z.string().nullable(),
  started_at: outputTime,
  duration_ms: z.number().nullable(),
  status: z.int().nullable(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
  interrupted: z.boolean(),
});

const detail = row.extend({ payload: z.string(), request_id: z.string().nullable(), log: z.array(attempt) });

// lib/webhooks validates each value. These limits only bound the size of a request.
const input = {
  url: boundedText(4_096, URL_TOO_LONG),
  event_types: z.array(z.enum(EVENT_TYPES)).max(EVENT_TYPES.length),
};

const filter = z.strictObject({
  application_id: recordId,
  ...inputsOf(DELIVERY_FIELDS),
  cursor: boundedText(64).nullable().default(null),
});

const progress = z
  .strictObject({
    id: z.string(),
    since: outputTime,
    created_at: outputTime,
    stopped_at: outputTime.nullable(),
    total: count,
    waiting: count,
    succeeded: count,
  })
  .nullable();

const disabled = z.strictObject({
  application: z.strictObject({ id: z.string(), name: z.string() }),
  reason: z.enum(['gone', 'failing']),
  disabled_at: outputTime,
  held: count,
});

/** Ended attempts, without those of test events. Null if there were too many to count. */
const made = z.strictObject({ attempts: count, succeeded: count }).nullable();

const summary = z.strictObject({
  application: z.strictObject({ id: z.string(), name: z.string() }),
  /** With the port, without the path, which can contain a secret of the receiver. */
  host: z.string(),
  state: z.enum(ENDPOINT_STATES),
  reason: z.enum(INACTIVE_REASONS).nullable(),
  failing: z.boolean(),
  day: made,
  week: made,
  last_attempt_at: outputTime.nullable(),
  /** Pending or held deliveries, at most 10,000. `more`: there are more. */
  pending: count,
  more: z.boolean(),
  next_attempt_at: outputTime.nullable(),
});

/** `bars` is null if there were too many attempts to count. */
const history = z.strictObject({
  period: z.enum(ATTEMPT_PERIODS),
  bars: z.array(z.strictObject({ from: outputTime, to: outputTime, succeeded: count, failed: count })).nullable(),
});

const rules = () => ({ allowLoopback: env().WEBHOOKS_ALLOW_LOOPBACK === '1', resolve: systemResolve });

type Member = { member: { tenantId: string } };
const scopeOf = ({ member }: Member, { application_id }: { application_id: string }) => ({
  tenantId: member.tenantId,
  applicationId: application_id,
});

/** The webhooks of applications with the scope `webhooks.manage`. Owners and support read them. Only owners change them. */
export const webhooksRouter = router({
  get: memberProcedure
    .input(one)
    .output(endpoint.nullable())
    .query(async ({ ctx, input: asked }) => {
      const found = await readEndpoint(ctx.now, scopeOf(ctx, asked));
      // Only owners see the whole URL, because its path can contain a secret of the receiver.
      const url = found && (ctx.member.role === 'OWNER' ? found.url : new URL(found.url).origin);
      return found && url ? { ...found, url, now: ctx.now } : null;
    }),

  endpoints: memberProcedure
    .input(z.strictObject({ page: z.int().min(1).max(10_000).default(1) }))
    .output(z.strictObject({ endpoints: z.array(summary), total: count, page_size: z.int() }))
    .query(async ({ ctx: { member, now }, input: { page } }) => ({
      ...(await listEndpoints(member.tenantId, now, page)),
      page_size: PAGE_SIZE,
    })),

  attempts: memberProcedure
    .input(one.extend({ period: z.enum(ATTEMPT_PERIODS).default('24h'), time_zone: timeZone }))
    .output(history)
    .query(async ({ ctx, input: { application_id, period, time_zone } }) => ({
      period,
      bars: await attemptHistory(ctx.now, scopeOf(ctx, { application_id }), { period, timeZone: time_zone }),
    })),

  create: sensitiveProcedure
    .input(one.extend(input))
    .output(secret)
    .mutation(({ ctx, input: { application_id: applicationId, event_types: eventTypes, url } }) =>
      createEndpoint(ctx.now, { ...ctx.by, applicationId }, { url, eventTypes }, rules()),
    ),

  update: sensitiveProcedure
    .input(one.extend({ ...input, expected_version: z.int().min(1) }))
    .output(done)
    .mutation(async ({ ctx, input: { application_id: applicationId, event_types: eventTypes, url, ...rest } }) => {
      const target = { ...ctx.by, applicationId, expectedVersion: rest.expected_version };
      return { version: (await updateEndpoint(ctx.now, target, { url, eventTypes }, rules())).version };
    }),

  pause: ownerProcedure
    .input(one)
    .output(done)
    .mutation(async ({ ctx, input: { application_id: applicationId } }) => {
      return { version: (await pauseEndpoint(ctx.now, { ...ctx.by, applicationId })).version };
    }),

  resume: ownerProcedure
    .input(one)
    .output(done)
    .mutation(async ({ ctx, input: { application_id: applicationId } }) => {
      return { version: (await resumeEndpoint(ctx.now, { ...ctx.by, applicationId })).version };
    }),

  rotate: sensitiveProcedure
    .input(one.extend({ overlap_days: z.number() }))
    .output(secret)
    .mutation(({ ctx, input: { application_id: applicationId, overlap_days: overlapDays } }) =>
      rotateEndpointSecret(ctx.now, { ...ctx.by, applicationId, overlapDays }),
    ),

  end_secret: ownerProcedure
    .input(one.extend({ number: z.int().min(1).max(2_147_483_647) }))
    .output(done)
    .mutation(({ ctx, input: { application_id: applicationId, number } }) =>
      endSecret(ctx.now, { ...ctx.by, applicationId }, number),
    ),

  test: ownerProcedure
    .input(one)
    .output(z.strictObject({ delivery_id: z.string() }))
    .mutation(async ({ ctx, input: { application_id: applicationId } }) => {
      const { deliveryId } = await sendTestEvent(ctx.now, { ...ctx.by, applicationId });
      return { delivery_id: deliveryId };
    }),

  deliveries: memberProcedure
    .input(filter)
    .output(z.strictObject({ deliveries: z.array(row), next: z.string().nullable() }))
    .query(({ ctx, input: { application_id, ...rest } }) =>
      listDeliveries(ctx.now, scopeOf(ctx, { application_id }), rest),
    ),

  delivery: memberProcedure
    .input(delivery)
    .output(detail)
    .query(({ ctx, input: asked }) => readDelivery(ctx.now, scopeOf(ctx, asked), asked.delivery_id)),

  replay: ownerProcedure
    .input(delivery)
    .output(z.strictObject({ delivery_id: z.string() }))
    .mutation(async ({ ctx, input: { application_id: applicationId, delivery_id } }) => {
      await replayDelivery(ctx.now, { ...ctx.by, applicationId, userId: ctx.member.userId }, delivery_id);
      return { delivery_id };
    }),

  replay_count: ownerProcedure
    .input(one.extend({ since: inputTime }))
    .output(z.strictObject({ count, more: z.boolean() }))
    .query(({ ctx, input: asked }) => countReplay(ctx.now, scopeOf(ctx, asked), asked.since)),

  replay_failed: ownerProcedure
    .input(one.extend({ since: inputTime }))
    .output(z.strictObject({ id: z.string(), total: count }))
    .mutation(({ ctx, input: { application_id: applicationId, since } }) =>
      replayFailed(ctx.now, { ...ctx.by, applicationId, userId: ctx.member.userId }, since),
    ),

  replay_progress: memberProcedure
    .input(one)
    .output(progress)
    .query(({ ctx, input: asked }) => replayProgress(scopeOf(ctx, asked))),

  replay_stop: ownerProcedure
    .input(one.extend({ replay_id: recordId }))
    .output(nothing)
    .mutation(({ ctx, input: { application_id: applicationId, replay_id } }) =>
      stopReplay(ctx.now, { ...ctx.by, applicationId }, replay_id),
    ),

  disabled: memberProcedure.output(z.array(disabled)).query(({ ctx }) => disabledEndpoints(ctx.member.tenantId)),
});
