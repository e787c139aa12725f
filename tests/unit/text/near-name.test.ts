import { expect, test } from 'vitest';
import { z } from 'zod';
import { availabilityQuery } from '@/lib/contract/availability';
import { createBookingBody } from '@/lib/contract/bookings';
import { namesAt, nearName } from '@/lib/contract/errors/near-name';
import { requestError } from '@/lib/contract/errors/request-error';
import { parseQuery } from '@/lib/http/partner-api/request';

const QUERY = namesAt(availabilityQuery, []);
const BODY = namesAt(createBookingBody, []);
const CUSTOMER = namesAt(createBookingBody, ['customer']);

test.for([
  [QUERY, 'dateTo', 'date_to'],
  [QUERY, 'DATE-TO', 'date_to'],
  [QUERY, 'datte_to', 'date_to'],
  [QUERY, 'serviceId', 'service_id'],
  [QUERY, 'service', 'service_id'],
  [QUERY, 'specialist', 'specialist_id'],
  [QUERY, 'excludeReference', 'exclude_reference'],
  [BODY, 'specialistId', 'specialist_id'],
  [BODY, 'externalReference', 'external_reference'],
  [BODY, 'external_refrence', 'external_reference'],
  [BODY, 'reference', 'external_reference'],
  [BODY, 'startTime', 'start_time'],
  [CUSTOMER, 'consentToContact', 'consent_to_contact'],
  [CUSTOMER, 'phone_number', 'phone'],
  // Another concept, too short, or ambiguous.
  [BODY, 'service_ids', null],
  [BODY, 'composition_mode', null],
  [CUSTOMER, 'birthday', null],
  [CUSTOMER, 'consent', null],
  [QUERY, 'to', null],
  [QUERY, '__proto__', null],
  [QUERY, 'constructor', null],
  [QUERY, 'd'.repeat(50_000), null],
] as const)('%j: %s is near to %s', ([known, sent, expected]) => {
  expect(nearName(sent, known)).toBe(expected);
});

test('the names of a schema are found behind lists and optional fields', () => {
  const schema = z.strictObject({ list: z.array(z.strictObject({ first: z.string() }).optional()).nullish() });
  expect(namesAt(schema, ['list', 3])).toEqual(['first']);
  expect(namesAt(schema, ['other', 'path'])).toEqual([]);
});

test('the message of an unknown name states the name that was meant, and the path still hides what was sent', () => {
  const parsed = createBookingBody.safeParse({ externalReference: 'a', 'robin@sample.example': 1 });
  const { fields = [], reason } = parsed.error ? requestError(parsed.error, createBookingBody) : {};
  expect(reason).toBe('unknown_field');
  expect(fields).toContainEqual({ path: '*', message: 'is unknown: the name is external_reference' });
  expect(fields).toContainEqual({ path: '*', message: 'is unknown' });
  const query = 'service_id=x&date=2026-12-04&dateTo=2026-12-05';
  expect(() => parseQuery(query, availabilityQuery)).toThrow(
    expect.objectContaining({ fields: [{ path: '*', message: 'is unknown: the name is date_to' }] }),
  );
});
