import { expect, test } from 'vitest';
import { changeByOwner } from '@/lib/booking/bookings/owner-change';
import { emitUpcoming } from '@/lib/booking/bookings/upcoming';
import { BASE_PATH, listEvents } from '@/lib/contract/operations';
import { pool } from '@/lib/platform/db';
import { sendTestEvent } from '@/lib/webhooks/test-event';
import { expectFields } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';
import { startReceiver } from '@/tests/support/receiver';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';

/** Contract B16. */

const PATH = `${BASE_PATH}${listEvents.path}`;
const eventsOf = (key: string, search = '') => partnerOf(key).client(`${PATH}${search}`, { operation: listEvents });
const SYSTEM = { kind: 'system' } as const;

test('every type of event has the next sequence, also without an endpoint, and pages have no gap', async () => {
  const desk = await makeDesk({ service: { maxAdvanceDays: 90 } });
  const { tenant, applicationId, key } = desk;
  expect((await eventsOf(key)).data).toEqual({ events: [], latest_sequence: 0 });
  const first = await desk.book('10:00', { date: dayAhead(44) });
  await desk.reschedule(first.reference, { expected_version: 1, date: dayAhead(44), start_time: '11:00' });
  const starts = Date.parse((await desk.read(first.reference)).data.booking.starts_at);
  // Without an endpoint that receives it.
  await emitUpcoming(new Date(starts - 20 * 3_600_000));
  await changeByOwner(new Date(), {
    tenantId: tenant.id,
    actor: SYSTEM,
    reference: first.reference,
    action: 'cancel',
    expectedVersion: 2,
    cancelReason: null,
  });
  // Refused and replayed writes have no event.
  await desk.cancel(first.reference, { expected_version: 3 });
  await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:59997/');
  await sendTestEvent(new Date(), { tenantId: tenant.id, applicationId, actor: SYSTEM });
  const { data } = await eventsOf(key);
  const types = ['booking.created', 'booking.rescheduled', 'booking.upcoming', 'booking.cancelled', 'webhook.test'];
  expect(data.events.map(({ type, sequence }) => [sequence, type])).toEqual(types.map((type, i) => [i + 1, type]));
  expect(data.latest_sequence).toBe(5);
  expect(JSON.stringify(data)).not.toContain('Robin');
  const pages = [];
  for (let after = 0; after < 5; after += 2) pages.push((await eventsOf(key, `?after=${after}&limit=2`)).data.events);
  expect(pages.flat()).toEqual(data.events);
  expect((await eventsOf(key, '?after=5')).data).toEqual({ events: [], latest_sequence: 5 });
  const other = await makeApplication(tenant.id);
  expect((await eventsOf(other.key)).data).toEqual({ events: [], latest_sequence: 0 });
});

test('a webhook has the same payload, and its sequence in a header', async () => {
  const receiver = await startReceiver();
  const desk = await makeDesk();
  await addEndpoint(desk.tenant.id, desk.applicationId, receiver.url);
  await desk.book();
  const [received] = await until(
    async () => receiver.received,
    (all) => all.length > 0,
  );
  const { text } = await eventsOf(desk.key);
  expect(text).toContain(`{"events":[${received?.body}],"latest_sequence":1}`);
  expect(received?.headers['webhook-sequence']).toBe('1');
  expect(JSON.parse(received?.body ?? '{}').sequence).toBe(1);
  await receiver.close();
});

test('sequences become visible in their order, and failed transactions leave no gap', async () => {
  const desk = await makeDesk({ service: { capacity: 100 }, specialists: 3 });
  await desk.book('09:00');
  let writing = true;
  let after = 0;
  const reading = (async () => {
    for (let last = false; !last; ) {
      last = !writing;
      for (const { sequence } of (await eventsOf(desk.key, `?after=${after}`)).data.events) {
        expect(sequence).toBe(after + 1);
        after += 1;
      }
    }
  })();
  const failing = async () => {
    const client = await pool().connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    client.on('error', () => undefined);
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO events (id, tenant_id, application_id, type, actor, payload, at)
       SELECT substr(id, 1, 15) || substr(md5(random()::text), 1, 15), tenant_id, application_id, 'webhook.test', 'owner', '{}', at
       FROM events WHERE application_id = $1 LIMIT 1`,
      [desk.applicationId],
    );
    // Takes the number before the end of the transaction, as the commit does.
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    await pool().query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
    client.release(true);
  };
  const booked = Promise.all(Array.from({ length: 30 }, () => desk.book('10:00')));
  for (let i = 0; i < 4; i += 1) await failing();
  await booked;
  writing = false;
  await reading;
  expect(after).toBe(31);
});

test('an unknown sequence gets a 400', async () => {
  const desk = await makeDesk();
  await desk.book();
  expect((await eventsOf(desk.key, '?after=1')).data.events).toEqual([]);
  for (const after of ['2', '9007199254740991'])
    expectFields(await eventsOf(desk.key, `?after=${after}`), ['after'], 'sequence_unknown');
  for (const after of ['', '-1', '1.0', '1e3', 'x', '9007199254740992', '10000000000000000'])
    expectFields(await eventsOf(desk.key, `?after=${after}`), ['after']);
  expectFields(await eventsOf(desk.key, '?limit=101'), ['limit']);
  expectFields(await eventsOf(desk.key, '?type=booking.created'), ['type'], 'unknown_field');
});
