import { BASE_PATH, OPERATIONS, type Operation, type OperationId } from '@/lib/contract/operations';
import { ROUTES } from '@/scripts/server/routes';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { freshAddress } from '@/tests/support/client';
import type { Call } from './compare';
import type { Values, World } from './world';

/** A request of a partner. */
export type Request = {
  reference?: string;
  query?: Record<string, string | undefined>;
  body?: object;
  idempotencyKey?: string;
};

/** Constant, so that repeated requests are the same. */
const SINCE = new Date().toISOString();

const day = ({ serviceId }: Values) => ({ service_id: serviceId, date: dayAhead() });
const keyed = ({ idempotencyKey }: Values, body: object) => ({ idempotencyKey, body });

/**
 * For each operation, a function that returns requests with the given values of one tenant. Every field that can name a
 * record is in at least one of these requests.
 */
export const REQUESTS: Record<OperationId, (values: Values) => Request[]> = {
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
  // Partners lack their scope. `partner-v1/busy.test.ts` compares tenants.
  putBusyTime: () => [],
  deleteBusyTime: () => [],
  // They are no operations of LIVE. `sandbox/clock.test.ts` and `sandbox/readiness.test.ts` compare tenants.
  setTestClock: () => [],
  runOwnerAction: () => [],
  readReadiness: () => [],
  reportConformance: () => [],
  checkSignature: () => [],
};

/** Calls the route of an operation in this process, without a server. */
export function callRoute(id: OperationId, key: string, { reference = '', query = {}, body, idempotencyKey }: Request) {
  const { method, path } = OPERATIONS.find((one) => one.id === id) as Operation;
  return ROUTES[id]({
    begun: performance.now(),
    headers: {
      authorization: `Bearer ${key}`,
      ...(body ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey } : {}),
    },
    method,
    path: BASE_PATH + path.replace('{pbr_reference}', reference),
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
