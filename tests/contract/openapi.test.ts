import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import type { ApiErrorCode } from '@/lib/contract/errors/api-errors';
import { refusalsOf } from '@/lib/contract/errors/refusals';
import {
  availabilityChangedPayload,
  BOOKING_EVENT_TYPES,
  bookingEventPayload,
  catalogChangedPayload,
  testEventPayload,
} from '@/lib/contract/events';
import { openApiDocument } from '@/lib/contract/openapi/document';
import { ALL_OPERATIONS, successStatus } from '@/lib/contract/operations';
import { API_STATUSES } from '@/tests/support/error-table';
import { DOCUMENT } from '@/tests/support/openapi';
import { sharedServer } from '@/tests/support/shared';

type Described = {
  operationId: string;
  'x-required-scope': string;
  'x-idempotency-key': string;
  security: Record<string, string[]>[];
  parameters: { name?: string; in?: string; required?: boolean; example?: unknown; $ref?: string }[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
  responses: Record<string, unknown>;
};

/** Their responses have a token (contract B17). */
const WITH_TOKEN = new Set(['listCatalog', 'listSpecialists', 'listAvailability', 'listAvailabilityDays']);

const RULES = { extends: ['recommended-strict'] as ['recommended-strict'] };

function describedOf({ path, method }: { path: string; method: string }): Described {
  return (DOCUMENT.paths[path] as Record<string, Described>)[method.toLowerCase()] as Described;
}

test('the served document is the one that these tests read, with the server’s origin', async () => {
  const { origin } = sharedServer();
  const response = await fetch(`${origin}/docs/openapi.json`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const { origin: own } = new URL(origin);
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(own))));
});

test('the document is valid OpenAPI 3.1 according to an independent validator', async () => {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(JSON.stringify(DOCUMENT)));
  expect(result.errors ?? []).toEqual([]);
  expect([result.valid, validator.version]).toEqual([true, '3.1']);
});

test('a public ruleset reports no problems, including warnings', async () => {
  const config = await createConfig(RULES);
  const problems = await lintFromString({ source: JSON.stringify(DOCUMENT), config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
});

test('the document contains exactly the operations of the contract', () => {
  const found = Object.entries(DOCUMENT.paths).flatMap(([path, item]) =>
    Object.keys(item as object)
      .filter((name) => name !== 'parameters')
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(found.sort()).toEqual(ALL_OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
});

for (const operation of ALL_OPERATIONS) {
  test(`${operation.id} documents its scope, idempotency, parameters, and every status with every code`, () => {
    const described = describedOf(operation);
    expect(described.operationId).toBe(operation.id);
    expect(described['x-required-scope']).toBe(operation.scope ?? undefined);
    expect(described.security).toEqual([{ ApiKey: operation.scope === null ? [] : [operation.scope] }]);
    expect(described['x-idempotency-key']).toBe(operation.body ? 'required' : 'not used');
    const refs = described.parameters.map(({ $ref }) => $ref);
    expect(refs.includes('#/components/parameters/IdempotencyKey')).toBe(operation.body !== undefined);
    const query = described.parameters.filter((one) => one.in === 'query');
    expect(query.map(({ name }) => name)).toEqual(Object.keys(operation.query.shape));
    for (const { name, example } of query) expect(example, `${name} has an example`).toBeDefined();
    const codes = Object.keys(refusalsOf(operation)) as ApiErrorCode[];
    const unchanged = WITH_TOKEN.has(operation.id) ? [304] : [];
    const statuses = new Set([successStatus(operation), ...unchanged, 405, ...codes.map((c) => API_STATUSES[c])]);
    expect(refs.includes('#/components/parameters/IfNoneMatch')).toBe(WITH_TOKEN.has(operation.id));
    expect(Object.keys(described.responses).sort()).toEqual([...statuses].map(String).sort());
    for (const code of codes) expect(JSON.stringify(DOCUMENT)).toContain(`"${code}"`);
  });

  test(`the examples of ${operation.id} are valid requests`, () => {
    const { parameters, requestBody } = describedOf(operation);
    const given = parameters.filter((one) => one.in === 'query').map(({ name, example }) => [name, String(example)]);
    expect(operation.query.safeParse(Object.fromEntries(given)).error).toBeUndefined();
    const body = requestBody?.content['application/json'].example;
    expect(operation.body?.safeParse(body).error).toBeUndefined();
  });
}

/** Keywords for text, which generators turn into calls that numbers do not have. */
const OF_TEXT = ['pattern', 'minLength', 'maxLength'];

test('no schema of a number has keywords of text', () => {
  const wrong: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type } = value as { type?: unknown };
    if (type === 'integer' || type === 'number')
      wrong.push(...OF_TEXT.filter((keyword) => keyword in value).map((keyword) => `${path}.${keyword}`));
    for (const [name, part] of Object.entries(value)) look(part, `${path}.${name}`);
  };
  look(DOCUMENT, '');
  expect(wrong).toEqual([]);
});

type Sent = { schema: { allOf?: { properties?: { type?: unknown } }[] }; example: unknown };

const webhooks = DOCUMENT.webhooks as Record<
  string,
  { post: { requestBody: { content: { 'application/json': Sent } } } }
>;

test('every event is in the webhooks section, with a valid example', () => {
  const others = {
    'availability.changed': availabilityChangedPayload,
    'catalog.changed': catalogChangedPayload,
    'webhook.test': testEventPayload,
  };
  expect(Object.keys(webhooks)).toEqual([...BOOKING_EVENT_TYPES, ...Object.keys(others)]);
  for (const [type, { post }] of Object.entries(webhooks)) {
    const schema = Object.entries(others).find(([other]) => other === type)?.[1] ?? bookingEventPayload;
    const parsed = schema.safeParse(post.requestBody.content['application/json'].example);
    expect(parsed.data?.type, JSON.stringify(parsed.error)).toBe(type);
  }
});

test('the event examples form one valid history: created, rescheduled, then ended by an allowed actor', () => {
  const told = BOOKING_EVENT_TYPES.map((type) => {
    const { schema, example } = webhooks[type]?.post.requestBody.content['application/json'] ?? {};
    expect(schema?.allOf?.[1]?.properties?.type).toEqual({ type: 'string', const: type });
    const { data, timestamp } = bookingEventPayload.parse(example);
    const { booking, previous, actor } = data;
    expect(booking.starts_at.startsWith(`${booking.date}T${booking.start_time}`)).toBe(true);
    expect(booking.ends_at.slice(11, 16)).toBe(booking.end_time);
    const startedAt = Date.parse(timestamp) >= Date.parse(booking.starts_at);
    return [type, booking.version, booking.status, actor, previous?.starts_at ?? null, startedAt];
  });
  expect(told).toEqual([
    ['booking.created', 1, 'confirmed', 'partner', null, false],
    ['booking.rescheduled', 2, 'confirmed', 'partner', '2026-09-14T09:30:00+02:00', false],
    ['booking.updated', 3, 'confirmed', 'system', '2026-09-15T11:00:00+01:00', false],
    ['booking.cancelled', 3, 'cancelled', 'partner', null, false],
    ['booking.completed', 3, 'completed', 'owner', null, true],
    ['booking.no_show', 3, 'no_show', 'owner', null, true],
    ['booking.upcoming', 2, 'confirmed', 'system', null, false],
    ['booking.anonymized', 3, 'no_show', 'owner', null, true],
  ]);
});

test('reasons are extensible: known ones are documented, and required ones are never null in examples', () => {
  const text = JSON.stringify(DOCUMENT);
  expect(text).not.toMatch(/"code":"(?:booking_unavailable|credential_restricted)","message":"[^"]*","reason":null/);
  for (const operation of ALL_OPERATIONS) {
    for (const reason of Object.values(refusalsOf(operation)).flat()) expect(text).toContain(`"reason":"${reason}"`);
  }
  const schemas = [...text.matchAll(/"reason":(\{"type":\["string","null"\].*?"x-extensible-enum":\[.*?\]\})/g)];
  expect(schemas.length).toBeGreaterThan(ALL_OPERATIONS.length);
  expect(text).not.toContain('"reason":{"enum"');
});
