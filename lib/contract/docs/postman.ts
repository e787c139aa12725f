import { openApiDocument } from '../openapi/document';
import type { Json } from '../openapi/schemas';
import { BASE_PATH, OPERATIONS, type Operation, type OperationId } from '../operations';
import type { Deployment } from './deployment';
import type { Parameter } from './schema-rows';

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

const DESCRIPTION =
  'Runs every operation, from reading the catalog to canceling a booking. Set the variable api_key to a TEST key, then run all requests in order: newman run postman.json --env-var api_key=pbk_test_…';

type Scripts = { before?: string[]; after: string[] };

const set = (name: string, value: string) => `pm.collectionVariables.set('${name}', ${value});`;
const test = (name: string, holds: string) => `pm.test('${name}', () => pm.expect(${holds}).to.eql(true));`;
const status = (code: number) => `pm.test('status ${code}', () => pm.response.to.have.status(${code}));`;
const REPLY = 'const reply = pm.response.json().data;';
const booking = (state: string, version: number) =>
  test(`${state}, version ${version}`, `reply.booking.status === '${state}' && reply.booking.version === ${version}`);

/**
 * The scripts with which the requests of the collection succeed when they run in order. The requests create a booking 8
 * to 16 days ahead, and then reschedule and cancel it. The scripts therefore select a service that can be booked that
 * far ahead and whose bookings can be changed until 7 days before they start. A script sets `external_reference`, so
 * that `createBooking` and `listBookings` send the same value.
 */
const WALK: Partial<Record<OperationId, Scripts>> = {
  listCatalog: {
    after: [
      status(200),
      REPLY,
      'const fits = (one) => one.max_advance_days > 18 && one.cancellation_cutoff_minutes < 7 * 1440;',
      'const service = reply.services.find(fits);',
      test('a service can be booked', 'service !== undefined'),
      set('service_id', 'service.id'),
      set('location_id', 'service.location_ids[0]'),
    ],
  },
  listSpecialists: { after: [status(200)] },
  listAvailability: {
    before: [
      'const day = (ahead) => new Date(Date.now() + ahead * 86400000).toISOString().slice(0, 10);',
      set('date', 'day(8)'),
      set('date_to', 'day(16)'),
    ],
    after: [
      status(200),
      REPLY,
      'const [slot] = reply.slots;',
      'const target = reply.slots[reply.slots.length - 1];',
      test('there are two slots', 'slot !== undefined && slot.starts_at !== target.starts_at'),
      set('date', 'slot.date'),
      set('start_time', 'slot.start_time'),
      set('new_date', 'target.date'),
      set('new_start_time', 'target.start_time'),
    ],
  },
  listAvailabilityDays: {
    after: [
      status(200),
      REPLY,
      'const [combination] = reply.combinations;',
      test('the day of the slot is available', 'combination.days[0].available'),
    ],
  },
  explainAvailability: { after: [status(200)] },
  createBooking: {
    before: [set('external_reference', "'postman-' + Date.now()")],
    after: [
      status(201),
      REPLY,
      booking('confirmed', 1),
      set('pbr_reference', 'reply.booking.reference'),
      set('expected_version', 'String(reply.booking.version)'),
      set('date', "pm.collectionVariables.get('new_date')"),
      set('start_time', "pm.collectionVariables.get('new_start_time')"),
    ],
  },
  listBookings: {
    after: [
      status(200),
      REPLY,
      "const sought = pm.collectionVariables.get('pbr_reference');",
      test('the booking is found', 'reply.bookings.some((one) => one.reference === sought)'),
    ],
  },
  readBooking: { after: [status(200), REPLY, booking('confirmed', 1)] },
  rescheduleBooking: {
    after: [status(200), REPLY, booking('confirmed', 2), set('expected_version', 'String(reply.booking.version)')],
  },
  cancelBooking: { after: [status(200), REPLY, booking('cancelled', 3)] },
  digestBookings: { after: [status(200), REPLY, test('there is a hash', 'reply.days[0].hash.length === 64')] },
  listEvents: { after: [status(200), REPLY, test('the events begin', 'reply.latest_sequence > 0')] },
  readMe: { after: [status(200), REPLY, test('the key is valid', "reply.api_version === 'v1'")] },
  sendTestEvent: {
    after: [
      'const { error } = pm.response.json();',
      "const refused = pm.response.code === 409 && error.reason === 'no_endpoint';",
      test('status 202, or 409 without an endpoint', 'pm.response.code === 202 || refused'),
    ],
  },
};

const VARIABLES: Record<string, string> = {
  service_id: '{{service_id}}',
  service_ids: '{{service_id}}',
  location_id: '{{location_id}}',
  location_ids: '{{location_id}}',
  date: '{{date}}',
  date_to: '{{date_to}}',
  start_time: '{{start_time}}',
  expected_version: '{{expected_version}}',
  external_reference: '{{external_reference}}',
  from: '{{date}}',
  to: '{{date}}',
};

/** The optional parameters that the collection sends. All other optional parameters are disabled in the collection. */
const SENT = new Set(['location_id', 'date_to', 'external_reference']);

/** Returns an example body with variables. The body names no specialist, so that any specialist can be assigned. */
function bodyText(example: Json): string {
  const entries = Object.entries(example).filter(([name]) => name !== 'specialist_id');
  const filled = Object.fromEntries(entries.map(([name, value]) => [name, VARIABLES[name] ?? value]));
  return JSON.stringify(filled, null, 2).replace('"{{expected_version}}"', '{{expected_version}}');
}

function event(listen: 'prerequest' | 'test', exec: string[] | undefined): Json[] {
  return exec ? [{ listen, script: { type: 'text/javascript', exec } }] : [];
}

type Described = {
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { example: Json } } };
};

function itemOf({ id, method, path, summary, description }: Operation, described: Described): Json {
  const query = described.parameters
    .filter((one) => one.in === 'query')
    .map(({ name, required, example, description: text }) => ({
      key: name,
      value: VARIABLES[name] ?? String(example),
      description: text,
      disabled: !required && !SENT.has(name),
    }));
  const target = path.replaceAll(/\{(\w+)\}/g, '{{$1}}');
  const search = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`);
  const raw = `{{base_url}}${target}${search.length > 0 ? `?${search.join('&')}` : ''}`;
  const body = described.requestBody?.content['application/json'].example;
  const header = body
    ? [
        { key: 'Content-Type', value: 'application/json' },
        { key: 'Idempotency-Key', value: '{{$guid}}' },
      ]
    : [];
  const scripts = WALK[id];
  return {
    name: summary,
    event: [...event('prerequest', scripts?.before), ...event('test', scripts?.after)],
    request: {
      method,
      description,
      header,
      url: { raw, host: ['{{base_url}}'], path: target.slice(1).split('/'), query },
      ...(body && { body: { mode: 'raw', raw: bodyText(body), options: { raw: { language: 'json' } } } }),
    },
  };
}

/** Returns a Postman collection (format 2.1) of all operations. The collection needs only an API key to run from start to end. */
export function postmanCollection({ origin }: Deployment): Json {
  const { paths } = openApiDocument(origin);
  const last: OperationId[] = ['rescheduleBooking', 'cancelBooking'];
  const place = ({ id }: Operation) => last.indexOf(id);
  const ordered = [...OPERATIONS].sort((a, b) => place(a) - place(b));
  return {
    info: { name: 'Partner Booking API', description: DESCRIPTION, schema: SCHEMA },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{api_key}}', type: 'string' }] },
    variable: [
      { key: 'base_url', value: origin + BASE_PATH },
      { key: 'api_key', value: '' },
    ],
    item: ordered.map((operation) => {
      const item = paths[operation.path] as Record<string, Described>;
      return itemOf(operation, item[operation.method.toLowerCase()] as Described);
    }),
  };
}
