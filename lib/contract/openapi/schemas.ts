import { z } from 'zod';
import { slot } from '../availability';
import { booking, cancelBody, createBookingBody, rescheduleBody } from '../bookings';
import { busyBody, busyTime } from '../busy';
import { location, price, service } from '../catalog';
import { meta } from '../common';
import { errorDetail } from '../errors/body';
import { availabilityChangedPayload, bookingEventPayload, catalogChangedPayload, testEventPayload } from '../events';
import { conformanceBody, readiness } from '../readiness';
import { clock, clockBody, ownerActionBody } from '../sandbox';
import { specialist } from '../specialists';
import { testEventBody } from '../test-events';
import { MAX_INTEGER } from '../text';

export type Json = { [name: string]: unknown };

const named = z
  .registry<{ id: string }>()
  .add(service, { id: 'Service' })
  .add(price, { id: 'Price' })
  .add(location, { id: 'Location' })
  .add(specialist, { id: 'Specialist' })
  .add(slot, { id: 'Slot' })
  .add(booking, { id: 'Booking' })
  .add(meta, { id: 'Meta' })
  .add(errorDetail, { id: 'Error' })
  .add(bookingEventPayload, { id: 'BookingEvent' })
  .add(availabilityChangedPayload, { id: 'AvailabilityChangedEvent' })
  .add(catalogChangedPayload, { id: 'CatalogChangedEvent' })
  .add(testEventPayload, { id: 'TestEvent' })
  .add(busyTime, { id: 'BusyTime' })
  .add(clock, { id: 'TestClock' })
  .add(readiness, { id: 'Readiness' });

const sent = z
  .registry<{ id: string }>()
  .add(createBookingBody, { id: 'CreateBooking' })
  .add(cancelBody, { id: 'CancelBooking' })
  .add(rescheduleBody, { id: 'RescheduleBooking' })
  .add(testEventBody, { id: 'SendTestEvent' })
  .add(busyBody, { id: 'PutBusyTime' })
  .add(clockBody, { id: 'SetTestClock' })
  .add(ownerActionBody, { id: 'RunOwnerAction' })
  .add(conformanceBody, { id: 'ReportConformance' });

/** Returns a reference to a schema in the document. */
export const schemaRef = (id: string) => ({ $ref: `#/components/schemas/${id}` });

type Direction = 'input' | 'output';

/**
 * Removes patterns that repeat a format, adds the format to integers, and lets responses contain fields that
 * the schema does not name.
 */
function simplify(schema: z.core.JSONSchema.BaseSchema, io: Direction): void {
  if (schema.format === 'date' || schema.format === 'date-time' || schema.format === 'uri') delete schema.pattern;
  if (schema.type === 'integer') schema.format = (schema.maximum ?? 0) > MAX_INTEGER ? 'int64' : 'int32';
  // v1 may add fields to responses, and clients must ignore unknown ones (guide "versions").
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
}

function options(io: Direction) {
  return { io, override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => simplify(jsonSchema, io) };
}

function all(registry: typeof named, io: Direction): Record<string, Json> {
  const { schemas } = z.toJSONSchema(registry, { ...options(io), uri: (id) => schemaRef(id).$ref });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}

/** Returns the named schemas of the OpenAPI document. They are generated from the zod schemas of the routes. */
export function componentSchemas(): Record<string, Json> {
  return { ...all(named, 'output'), ...all(sent, 'input') };
}

/** Returns the schema of a parameter's parsed value. For example, `limit` is a number, although clients send text. */
export function parameterSchema(schema: z.core.$ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, options('output'));
  return rest;
}

/** Returns the schema of a request body, without references. */
export function bodySchema(schema: z.core.$ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, options('input'));
  return rest;
}

/** Returns the schema of an operation's data. The schema refers to the named schemas instead of repeating them. */
export function dataSchema(schema: z.core.$ZodType): Json {
  const root = z.registry<{ id: string }>();
  for (const [id, known] of named._idmap) root.add(known, { id });
  root.add(schema, { id: 'Root' });
  const { schemas } = z.toJSONSchema(root, { ...options('output'), uri: (id) => schemaRef(id).$ref });
  const { $schema, $id, ...rest } = schemas.Root ?? {};
  return rest;
}

/** Returns the name of a request body's schema. */
export function bodyName(schema: z.core.$ZodType): string {
  return [...sent._idmap].find(([, known]) => known === schema)?.[0] ?? '';
}
