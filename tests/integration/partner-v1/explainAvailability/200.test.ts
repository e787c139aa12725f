import { beforeAll, expect, test } from 'vitest';
import { BASE_PATH, explainAvailability } from '@/lib/contract/operations';
import { AVAILABILITY, type Desk, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, makeSpecialist, offer } from '@/tests/support/factories';
import { withQuery } from '@/tests/support/paths';
import { daily, makeScheduledDesk, nextClockChanges } from '@/tests/support/schedules';

const EXPLAIN = BASE_PATH + explainAvailability.path;

let desk: Desk;

beforeAll(async () => {
  const working = daily({ opens: '09:00', closes: '12:00' });
  desk = await makeScheduledDesk({
    timeZone: 'America/New_York',
    opening: daily({ opens: '08:00', closes: '20:00' }),
    specialists: [{ working }, { working: daily({ opens: '09:00', closes: '10:00' }) }],
    service: { maxAdvanceDays: 400, slotIntervalMinutes: 30, durationMinutes: 30 },
  });
});

const ask = ({ client, service }: Pick<Desk, 'client' | 'service'>, more: Record<string, string> = {}) =>
  client(withQuery(EXPLAIN, { service_id: service.id, date: dayAhead(), limit: '96', ...more }), {
    operation: explainAvailability,
  });

async function startsOf(from: Pick<Desk, 'client' | 'service'>, more: Record<string, string> = {}) {
  const reply = await ask(from, more);
  expect(reply.status).toBe(200);
  return new Map(reply.data.starts.map((start) => [start.start_time, start]));
}

test('explains each start and specialist as a create would answer, also after a booking', async () => {
  const [first = '', second = ''] = desk.ids;
  await desk.book('09:00');
  await desk.book('09:00');
  await desk.book('11:30');
  const starts = await startsOf(desk);
  expect(starts.size).toBe(48);
  const reasons = (time: string) => [
    starts.get(time)?.reason,
    ...(starts.get(time)?.specialists ?? []).map(({ specialist_id, reason }) => [specialist_id, reason]),
  ];
  expect(reasons('08:00')).toEqual(['outside_schedule', [first, 'outside_schedule'], [second, 'outside_schedule']]);
  expect(reasons('09:00')).toEqual(['slot_taken', [first, 'slot_taken'], [second, 'slot_taken']]);
  expect(reasons('09:30')).toEqual([null, [first, null], [second, null]]);
  expect(reasons('11:30')).toEqual(['slot_taken', [first, 'slot_taken'], [second, 'outside_schedule']]);
  for (const time of ['08:00', '09:00', '10:00', '11:30', '12:00'])
    for (const specialist_id of [undefined, first, second]) {
      const { reason = null, specialists = [] } = starts.get(time) ?? {};
      const expected = specialist_id ? specialists.find((one) => one.specialist_id === specialist_id)?.reason : reason;
      if (expected === null) continue;
      const { error } = await desk.create(desk.body(time, { specialist_id }));
      expect([time, specialist_id, error.reason]).toEqual([time, specialist_id, expected]);
    }
  const slots = await desk.client(withQuery(AVAILABILITY, { service_id: desk.service.id, date: dayAhead() }));
  const offered = (slots.data as { slots: { start_time: string }[] }).slots.map(({ start_time }) => start_time);
  expect([...starts.values()].flatMap(({ start_time, reason }) => (reason === null ? [start_time] : []))).toEqual(
    offered,
  );
});

test('explains skipped times, the lead time, and the horizon, in the local time of the location', async () => {
  const gap = nextClockChanges('America/New_York').forward.date;
  const skipped = await startsOf(desk, { date: gap });
  expect(skipped.get('02:30')).toMatchObject({ starts_at: null, reason: 'nonexistent_local_time' });
  expect(skipped.get('03:00')?.starts_at).toBe(`${gap}T03:00:00-04:00`);
  for (const [date, reason] of [
    ['2020-02-29', 'lead_time'],
    ['2999-01-01', 'max_advance'],
  ] as const)
    for (const start of (await startsOf(desk, { date })).values()) expect(start.reason).toBe(reason);
});

test('explains what is not published or not offered like a create', async () => {
  const { tenant, specialists, location, service, ids } = await makeDesk();
  const [draft, closed, stranger] = await Promise.all([
    makeService(tenant.id, { published: false }),
    makeLocation(tenant.id, { published: false }),
    makeSpecialist(tenant.id),
  ]);
  await offer(tenant.id, specialists, [draft, service], [location, closed]);
  const partner = { ...partnerOf((await makeApplication(tenant.id)).key), service };
  const only = async (more: Record<string, string>) => [
    ...new Set(
      [...(await startsOf(partner, { location_id: location.id, ...more })).values()].map(({ reason }) => reason),
    ),
  ];
  expect(await only({ service_id: draft.id })).toEqual(['service_unpublished']);
  expect(await only({ specialist_id: stranger.id })).toEqual(['specialist_unavailable']);
  expect(await only({ location_id: closed.id, specialist_id: ids[0] ?? '' })).toEqual(['outside_schedule']);
});

test('pages through the day, refuses the cursor of another query, and counts like a read of one day', async () => {
  const all = [...(await startsOf(desk)).values()];
  const pages = [];
  let cursor: string | null = null;
  do {
    const { data } = await ask(desk, { limit: '20', ...(cursor && { cursor }) });
    pages.push(data.starts);
    cursor = data.next_cursor;
    if (cursor) {
      const other = await ask(desk, { cursor, date: dayAhead(3) });
      expect([other.status, other.error.reason]).toEqual([400, 'cursor_mismatch']);
    }
  } while (cursor !== null);
  expect(pages.map(({ length }) => length)).toEqual([20, 20, 8]);
  expect(pages.flat()).toEqual(all);
  const { key, service } = await makeDesk({ policy: { quota: 7 } });
  const reply = await ask({ client: partnerOf(key).client, service });
  expect(reply.headers['x-ratelimit-remaining']).toBe('6');
});

test('says nothing of blocks and bookings but what a create says, and needs availability.read and a location of the policy', async () => {
  const other = await makeDesk();
  const { text } = await ask(other);
  expect(Object.keys(JSON.parse(text).data.starts[0])).toEqual(['start_time', 'starts_at', 'reason', 'specialists']);
  const { tenant, service, location } = other;
  const blind = await makeApplication(tenant.id, { scopes: ['catalog.read', 'booking.create'] });
  expect((await ask({ client: partnerOf(blind.key).client, service })).error.code).toBe('insufficient_scope');
  const elsewhere = await makeApplication(tenant.id, { allLocations: false, locationIds: [] });
  const client = partnerOf(elsewhere.key).client;
  expect((await ask({ client, service }, { location_id: location.id })).error).toMatchObject({ reason: 'location' });
  for (const field of ['service_id', 'location_id', 'specialist_id'])
    for (const id of [desk.service.id, desk.location.id, desk.ids[0] ?? '', 'x', ''])
      expect((await ask(other, { [field]: id })).error).toMatchObject({ code: 'not_found', fields: [{ path: field }] });
  for (const [field, value] of [
    ['date', '2026-02-30'],
    ['limit', '97'],
    ['dateTo', dayAhead()],
    ['start_time', '10:00'],
  ])
    expect((await ask(other, { [field as string]: value as string })).status).toBe(400);
});
