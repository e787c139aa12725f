import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { BOOKINGS, CUSTOMER, dayAhead, post } from '@/tests/support/bookings';
import { createClient } from '@/tests/support/client';
import { makeBusiness } from '@/tests/support/factories';
import { type OwnDatabase, ownDatabase } from '@/tests/support/own-database';
import { CATALOG } from '@/tests/support/paths';
import { hang, type Receiver, startReceiver, status } from '@/tests/support/receiver';
import { startServer, type TestServer } from '@/tests/support/server';
import { until } from '@/tests/support/until';

let database: OwnDatabase;
let receiver: Receiver;
let server: TestServer;

beforeAll(async () => {
  receiver = await startReceiver(status(200, {}, '{}'));
  // This test file has its own database. With a shared database, the server would also make the webhook attempts of
  // other tests, and would have to finish them before it stops.
  database = await ownDatabase();
  const OTEL_EXPORTER_OTLP_ENDPOINT = new URL(receiver.url).origin;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: '100', OTEL_SERVICE_NAME: 'our-booking' };
  server = await startServer({ databaseUrl: database.url, env });
});

afterAll(async () => {
  await server?.stop();
  await receiver?.close();
  await database?.drop();
});

type Value = { stringValue?: string; intValue?: number };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Value }[];
  links: { traceId: string; spanId: string }[];
  status: { code: number };
};

const attributeOf = ({ attributes }: Span, key: string) => {
  const { value } = attributes.find((one) => one.key === key) ?? {};
  return value?.stringValue ?? value?.intValue;
};

function received(): Span[] {
  const bodies = receiver.received.map(({ body }) => JSON.parse(body));
  return bodies.flatMap((body) =>
    body.resourceSpans.flatMap((one: { scopeSpans: { spans: Span[] }[] }) =>
      one.scopeSpans.flatMap(({ spans }) => spans),
    ),
  );
}

/** Waits for the span of a request, and returns it with the spans of its statements. */
async function traceOf(requestId: string): Promise<{ root: Span | undefined; children: Span[] }> {
  const find = async () => received().find((span) => attributeOf(span, 'booking.request_id') === requestId);
  const root = await until(find, (found) => found !== undefined);
  return { root, children: received().filter(({ parentSpanId }) => parentSpanId === root?.spanId) };
}

test('a booking is a span with the request id and application, and each round trip to the database is a child', async () => {
  const { key, applicationId, service, location } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  const ids = { service_id: service.id, location_id: location.id };
  const body = { ...ids, date: dayAhead(), start_time: '10:00', external_reference: 'order-17', customer: CUSTOMER };
  const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const headers = { traceparent: `00-${caller.traceId}-${caller.spanId}-01` };
  const made = await post(client, BOOKINGS, createBooking, body, { headers });
  const { root, children } = await traceOf(made.requestId);
  expect(root).toMatchObject({ name: `POST ${BOOKINGS}`, links: [caller] });
  expect(root?.traceId).not.toBe(caller.traceId);
  expect(root && attributeOf(root, 'http.response.status_code')).toBe(201);
  expect(root && attributeOf(root, 'booking.application_id')).toBe(applicationId);
  expect(children.map(({ name }) => name)).toContain('booking-create-or-fail');
  for (const child of children) {
    expect(child.traceId).toBe(root?.traceId);
    expect(BigInt(child.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(child.startTimeUnixNano));
    expect(BigInt(child.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(root?.startTimeUnixNano ?? 0) - 5_000_000n);
  }
  const everything = receiver.received.map((one) => one.body).join();
  expect(everything).toContain('our-booking');
  for (const secret of [CUSTOMER.name, CUSTOMER.phone, 'order-17', key]) expect(everything).not.toContain(secret);
});

test('a refusal has its code, and an unknown path is not part of a span', async () => {
  const client = createClient({ origin: server.origin });
  const refused = await traceOf(
    (await client(CATALOG, { headers: { traceparent: `00-${'0'.repeat(32)}-x` } })).requestId,
  );
  expect(refused.root).toMatchObject({ name: `GET ${CATALOG}`, links: [] });
  expect(refused.root && attributeOf(refused.root, 'error.type')).toBe('invalid_api_key');
  const unknown = await traceOf((await client('/api/partner/v1/someone@example.com')).requestId);
  expect(unknown.root?.name).toBe('GET');
  expect(receiver.received.map((one) => one.body).join()).not.toContain('someone@example.com');
});

// This test must be the last test, because it stops the server.
test('a collector that hangs neither slows requests nor delays the stop', async () => {
  receiver.answer(hang);
  const { key } = await makeBusiness();
  const client = createClient({ origin: server.origin, key });
  const replies = await Promise.all(Array.from({ length: 50 }, () => client(CATALOG)));
  expect(replies.every((reply) => reply.status === 200)).toBe(true);
  const begun = performance.now();
  await server.stop();
  expect(performance.now() - begun).toBeLessThan(6_000);
});
