import { beforeAll, expect, test } from 'vitest';
import { BASE_PATH, OPERATIONS, type Operation, type OperationId } from '@/lib/contract/operations';
import { ROUTES } from '@/scripts/server/routes';
import { CUSTOMER, dayAhead } from '@/tests/support/bookings';
import { freshAddress } from '@/tests/support/client';
import { type Call, compareTwins } from './compare';
import { filledFields, namingFields } from './fields';
import { makeWorlds, marksOf, rowsOf, type Values, type World, type Worlds } from './world';

let worlds: Worlds;
let marks: string[];
let before: string[];

beforeAll(async () => {
  worlds = await makeWorlds();
  marks = await marksOf(worlds.other);
  before = await otherRows();
  // Loads the policies and the catalogs, so that all later requests find them in memory.
  for (const world of [worlds.birch, worlds.beech]) await send('listCatalog')(world, '{}');
});

const otherRows = () => rowsOf(worlds.other, [worlds.birch, worlds.beech]);

type Request = {
  reference?: string;
  query?: Record<string, string | undefined>;
  body?: object;
  idempotencyKey?: string;
};

const day = ({ serviceId }: Values) => ({ service_id: serviceId, date: dayAhead() });
const keyed = ({ idempotencyKey }: Values, body: object) => ({ idempotencyKey, body });

/**
 * The requests of each operation, with a tenant's own values. Together, the requests contain every field of the
 * operation.
 */
const REQUESTS: Record<OperationId, (values: Values) => Request[]> = {
  listCatalog: ({ cursor }) => [{ query: { cursor } }],
  listSpecialists: ({ serviceId, locationId, cursor }) => [
    { query: { service_id: serviceId, location_id: locationId } },
    { query: { cursor } },
  ],
  listAvailability: (values) => [
    { query: { ...day(values), location_id: values.locationId, specialist_id: values.specialistId } },
    { query: { ...day(values), exclude_reference: values.reference } },
    { query: { ...day(values), cursor: values.cursor } },
  ],
  createBooking: (values) => [
    keyed(values, {
      ...day(values),
      location_id: values.locationId,
      specialist_id: values.specialistId,
      start_time: '12:00',
      external_reference: `${values.word}-4711`,
      customer: { ...CUSTOMER, phone: values.phone },
    }),
  ],
  listBookings: ({ word, cursor }) => [
    { query: { external_reference: `${word}-4711` } },
    { query: { external_reference: 'none', cursor } },
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
};

/** Returns a function that sends requests of an operation in this process. */
function send(id: OperationId): Call<{ status: number; headers: object; body: string }> {
  const { method, path } = OPERATIONS.find((one) => one.id === id) as Operation;
  return async ({ applicationKey }, request) => {
    const { reference = '', query = {}, body, idempotencyKey }: Request = JSON.parse(request);
    const target = new URLSearchParams(query as Record<string, string>).toString();
    const { status, headers, ...response } = await ROUTES[id]({
      begun: performance.now(),
      headers: {
        authorization: `Bearer ${applicationKey}`,
        ...(body ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey } : {}),
      },
      method,
      path: BASE_PATH + path.replace('{pbr_reference}', reference),
      search: target,
      address: freshAddress(),
      readBytes: async () => Buffer.from(JSON.stringify(body)),
    });
    const kept = Object.entries(headers).filter(([name]) => !/request-id|reset|content-length|location/i.test(name));
    const location = String(Reflect.get(headers, 'Location') ?? '');
    return { status, headers: Object.fromEntries(kept), body: `${location} ${response.body}` };
  };
}

/** Returns the statuses, other than a conflict, with which a tenant's own request may be refused. */
function refusals(id: OperationId, request: string): number[] {
  // In the first case, the cursor belongs to the catalog. In the second case, the application has no webhook
  // endpoint.
  if (request.includes('"cursor"')) return [400];
  return id === 'sendTestEvent' ? [404] : [];
}

const requestsOf = (id: OperationId, { values }: World) => REQUESTS[id](values).map((one) => JSON.stringify(one));

test.each(OPERATIONS)('the requests of $id contain every field that can name a record', (operation) => {
  const requests = REQUESTS[operation.id](worlds.birch.values);
  const filled = requests.flatMap(({ query, body }) => [...filledFields(query), ...filledFields(body)]);
  const fields = [operation.query, ...(operation.body ? [operation.body] : [])].flatMap(namingFields);
  expect(filled).toEqual(expect.arrayContaining(fields));
  expect(requests.every(({ reference }) => (reference !== undefined) === operation.path.includes('{'))).toBe(true);
});

test.each(OPERATIONS)('$id treats values of another tenant as unknown values', async ({ id }) => {
  await compareTwins(worlds, (world) => requestsOf(id, world), marks, send(id));
});

test('changes no row of another tenant', async () => {
  expect(await otherRows()).toEqual(before);
});

test('no request of a partner changes what the partners of another tenant read', async () => {
  const { birch, other } = worlds;
  const read = async () => {
    const replies = [];
    for (const { id } of OPERATIONS.filter(({ method }) => method === 'GET'))
      for (const request of requestsOf(id, birch)) {
        const { status, body } = await send(id)(birch, request);
        expect([200, 400]).toContain(status);
        replies.push(`${request}: ${status} ${body.replace(/req_\w+/, '')}`);
      }
    return replies;
  };
  const first = await read();
  expect(first.filter((reply) => marks.some((mark) => reply.includes(mark)))).toEqual([]);
  // Every request is valid for the tenant whose values it contains. It may get a conflict, because its idempotency
  // key is already in use.
  for (const { id } of OPERATIONS)
    for (const request of requestsOf(id, other)) {
      const { status, body } = await send(id)(other, request);
      expect([200, 201, 409, ...refusals(id, request)], `${id} ${request}: ${body}`).toContain(status);
    }
  expect(await read()).toEqual(first);
});
