import { z } from 'zod';
import { recordId } from '@/lib/contract/common';
import { REMEDIES } from '@/lib/contract/errors/reasons';
import { DELIVERY_STATES } from '@/lib/webhooks/deliveries';
import { REQUEST_FIELDS } from '../../filters/fields';
import { inputsOf, pageFields } from '../../filters/inputs';
import { filterChoices } from '../../requests/choices';
import { readRequest } from '../../requests/detail';
import { PERIOD_NAMES, periodOf, type RequestFilter } from '../../requests/filter';
import { requestHistogram } from '../../requests/histogram';
import { searchRequests } from '../../requests/search';
import { memberProcedure, router } from '../init';
import { count, inputTime, outputTime } from '../inputs';

export const requestFilterFields = {
  /** A named period that ends now, or a time range between two timestamps. */
  period: z.union([z.enum(PERIOD_NAMES), z.strictObject({ from: inputTime, to: inputTime })]).default('24h'),
  ...inputsOf(REQUEST_FIELDS),
};
const filterInput = z.strictObject(requestFilterFields);

const listInput = filterInput.extend({ order: z.enum(['newest', 'oldest']).default('newest'), ...pageFields });

const line = {
  request_id: z.string(),
  at: outputTime,
  method: z.string(),
  route: z.string().nullable(),
  status: z.int(),
  code: z.string().nullable(),
  reason: z.string().nullable(),
};
const named = z.strictObject({ id: z.string(), name: z.string() });

const row = z.strictObject({
  ...line,
  duration_ms: z.number(),
  application: named.nullable(),
  key: z.strictObject({ id: z.string(), name: z.string(), last_four: z.string() }).nullable(),
});

const page = z.strictObject({
  rows: z.array(row),
  previous: z.string().nullable(),
  next: z.string().nullable(),
  /** If the search stopped early, the timestamp that it had reached in the log. Otherwise null. */
  searched_to: outputTime.nullable(),
});

export const histogram = z.strictObject({
  from: outputTime,
  to: outputTime,
  step_seconds: z.int(),
  bars: z
    .array(
      z.strictObject({ at: outputTime, ok: count, client_errors: count, server_errors: count, estimated: z.boolean() }),
    )
    .nullable(),
});

const maybeNamed = z.strictObject({ id: z.string(), name: z.string().nullable() });

const refused = z.strictObject({
  service: maybeNamed.nullable(),
  location: maybeNamed.extend({ time_zone: z.string().nullable() }).nullable(),
  specialist: maybeNamed.nullable(),
  date: z.string().nullable(),
  start_time: z.string().nullable(),
});

const detail = z.strictObject({
  ...line,
  path: z.string().nullable(),
  invalid_fields: z.array(z.string()),
  duration_ms: z.number(),
  address: z.string().nullable(),
  origin: z.string().nullable(),
  user_agent: z.string().nullable(),
  replayed_from: z.string().nullable(),
  booking_reference: z.string().nullable(),
  external_reference: z.string().nullable(),
  refused: refused.nullable(),
  application: named.nullable(),
  key: z.strictObject({ id: z.string(), name: z.string(), prefix: z.string(), last_four: z.string() }).nullable(),
  had_idempotency_key: z.boolean(),
  required_scope: z.string().nullable(),
  help: z
    .strictObject({
      key: z.string(),
      means: z.string(),
      fix: z.string(),
      remedy: z.enum(REMEDIES),
    })
    .nullable(),
  related: z.array(z.strictObject({ ...line, relation: z.enum(['original', 'replay', 'same_key']) })),
  events: z.array(
    z.strictObject({
      id: z.string(),
      type: z.string(),
      version: z.int().nullable(),
      at: outputTime,
      delivery: z
        .strictObject({ id: z.string(), state: z.enum(DELIVERY_STATES), attempts: count, max_attempts: count })
        .nullable(),
    }),
  ),
  support_text: z.string(),
});

const choices = z.strictObject({
  applications: z.array(
    z.strictObject({
      id: z.string(),
      name: z.string(),
      keys: z.array(z.strictObject({ id: z.string(), name: z.string(), last_four: z.string() })),
    }),
  ),
  routes: z.array(z.string()),
  codes: z.array(z.string()),
  statuses: z.array(z.int()),
});

/** Converts an input to a filter. @throws AppError invalid_request if the start of the period is not before its end. */
export function requestFilterOf(tenantId: string, now: Date, input: z.output<typeof filterInput>): RequestFilter {
  return { ...input, tenantId, period: periodOf(now, input.period) };
}

export const requestsRouter = router({
  list: memberProcedure
    .input(listInput)
    .output(page)
    .query(({ ctx: { member, now }, input: { order, cursor, back, ...filter } }) => {
      const wanted = requestFilterOf(member.tenantId, now, filter);
      return searchRequests(wanted, { order, cursor, back });
    }),

  histogram: memberProcedure
    .input(filterInput)
    .output(histogram)
    .query(({ ctx: { member, now }, input }) => {
      const wanted = requestFilterOf(member.tenantId, now, input);
      return requestHistogram(wanted);
    }),

  get: memberProcedure
    .input(z.strictObject({ request_id: recordId }))
    .output(detail)
    .query(({ ctx: { member }, input }) => readRequest(member.tenantId, input.request_id)),

  choices: memberProcedure.output(choices).query(({ ctx: { member } }) => filterChoices(member.tenantId)),
});
