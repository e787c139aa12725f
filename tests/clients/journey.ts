// Runs a booking journey with a generated client: `journey.ts <generator> <base URL> <API key>`. Fails if a call fails
// or a response differs from what is expected.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Connect } from './adapters/adapter';

const [generator, baseUrl = '', key = ''] = process.argv.slice(2);
const { connect } = (await import(`./adapters/${generator}.ts`)) as { connect: Connect };
const api = connect(baseUrl, key);

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);

const [service] = await api.services();
const location_id = service?.location_ids[0];
assert(service && location_id, 'no bookable service');
const [first, second] = await api.slots({ service_id: service.id, location_id, date: day(2), date_to: day(20) });
assert(first && second, 'no free slots');

const order = {
  service_id: service.id,
  location_id,
  date: first.date,
  start_time: first.start_time,
  external_reference: `order-${generator}`,
  customer: { name: 'Zoë Sample-Łukasz', phone: '+49 30 5550 1234', consent_to_contact: true as const },
};
const idempotencyKey = randomUUID();
const created = await api.create(order, idempotencyKey);
assert.deepEqual([created.version, created.status], [1, 'confirmed']);
assert.equal((await api.create(order, idempotencyKey)).reference, created.reference, 'a repeated create must replay');
assert.deepEqual(await api.read(created.reference), created);
const moved = await api.reschedule(created, second, randomUUID());
assert.deepEqual([moved.version, moved.status], [2, 'confirmed']);
const cancelled = await api.cancel(moved, randomUUID());
assert.deepEqual([cancelled.version, cancelled.status], [3, 'cancelled']);
