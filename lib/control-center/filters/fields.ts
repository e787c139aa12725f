/**
 * The filters of each page, declared once. From a declaration follow the URL parameters of the page (`filterOf` in app),
 * the query of a saved view, and the input of the procedures (`inputs.ts`), whose fields have the names of the columns
 * that the SQL compares. Browsers load this file, so it imports nothing.
 */

type Values<V extends string> =
  | { kind: 'choice'; values: readonly V[] }
  | { kind: 'pattern'; pattern: RegExp; max: number }
  | { kind: 'text'; max: number }
  | { kind: 'id' };

/** One filter. `column` is its name in the input of a procedure. */
export type Field<V extends string = string, C extends string = string> = { column: C } & Values<V>;

export type Fields = Record<string, Field>;

export type ValueOf<F> = F extends { kind: 'choice'; values: readonly (infer V)[] } ? V : string;

const choice = <const V extends string, const C extends string>(column: C, values: readonly V[]) =>
  ({ kind: 'choice', column, values }) as const;
const text = <const C extends string>(column: C, max: number) => ({ kind: 'text', column, max }) as const;
const id = <const C extends string>(column: C) => ({ kind: 'id', column }) as const;

export const REQUEST_FIELDS = {
  // A status code, a class of status codes, or `error` for both 4xx and 5xx.
  status: { kind: 'pattern', column: 'status', pattern: /^(2xx|4xx|5xx|error|[1-5]\d\d)$/, max: 5 },
  code: text('code', 64),
  // The reason that narrows the code. Only links of the Overview set it.
  reason: text('reason', 64),
  route: text('route', 200),
  application: id('application_id'),
  key: id('key_id'),
  reference: text('reference', 128),
} as const satisfies Fields;

export const RECORD_FIELDS = {
  location: id('location_id'),
  service: id('service_id'),
  specialist: id('specialist_id'),
  application: id('application_id'),
} as const satisfies Fields;

export const BOOKING_FIELDS = {
  // If null, the list omits canceled bookings, unless the user searches by reference.
  status: choice('status', ['any', 'confirmed', 'cancelled', 'completed', 'no_show']),
  ...RECORD_FIELDS,
  reference: text('reference', 128),
} as const satisfies Fields;

export const AUDIT_FIELDS = {
  // The id of a user, or the word `operator` or `system`.
  person: id('person'),
  action: text('action', 64),
  kind: text('object_kind', 100),
  object: id('object_id'),
} as const satisfies Fields;

export const SIGN_IN_FIELDS = {
  person: id('person'),
  result: choice('result', ['succeeded', 'failed']),
} as const satisfies Fields;

export const REFUSED_FIELDS = {
  person: id('person'),
  reason: choice('code', ['forbidden', 'not_found', 'second_factor_required']),
} as const satisfies Fields;

export const DELIVERY_FIELDS = {
  state: choice('state', ['pending', 'held', 'succeeded', 'failed']),
  type: text('type', 64),
  // A booking reference, an event ID, or a delivery ID.
  reference: text('reference', 64),
} as const satisfies Fields;
