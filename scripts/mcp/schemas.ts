import { fromJsonSchema, type JsonSchemaType, type jsonSchemaValidator } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { bookingReference, cancelBody, createBookingBody, rescheduleBody } from '@/lib/contract/bookings';
import { boundedText } from '@/lib/contract/bounded-text';
import { bodySchema, type Json, parameterSchema } from '@/lib/contract/openapi/schemas';
import { explainAvailability, listAvailability, listBookings, listCatalog } from '@/lib/contract/operations';

type Args = Record<string, unknown>;
type Properties = Record<string, Json>;

/** The API checks the arguments, so that a tool refuses them in the API's words. */
const UNCHECKED: jsonSchemaValidator = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

function inputOf(properties: Properties, required: readonly string[]) {
  const schema = { type: 'object', properties, required, additionalProperties: false };
  return fromJsonSchema<Args>(schema as JsonSchemaType, UNCHECKED);
}

/** Returns the query parameters of an operation as properties, none of them required. */
function propertiesOf(query: z.ZodObject): Properties {
  return Object.fromEntries(Object.entries(query.shape).map(([name, field]) => [name, parameterSchema(field)]));
}

const requiredOf = (query: z.ZodObject) =>
  Object.entries(query.shape)
    .filter(([, field]) => field._zod.optin === undefined)
    .map(([name]) => name);

const partsOf = (body: z.ZodObject) => bodySchema(body) as { properties: Properties; required: string[] };

/** Text with which a conversation can identify itself: 1 to 200 characters. */
const conversationId = boundedText(200).min(1);
const attempt = z.int().min(1).max(99);
/** Any text is accepted, so that a wrong code leads to the question again. */
const confirmationCode = boundedText(20);

/** The arguments that a write has in addition to the fields of the API. */
export const writeArguments = z.object({
  conversation_id: conversationId.optional().meta({
    description:
      'Any text that stays the same in this conversation and differs in others, such as the id of the chat. Without it, equal writes count as the same write.',
  }),
  attempt: attempt.optional().meta({
    description:
      'Leave it out. A repeated call returns the first result and writes nothing. Only to write the same again on purpose, such as to book again after a cancellation: 2, then 3.',
  }),
  confirmation_code: confirmationCode.optional().meta({
    description:
      'Leave it out, unless an earlier call with the same arguments asked for a confirmation, and a person answered with this code.',
  }),
  dry_run: z.boolean().optional().meta({ description: 'Write nothing: return what the API would answer now.' }),
});

const writing = z.toJSONSchema(writeArguments, { io: 'input' }).properties as Properties;

const create = partsOf(createBookingBody);
const change = { ...partsOf(cancelBody).properties, ...partsOf(rescheduleBody).properties };

/** What each tool accepts. */
export const INPUTS = {
  listServices: inputOf(
    {
      ...propertiesOf(listCatalog.query),
      service_id: {
        ...propertiesOf(listAvailability.query).service_id,
        description: 'Returns the specialists who provide this service, instead of the services.',
      },
    },
    [],
  ),
  listAvailability: inputOf(propertiesOf(listAvailability.query), requiredOf(listAvailability.query)),
  explainAvailability: inputOf(propertiesOf(explainAvailability.query), requiredOf(explainAvailability.query)),
  createBooking: inputOf(
    { ...create.properties, ...writing },
    create.required.filter((name) => name !== 'external_reference'),
  ),
  findBookings: inputOf({ reference: parameterSchema(bookingReference), ...propertiesOf(listBookings.query) }, []),
  changeBooking: inputOf(
    {
      reference: parameterSchema(bookingReference),
      action: { type: 'string', enum: ['cancel', 'reschedule'] },
      ...change,
      ...writing,
    },
    ['reference', 'action', 'expected_version'],
  ),
};
