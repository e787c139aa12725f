import { expect, test } from 'vitest';
import { BASE_PATH, listEvents } from '@/lib/contract/operations';
import { markChanged } from '@/lib/platform/cache';
import { db, pool } from '@/lib/platform/db';
import { resumeEndpoint, updateEndpoint } from '@/lib/webhooks/endpoint';
import { expectFields, narrowPolicy } from '@/tests/support/booking-rows';
import { AVAILABILITY_DAYS, type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { withSuperuser } from '@/tests/support/database';
import { makeApplication } from '@/tests/support/factories';
import { holdLock } from '@/tests/support/held-lock';
import { CATALOG } from '@/tests/support/paths';
import { sharedServer } from '@/tests/support/shared';
import { runsOf, watch } from '@/tests/support/thin-events';
import { addEndpoint, LOOPBACK } from '@/tests/support/webhooks';

/** Contract B17. */

const EVERYTHING = [{ service_id: null, location_id: null, date: null, date_to: null, dates: null }];

const changeOf = ({ service, location }: Pick<Desk, 'service' | 'location'>, date = dayAhead()) => [
  { service_id: service.id, location_id: location.id, date, date_to: date, dates: [date] },
];

async function rowsOf(table: 'slot_changes' | 'change_watches' | 'events', tenantId: string): Promise<number> {
  const { rows } = await pool().query(`SELECT count(*)::int AS count FROM ${table} WHERE tenant_id = $1`, [tenantId]);
  return rows[0]?.count;
}

const settle = (applicationId: string, change: string) =>
  pool().query(`UPDATE webhook_endpoints SET ${change} WHERE application_id = $1`, [applicationId]);

test('without an endpoint that receives them, there are no events, no watch, and no queue', async () => {
  const [desk, catalogOnly] = [await makeDesk(), await makeDesk()];
  await addEndpoint(desk.tenant.id, desk.applicationId, 'http://127.0.0.1:59996/');
  const seen = await watch(catalogOnly, runsOf(catalogOnly.tenant.id), ['catalog.changed']);
  expect(seen.begun).toMatchObject({ catalog: 1, changes: null });
  for (const { tenant, book } of [desk, catalogOnly]) {
    await runsOf(tenant.id).after();
    await book('10:00');
    expect(await rowsOf('slot_changes', tenant.id)).toBe(0);
  }
  await runsOf(desk.tenant.id).after(20_000);
  expect(await rowsOf('change_watches', desk.tenant.id)).toBe(0);
  expect(await rowsOf('events', desk.tenant.id)).toBe(1);
});

test('the first event, and the one after a pause, states that everything may have changed', async () => {
  const desk = await makeDesk({ service: { capacity: 20 } });
  const { applicationId, tenant, ids } = desk;
  const runs = runsOf(tenant.id);
  const { begun, told, target, deliveries } = await watch(desk, runs);
  expect(begun).toMatchObject({ catalog: 1, changes: EVERYTHING });
  await settle(applicationId, `state = 'paused', state_reason = 'owner'`);
  await desk.book('10:00');
  await runs.after();
  expect([(await told()).changes, await rowsOf('slot_changes', tenant.id)]).toEqual([null, 0]);
  await resumeEndpoint(new Date(), target);
  await runs.after();
  expect((await told()).changes).toEqual(EVERYTHING);
  // A receiver that takes none gets no more than ten.
  for (let i = 0; i < 12; i += 1) {
    await desk.book('11:00');
    await runs.after();
  }
  const waiting = (await deliveries()).filter(({ state }) => state === 'pending');
  expect(waiting).toHaveLength(10);
  await pool().query('DELETE FROM events WHERE id = ANY ($1)', [waiting.map(({ eventId }) => eventId)]);
  await runs.after();
  expect((await told()).changes).toEqual(EVERYTHING);
  // Without the scope, nothing is told.
  await pool().query(`UPDATE applications SET scopes = '{webhooks.manage}' WHERE id = $1`, [applicationId]);
  await markChanged(db(), 'policy', applicationId);
  await pool().query(
    `INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute) VALUES ($1, $2, true, $3, $3::bigint + 60)`,
    [tenant.id, ids[0], Date.parse(`${dayAhead()}T12:00Z`) / 60_000],
  );
  await runs.after();
  expect(await told()).toMatchObject({ catalog: 0, changes: null });
  await narrowPolicy(desk, { locationIds: [desk.location.id] });
  await runs.after();
  expect((await told()).changes).toEqual(EVERYTHING);
  // A location that the policy loses is not told anymore, except that the catalog is another one.
  await narrowPolicy(desk, { locationIds: [] });
  await runs.after();
  expect(await told()).toMatchObject({ catalog: 1, changes: null });
  // Another choice of types begins anew. Without any, the watch ends.
  const rules = { url: 'http://127.0.0.1:59996/' };
  const version = async () => (await db().webhookEndpoint.findUniqueOrThrow({ where: { applicationId } })).version;
  for (const eventTypes of [['availability.changed'], ['booking.created']] as const)
    await updateEndpoint(
      new Date(),
      { ...target, expectedVersion: await version() },
      { ...rules, eventTypes },
      LOOPBACK,
    );
  await runs.after();
  expect(await rowsOf('change_watches', tenant.id)).toBe(0);
});

test('a storm of changes is one event, and the queue is emptied in parts', async () => {
  const desk = await makeDesk();
  const runs = runsOf(desk.tenant.id);
  const { told } = await watch(desk, runs);
  const storm = (rows: number, step: number) =>
    pool().query(
      `INSERT INTO slot_changes (tenant_id, subject_id, local, from_minute, to_minute)
       SELECT $1, $2, true, $3::bigint + n * $5, $3::bigint + n * $5 + 30 FROM generate_series(1, $4) AS n`,
      [desk.tenant.id, desk.ids[0], Date.parse(dayAhead()) / 60_000, rows, step],
    );
  // The statistics of a queue that has been emptied, with which a join with the rows to take would need minutes.
  await storm(4_000, 1);
  await pool().query('DELETE FROM slot_changes WHERE tenant_id = $1', [desk.tenant.id]);
  await withSuperuser((client) => client.query('VACUUM (ANALYZE, TRUNCATE off) slot_changes'));
  // Merged, they are one range of three days.
  await storm(4_000, 1);
  await runs.after();
  const dates = [0, 1, 2].map((days) => dayAhead(7 + days));
  expect((await told()).changes).toMatchObject([{ service_id: desk.service.id, dates }]);
  for (const [rows, step] of [
    [2_001, 40],
    [45_000, 1],
  ] as const) {
    await storm(rows, step);
    await runs.after();
    expect([rows, (await told()).changes, await rowsOf('slot_changes', desk.tenant.id)]).toEqual([rows, EVERYTHING, 0]);
  }
});

test('a run that is killed between the queue and the events loses and doubles nothing', async () => {
  const desk = await makeDesk();
  const runs = runsOf(desk.tenant.id);
  const { told } = await watch(desk, runs);
  await desk.book('10:00');
  // The foreign key of an event waits for it.
  const row = `SELECT FROM applications WHERE id = '${desk.applicationId}' FOR UPDATE`;
  const lock = await holdLock(sharedServer().databaseUrl, row);
  const run = runs.after();
  await lock.untilWaiting();
  await withSuperuser((client) =>
    client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'
        AND query LIKE '%INSERT INTO events (id, tenant_id, application_id, type, actor, payload, at)%'`),
  );
  await lock.release();
  await run;
  expect(await rowsOf('slot_changes', desk.tenant.id)).toBe(1);
  await Promise.all([0, 0].map(runs.after));
  expect((await told()).changes).toEqual(changeOf(desk));
  expect(await rowsOf('slot_changes', desk.tenant.id)).toBe(0);
});

test('the list of events has them, and their tokens are accepted as min_token of the business only', async () => {
  const desk = await makeDesk();
  const other = await makeDesk();
  const sibling = await makeApplication(desk.tenant.id);
  const runs = runsOf(desk.tenant.id);
  const { begun, told } = await watch(desk, runs);
  await desk.book('10:00');
  await runs.after();
  const { token, changes } = await told();
  const { data } = await desk.client(`${BASE_PATH}${listEvents.path}`, { operation: listEvents });
  expect(data.events.map(({ type, sequence }) => [type, sequence])).toEqual([
    ['catalog.changed', 1],
    ['availability.changed', 2],
    ['booking.created', 3],
    ['availability.changed', 4],
  ]);
  expect(data.events.at(-1)?.data).toEqual({ changes, token });
  const list = { operation: listEvents };
  expect((await other.client(`${BASE_PATH}${listEvents.path}`, list)).data.events).toEqual([]);
  const days = `${AVAILABILITY_DAYS}?service_ids=${desk.service.id}&date=${dayAhead()}`;
  for (const path of [`${CATALOG}?`, `${days}&`])
    for (const one of [token, begun.token]) {
      expect((await desk.client(`${path}min_token=${one}`)).status).toBe(200);
      const held = { headers: { 'if-none-match': `W/"${one}"` } };
      expect((await desk.client(path.slice(0, -1), held)).status).toBe(200);
    }
  expectFields(await other.client(`${CATALOG}?min_token=${token}`), ['min_token']);
  expect(sibling.applicationId).not.toBe(desk.applicationId);
});
