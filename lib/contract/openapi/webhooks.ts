import { EXAMPLE_IDS } from '../common';
import { EXAMPLE_EVENTS, EXAMPLE_TEST_EVENT, EXAMPLE_THIN_EVENTS } from '../event-examples';
import { BOOKING_EVENT_TYPES, TEST_EVENT_TYPE, THIN_EVENT_TYPES } from '../events';
import { idPattern, shaped } from '../text';
import { type Json, schemaRef } from './schemas';

const header = (name: string, description: string, example: string, shape: Json) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...shape },
  example,
});

/** Pattern of one signature. The header has up to five signatures, one per active secret. */
const SIGNATURE = 'v1,[A-Za-z0-9+/]{43}=';

/** The headers of a webhook: those of Standard Webhooks 1.0, `webhook-attempt`, and `webhook-sequence` (contract B11, B16). */
const HEADERS = [
  header(
    'webhook-id',
    "The event's id, which is the same on every retry and replay. Use this id to ignore duplicates.",
    EXAMPLE_IDS.event,
    shaped(idPattern('evt'), 30, 30),
  ),
  header('webhook-timestamp', 'When this attempt was sent, in Unix seconds.', '1789376400', shaped('^[0-9]+$', 12, 10)),
  header(
    'webhook-signature',
    'One signature per active secret, separated by spaces. Each is `v1,` followed directly by the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    shaped(`^${SIGNATURE}( ${SIGNATURE}){0,4}$`, 239, 47),
  ),
  header('webhook-attempt', 'Number of this attempt, from 1.', '1', shaped('^[1-9][0-9]*$', 10, 1)),
  {
    ...header('webhook-sequence', 'Equal to `sequence` of the payload.', '4711', shaped('^[1-9][0-9]*$', 16, 1)),
    required: false,
  },
];

const RESPONSES = {
  '2XX': { description: 'Accepted. Any other response, including a redirect, is a failure.' },
  '410': { description: 'The endpoint is gone. The API disables the endpoint and holds its deliveries.' },
};

const SUMMARIES: Record<(typeof BOOKING_EVENT_TYPES)[number], string> = {
  'booking.created': 'A booking was created',
  'booking.rescheduled': 'A booking was moved to another start time or specialist',
  'booking.updated': 'The rules of the time zone of a booking changed, or the owner undid a completion or a no-show',
  'booking.cancelled': 'A booking was canceled by you or by the owner',
  'booking.completed': 'A booking was completed',
  'booking.no_show': 'The owner marked a booking as no-show',
  'booking.upcoming': 'A booking starts in 24 or in 2 hours',
  'booking.anonymized': 'The business erased the customer of a booking',
};

const THIN: Record<(typeof THIN_EVENT_TYPES)[number], { summary: string; schema: string }> = {
  'availability.changed': { summary: 'Free slots may have changed', schema: 'AvailabilityChangedEvent' },
  'catalog.changed': { summary: 'The catalog that you can read changed', schema: 'CatalogChangedEvent' },
};

function webhook(type: string, summary: string, schema: Json, example: unknown): [string, Json] {
  const words = type.split(/[._]/).map((word) => word[0]?.toUpperCase() + word.slice(1));
  const post = {
    operationId: `on${words.join('')}`,
    summary,
    description: "Sent to your application's endpoint, signed as specified in Standard Webhooks 1.0.",
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: RESPONSES,
  };
  return [type, { post }];
}

/** Returns the `webhooks` object of the OpenAPI document (contract B11). */
export function webhooks(): Json {
  const bookings = BOOKING_EVENT_TYPES.map((type) => {
    const narrowed = { type: 'object', required: ['type'], properties: { type: { type: 'string', const: type } } };
    const schema = { allOf: [schemaRef('BookingEvent'), narrowed] };
    return webhook(type, SUMMARIES[type], schema, EXAMPLE_EVENTS[type]);
  });
  const thin = THIN_EVENT_TYPES.map((type) => {
    const { summary, schema } = THIN[type];
    return webhook(type, summary, schemaRef(schema), EXAMPLE_THIN_EVENTS[type]);
  });
  const test = webhook(
    TEST_EVENT_TYPE,
    'A test event was requested by you or by the owner',
    schemaRef('TestEvent'),
    EXAMPLE_TEST_EVENT,
  );
  return Object.fromEntries([...bookings, ...thin, test]);
}
