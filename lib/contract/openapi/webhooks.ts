import { EXAMPLE_IDS } from '../common';
import { BOOKING_EVENT_TYPES, EXAMPLE_EVENTS, TEST_EVENT_TYPE } from '../events';
import { exampleOf } from './example';
import { type Json, schemaRef } from './schemas';

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** As Standard Webhooks 1.0 has them (contract B11). */
const HEADERS = [
  header(
    'webhook-id',
    'Id of the event, the same on every retry and replay. Record it before you act.',
    EXAMPLE_IDS.event,
  ),
  header('webhook-timestamp', 'When this attempt was sent, in Unix seconds.', '1789376400'),
  header(
    'webhook-signature',
    '`v1,` and base64 HMAC-SHA256 of `id.timestamp.body`, one for each live secret, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
  header('webhook-attempt', 'Number of this attempt, from 1.', '1'),
];

const RESPONSES = {
  '2XX': { description: 'Taken. Any other answer, a redirect included, is tried again.' },
  '410': { description: 'The endpoint is no more: it is disabled, and its deliveries are held.' },
};

const SUMMARIES: Record<(typeof BOOKING_EVENT_TYPES)[number], string> = {
  'booking.created': 'A booking was made',
  'booking.rescheduled': 'A booking was moved to another start or specialist',
  'booking.cancelled': 'A booking was cancelled, by you or by the owner',
  'booking.completed': 'The owner marked a booking as completed',
  'booking.no_show': 'The owner marked a booking as no-show',
};

function webhook(type: string, summary: string, schema: Json, example: unknown): [string, Json] {
  const words = type.split(/[._]/).map((word) => word[0]?.toUpperCase() + word.slice(1));
  const post = {
    operationId: `on${words.join('')}`,
    summary,
    description: 'Sent to the endpoint of your application, signed as Standard Webhooks 1.0.',
    tags: ['Webhooks'],
    security: [],
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema, example } } },
    responses: RESPONSES,
  };
  return [type, { post }];
}

/** Returns the events that we send (contract B11). */
export function webhooks(schemas: Record<string, Json>): Json {
  const bookings = BOOKING_EVENT_TYPES.map((type) => {
    const narrowed = { type: 'object', required: ['type'], properties: { type: { type: 'string', const: type } } };
    const schema = { allOf: [schemaRef('BookingEvent'), narrowed] };
    return webhook(type, SUMMARIES[type], schema, EXAMPLE_EVENTS[type]);
  });
  const example = exampleOf(schemaRef('TestEvent'), schemas);
  const test = webhook(TEST_EVENT_TYPE, 'The owner tries your endpoint', schemaRef('TestEvent'), example);
  return Object.fromEntries([...bookings, test]);
}
