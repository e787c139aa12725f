import { EXAMPLE_IDS } from '@/lib/contract/common';
import { ALL_OPERATIONS, BASE_PATH, type Operation, type OperationId } from '@/lib/contract/operations';
import { ROUTES } from '@/scripts/server/routes';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { freshAddress } from '@/tests/support/client';
import type { Call } from './compare';
import type { Values, World } from './world';

/** A request of a partner. */
export type Request = {
  /** The variable segment of the path. */
  reference?: string;
  query?: Record<string, string | undefined>;
  body?: object;
  idempotencyKey?: string;
};

type Named = 'serviceId' | 'locationId' | 'specialistId' | 'reference' | 'idempotencyKey' | 'phone' | 'word';

/** What a valid request is made of. */
export type RequestValues = Pick<Values, Named> & { cursor: string | undefined; token: string | undefined };

/** Constant, so that repeated requests are the same. */
const SINCE = new Date().toISOString();

const day = ({ serviceId }: RequestValues) => ({ service_id: serviceId, date: dayAhead() });
const keyed = ({ idempotencyKey }: RequestValues, body: object) => ({ idempotencyKey, body });

/**
 * For each operation, a function that returns valid requests with the given values of one tenant. Every field that can name a
 * record is in at least one of these requests.
 */
export const REQUESTS: Record<OperationId, (values: RequestValues) => Request[]> = {
  listCatalog: ({ cursor, token }) => [{ query: { cursor } }, { query: { min_token: token } }],
  listSpecialists: ({ serviceId, locationId, cursor, token }) => [
    { query: { service_id: serviceId, location_id: locationId } },
    { query: { cursor } },
    { query: { min_token: token } },
  ],
  listAvailability: (values) => [
    { query: { ...day(values), location_id: values.locationId, specialist_id: values.specialistId } },
    { query: { ...day(values), exclude_reference: values.reference } },
    { query: { ...day(values), cursor: values.cursor } },
    { query: { ...day(values), min_token: values.token } },
  ],
  listAvailabilityDays: (values) =>
    [
      { min_token: values.token },
      { location_ids: values.locationId },
      { specialist_ids: values.specialistId, next: 'true' },
    ].map((more) => ({
      query: { service_ids: values.serviceId, date: dayAhead(), ...more },
    })),
  explainAvailability: (values) => [
    { query: { ...day(values), location_id: values.locationId, specialist_id: values.specialistId } },
    { query: { ...day(values), cursor: values.cursor } },
  ],
  createBooking: (values) => [
    keyed(values, {
      ...day(values),
      location_id: values.locationId,
      specialist_id: values.specialistId,
      start_time: '12:00',
      external_reference: `${values.word}-4711`,
      customer: {
        ...{ ...CUSTOMER, phone: values.phone, email: 'robin@example.com' },
        ...{ consent_source: 'checkout', consent_text_version: '1' },
      },
    }),
  ],
  listBookings: ({ word, cursor, locationId }) => [
    { query: { external_reference: `${word}-4711` } },
    { query: { external_reference: 'none', cursor } },
    { query: { from: dayAhead(), to: dayAhead(), location_id: locationId } },
    { query: { updated_since: SINCE } },
  ],
  readBooking: ({ reference }) => [{ reference }],
  cancelBooking: (values) => [{ reference: values.reference, ...keyed(values, { expected_version: 1 }) }],
  rescheduleBooking: (values) => [
    {
      reference: values.reference,
      ...keyed(values, {
        expected_version: 1,
        date: dayAhead(),
        start_time: '15:00',
        specialist_id: values.specialistId,
      }),
    },
  ],
  sendTestEvent: (values) => [keyed(values, {})],
  digestBookings: () => [{ query: { from: dayAhead(), to: dayAhead() } }],
  listEvents: () => [{ query: { after: '0' } }],
  readMe: () => [{}],
  putBusyTime: (values) => [
    {
      reference: 'till-1',
      ...keyed(values, {
        location_id: values.locationId,
        specialist_id: values.specialistId,
        starts_at: `${dayAhead()}T18:00:00Z`,
        ends_at: `${dayAhead()}T19:00:00Z`,
      }),
    },
  ],
  deleteBusyTime: () => [{ reference: 'till-1' }],
  setTestClock: (values) => [keyed(values, { advance_seconds: 60 })],
  runOwnerAction: (values) => [
    keyed(values, {
      reference: values.reference,
      action: 'reschedule',
      date: dayAhead(),
      start_time: '15:00',
      specialist_id: values.specialistId,
    }),
  ],
  readReadiness: () => [{}],
  reportConformance: (values) => [
    keyed(values, { first_request_id: EXAMPLE_IDS.request, passed: 1, failed: 0, skipped: 0, calls: 1 }),
  ],
  checkSignature: (values) => [keyed(values, {})],
};

/** Returns the path of an operation with `segment` as its variable segment. */
export const pathWith = ({ path }: Pick<Operation, 'path'>, segment: string) =>
  BASE_PATH + path.replace(/\{\w+\}/, () => segment);

/** Calls the route of an operation in this process, without a server. */
export function callRoute(id: OperationId, key: string, { reference = '', query = {}, body, idempotencyKey }: Request) {
  const operation = ALL_OPERATIONS.find((one) => one.id === id) as Operation;
  return ROUTES[id]({
    begun: performance.now(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey } : {}),
    },
    method: operation.method,
    path: pathWith(operation, reference),
    search: new URLSearchParams(query as Record<string, string>).toString(),
    address: freshAddress(),
    readBytes: async () => Buffer.from(JSON.stringify(body)),
  });
}

/** Returns a function that calls the route of an operation in this process, without a server. */
export function send(id: OperationId): Call<{ status: number; headers: object; body: string }> {
  return async ({ applicationKey }, request) => {
    const { status, headers, ...response } = await callRoute(id, applicationKey, JSON.parse(request));
    const kept = Object.entries(headers).filter(
      ([name]) => !/request-id|reset|content-length|location|etag|^ratelimit$/i.test(name),
    );
    const location = String(Reflect.get(headers, 'Location') ?? '');
    return { status, headers: Object.fromEntries(kept), body: `${location} ${response.body}` };
  };
}

/** Returns requests for an operation, each as a JSON text. The requests contain only values of one tenant. */
export const requestsOf = (id: OperationId, { values }: Pick<World, 'values'>): string[] =>
  REQUESTS[id](values).map((one) => JSON.stringify(one));
