import { expect, test } from 'vitest';
import { createApplication, setSuspended } from '@/lib/access/applications/applications';
import { issueKey } from '@/lib/access/applications/keys';
import { bookingsToday } from '@/lib/control-center/overview/today';
import { db } from '@/lib/platform/db';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeSpecialist, makeTenant, offer } from '@/tests/support/factories';
import { ago } from '@/tests/support/request-lines';
import { setLogDays } from '@/tests/support/retention';
import { makeLog, memberOf } from './requests-lines';

const actor = { kind: 'system' } as const;
const NO_CATALOG = { locations: 0, specialists: 0, services: 0, offerings: 0 };
const NOTHING = {
  overlaps: [],
  overlap_total: 0,
  busy_conflicts: [],
  busy_conflict_total: 0,
  unreadable_calendars: [],
  expiring_keys: [],
  failing_applications: [],
  suspended_applications: [],
  invalid_prices: [],
};

test('returns zeros and empty lists for a new tenant', async () => {
  const ask = memberOf((await makeTenant()).id, 'SUPPORT');
  expect((await ask('overview.progress')).data).toEqual({
    ...NO_CATALOG,
    applications: 0,
    keys: 0,
    endpoints: 0,
    requests: false,
    bookings: false,
  });
  expect((await ask('overview.attention')).data).toEqual(NOTHING);
  expect((await ask('overview.traffic', {})).data).toMatchObject({
    totals: { requests: 0, client_errors: 0, server_errors: 0, estimated: false },
    durations: null,
    bookings_made: 0,
  });
});

test('counts the requests, errors and durations of the period', async () => {
  const { ask, write } = await makeLog();
  await write(
    { duration_ms: 1 },
    { duration_ms: 3 },
    { duration_ms: 5, status: 400, code: 'invalid_request' },
    { duration_ms: 100, status: 503, code: 'service_unavailable', at: ago(3 * 86_400) },
  );
  expect((await ask('overview.traffic', { period: '24h' })).data).toMatchObject({
    totals: { requests: 3, client_errors: 1, server_errors: 0 },
    durations: { p50: 3, measured: 3 },
  });
  expect((await ask('overview.traffic', { period: '7d' })).data).toMatchObject({
    totals: { requests: 4, client_errors: 1, server_errors: 1 },
  });
  expect((await ask('overview.progress')).data).toEqual({
    ...NO_CATALOG,
    applications: 1,
    keys: 1,
    endpoints: 0,
    requests: true,
    bookings: false,
  });
});

test('compares the period with the one before, unless the request log is not kept for both', async () => {
  const { ask, write, tenant } = await makeLog();
  await write({}, { status: 404 }, ...[23, 25, 30, 47, 49].map((hours) => ({ status: 400, at: ago(hours * 3_600) })));
  expect((await ask('overview.traffic', { period: '24h' })).data).toMatchObject({
    totals: { requests: 3, client_errors: 2 },
    previous: { totals: { requests: 3, client_errors: 3, server_errors: 0, estimated: false }, bookings_made: 0 },
  });
  expect((await ask('overview.traffic', { period: '7d' })).data).toMatchObject({
    totals: { requests: 7 },
    previous: { totals: { requests: 0 } },
  });
  await setLogDays(tenant.id, 13);
  expect((await ask('overview.traffic', { period: '7d' })).data).toMatchObject({ previous: { totals: null } });
});

test('the first steps count what partners can see', async () => {
  const desk = await makeDesk();
  const ask = memberOf(desk.tenant.id);
  const all = { locations: 1, specialists: 1, services: 1, offerings: 1, applications: 1, keys: 1, endpoints: 0 };
  expect((await ask('overview.progress')).data).toEqual({ ...all, requests: false, bookings: false });
  await db().service.update({ where: { id: desk.service.id }, data: { published: false } });
  expect((await ask('overview.progress')).data).toMatchObject({ ...all, services: 0, offerings: 0 });
});

test('lists the bookings of today by location, each in its time zone', async () => {
  const desk = await makeDesk();
  const tokyo = await makeLocation(desk.tenant.id, { name: { en: 'Tokyo' }, timeZone: 'Asia/Tokyo' });
  await offer(desk.tenant.id, [await makeSpecialist(desk.tenant.id, { displayName: 'Yuki' })], [desk.service], [tokyo]);
  const first = await desk.book('10:00');
  for (const time of ['11:00', '12:00', '13:00']) await desk.book(time);
  await desk.cancel((await desk.book('14:00')).reference);
  await desk.book('10:00', { location_id: tokyo.id });
  await desk.book('10:00', { date: dayAhead(8) });
  const startsAt = Date.parse(first.starts_at);
  const next = { service: 'Haircut', specialist: 'Alex Example', started: false };
  const studio = { location: { id: desk.location.id, name: 'Studio' }, time_zone: 'Europe/Berlin', date: dayAhead() };
  expect(await bookingsToday(desk.tenant.id, new Date(startsAt + 600_000))).toEqual({
    bookings: 5,
    locations: 2,
    shown: [
      {
        ...studio,
        bookings: 4,
        remaining: 4,
        next: [
          { ...next, reference: first.reference, start_time: '10:00', end_time: '10:30', started: true },
          { ...next, reference: expect.any(String), start_time: '11:00', end_time: '11:30' },
          { ...next, reference: expect.any(String), start_time: '12:00', end_time: '12:30' },
        ],
      },
      {
        location: { id: tokyo.id, name: 'Tokyo' },
        time_zone: 'Asia/Tokyo',
        date: dayAhead(),
        bookings: 1,
        remaining: 0,
        next: [],
      },
    ],
  });
  // Eight hours after the start of the first booking, the next day has already begun in Tokyo.
  expect(await bookingsToday(desk.tenant.id, new Date(startsAt + 8 * 3_600_000))).toEqual({
    bookings: 4,
    locations: 1,
    shown: [{ ...studio, bookings: 4, remaining: 0, next: [] }],
  });
  const none = { bookings: 0, locations: 0, shown: [] };
  expect((await memberOf((await makeTenant()).id)('overview.today')).data).toEqual(none);
});

test('lists the locations with future bookings outside the catalog, soonest first', async () => {
  const desk = await makeDesk();
  const tokyo = await makeLocation(desk.tenant.id, { name: { en: 'Tokyo' }, timeZone: 'Asia/Tokyo' });
  const yuki = await makeSpecialist(desk.tenant.id, { displayName: 'Yuki' });
  await offer(desk.tenant.id, [yuki], [desk.service], [tokyo]);
  await desk.book('10:00');
  await desk.cancel((await desk.book('11:00')).reference);
  await desk.book('12:00', { location_id: tokyo.id });
  const ask = memberOf(desk.tenant.id, 'SUPPORT');
  expect((await ask('overview.outside')).data).toEqual([]);
  await db().locationException.create({
    data: { locationId: desk.location.id, date: new Date(dayAhead()), hours: [] },
  });
  await db().specialist.update({ where: { id: yuki.id }, data: { published: false } });
  expect((await ask('overview.outside')).data).toEqual([
    { location: { id: tokyo.id, name: 'Tokyo' }, bookings: 1, date: dayAhead(), start_time: '12:00' },
    { location: { id: desk.location.id, name: 'Studio' }, bookings: 1, date: dayAhead(), start_time: '10:00' },
  ]);
});

test('counts a booking by a partner once, even after its cancellation', async () => {
  const desk = await makeDesk();
  const { reference } = await desk.book();
  await desk.cancel(reference);
  expect((await memberOf(desk.tenant.id)('overview.traffic', {})).data).toMatchObject({ bookings_made: 1 });
});

test('lists only expiring keys, failing applications and suspended applications as needing attention', async () => {
  const { ask, write, tenant, applicationId } = await makeLog();
  const now = new Date();
  const key = (name: string, days: number, id = applicationId) =>
    issueKey(now, {
      tenantId: tenant.id,
      applicationId: id,
      name,
      expiresAt: new Date(now.getTime() + days * 86_400_000),
      actor,
    });
  await key('Soon', 13);
  await key('Later', 15);
  const calm = await makeApplication(tenant.id, { name: 'Calm' });
  const calmLine = { application_id: calm.applicationId, key_id: calm.keyId };
  await write(...Array.from({ length: 30 }, (_, n) => ({ status: n % 3 === 0 ? 404 : 200 })));
  await write(...Array.from({ length: 30 }, (_, n) => ({ ...calmLine, status: n === 0 ? 404 : 200 })));
  const policy = {
    name: 'Asleep',
    scopes: [],
    allLocations: true,
    agentsAsk: true,
    locationIds: [],
    origins: [],
    networks: [],
    quota: 1,
  };
  const asleep = await createApplication(now, { tenantId: tenant.id, actor }, policy);
  await setSuspended(now, { tenantId: tenant.id, actor, applicationId: asleep.id, suspended: true });
  expect((await ask('overview.attention')).data).toMatchObject({
    expiring_keys: [{ name: 'Soon', application: { name: 'Acme' } }],
    failing_applications: [{ name: 'Acme', requests: 30, errors: 10 }],
    suspended_applications: [{ name: 'Asleep' }],
  });
  expect((await memberOf((await makeTenant()).id)('overview.attention')).data).toEqual(NOTHING);
});

test('an application of which every request failed needs attention, even with few requests', async () => {
  const { ask, write, tenant } = await makeLog();
  const few = await makeApplication(tenant.id, { name: 'Few' });
  const fewLine = { application_id: few.applicationId, key_id: few.keyId };
  await write(...Array.from({ length: 14 }, () => ({ status: 403 })));
  await write(...Array.from({ length: 4 }, () => ({ ...fewLine, status: 403 })));
  const failing = [{ name: 'Acme', requests: 14, errors: 14 }];
  expect((await ask('overview.attention')).data).toMatchObject({ failing_applications: failing });
  await write({});
  expect((await ask('overview.attention')).data).toMatchObject({ failing_applications: [] });
});

test('groups errors by application, code, and reason, and each group has a filter that lists it', async () => {
  const { tenant, ask, write, applicationId } = await makeLog();
  const other = await makeApplication(tenant.id, { name: 'Quiet' });
  const refused = (reason: string | null, at = ago(60)) => ({ status: 409, code: 'booking_unavailable', reason, at });
  const taken = refused('slot_taken');
  await write(
    taken,
    taken,
    refused('off_grid'),
    refused('off_grid', ago(3 * 86_400)),
    { status: 503, code: 'service_unavailable' },
    {},
  );
  await write({ application_id: other.applicationId, key_id: other.keyId });
  const groups = async (period: string) => (await ask('overview.errors', { period })).data;
  const application = { id: applicationId, name: 'Acme' };
  const group = (code: string, reason: string | null, errors: number, requests: number) => ({
    ...{ application, code, reason, errors, requests },
  });
  expect(await groups('24h')).toEqual({
    groups: [
      group('booking_unavailable', 'slot_taken', 2, 5),
      group('booking_unavailable', 'off_grid', 1, 5),
      group('service_unavailable', null, 1, 5),
    ],
    complete: true,
  });
  expect(await groups('7d')).toMatchObject({ groups: [{ errors: 2, requests: 6 }, { errors: 2 }, { errors: 1 }] });
  const filter = { period: '7d', application_id: applicationId, code: 'booking_unavailable', reason: 'off_grid' };
  const { data } = await ask('requests.list', { ...filter, status: 'error' });
  expect((data as { rows: { reason: string }[] }).rows.map(({ reason }) => reason)).toEqual(['off_grid', 'off_grid']);
  const bars = (await ask('requests.histogram', filter)).data as { bars: { client_errors: number }[] };
  expect(bars.bars.reduce((sum, bar) => sum + bar.client_errors, 0)).toBe(2);
  expect((await memberOf((await makeTenant()).id)('overview.errors', {})).data).toEqual({ groups: [], complete: true });
});
