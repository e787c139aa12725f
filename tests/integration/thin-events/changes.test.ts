import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeByOwner } from '@/lib/booking/bookings/owner-change';
import { markChanged } from '@/lib/platform/cache';
import { db, pool } from '@/lib/platform/db';
import { CUSTOMER, dayAhead, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation, makeService, offer } from '@/tests/support/factories';
import { runsOf, watch } from '@/tests/support/thin-events';
import { done, makeCatalog } from '../control-center/catalog-records';

/** Contract B17. One business with two locations; `salon` may use both, `narrow` only the second one. */

type Salon = Awaited<ReturnType<typeof makeSalon>>;

async function makeSalon() {
  const salon = await makeCatalog({ specialists: 2, service: { durationMinutes: 60, slotIntervalMinutes: 60 } });
  const { tenant, specialists, location, service } = salon;
  const other = await makeLocation(tenant.id);
  // Only the second specialist works at the second location, where only the second service is offered.
  const long = await makeService(tenant.id, { durationMinutes: 120, slotIntervalMinutes: 60, bufferAfterMinutes: 60 });
  await offer(tenant.id, specialists.slice(1), [long], [other]);
  const sibling = await makeApplication(tenant.id);
  const narrow = { tenant, ...(await makeApplication(tenant.id, { allLocations: false, locationIds: [other.id] })) };
  const runs = runsOf(tenant.id);
  const seen = await watch(salon, runs);
  const seenNarrow = await watch(narrow, runs);
  await seen.told();
  return { ...salon, other, long, service, location, sibling: partnerOf(sibling.key), runs, seen, seenNarrow };
}

let salon: Salon;
beforeAll(async () => {
  salon = await makeSalon();
});
beforeEach(async () => {
  await salon.runs.after(5_000);
  await salon.seen.told();
  await salon.seenNarrow.told();
});
afterAll(async () => {
  await pool().query('DELETE FROM webhook_endpoints WHERE tenant_id = $1', [salon.tenant.id]);
});

const queued = async (tenantId: string) =>
  (await pool().query('SELECT FROM slot_changes WHERE tenant_id = $1', [tenantId])).rowCount;

const short = (dates: string[] | null) => [salon.service.id, salon.location.id, dates];
const long = (dates: string[] | null) => [salon.long.id, salon.other.id, dates];

async function told(milliseconds = 5_000) {
  await salon.runs.after(milliseconds);
  const [all, narrow] = [await salon.seen.told(), await salon.seenNarrow.told()];
  const brief = (one: typeof all) =>
    one.changes?.map((change) => [change.service_id, change.location_id, change.dates]) ?? null;
  return { all: brief(all), narrow: brief(narrow), catalog: [all.catalog, narrow.catalog] };
}

const sorted = (list: unknown[][]) => [...list].sort((a, b) => (`${a[1]} ${a[0]}` < `${b[1]} ${b[0]}` ? -1 : 1));

const block = (subject: object, from: string, to: string) =>
  done<{ id: string; version: number }>(
    salon.owner.mutate('blocks.create', {
      subject: { specialist_id: null, location_id: null, ...subject },
      block: { from, to, repeat: null, reason: 'Private' },
      confirmed: 'none',
    }),
  );

/** Each act changes time of the first specialist, who works only at the first location, or of what it names. */
const CASES: [string, (ids: string[]) => Promise<unknown>, string[], ('short' | 'long')[]][] = [
  [
    'a booking of another partner',
    ([first]) => salon.sibling.create(salon.body('10:00', { specialist_id: first })),
    [dayAhead()],
    ['short'],
  ],
  [
    'a booking of the specialist who works at both locations',
    ([, second]) => salon.sibling.create(salon.body('12:00', { specialist_id: second, date: dayAhead(8) })),
    [dayAhead(8)],
    ['short', 'long'],
  ],
  [
    'a booking of the business',
    ([first]) =>
      done(
        salon.owner.mutate('bookings.create', {
          key: randomBytes(16).toString('hex'),
          service_id: salon.service.id,
          location_id: salon.location.id,
          date: dayAhead(9),
          start_time: '10:00',
          specialist_id: first,
          customer: CUSTOMER,
          price_amount: null,
        }),
      ),
    [dayAhead(9)],
    ['short'],
  ],
  [
    'a block of the location over two days',
    () => block({ location_id: salon.location.id }, `${dayAhead(10)}T12:00`, `${dayAhead(11)}T11:00`),
    [dayAhead(10), dayAhead(11)],
    ['short'],
  ],
  [
    'a block of a whole day of the business',
    () => block({}, `${dayAhead(12)}T00:00`, `${dayAhead(13)}T00:00`),
    [dayAhead(12)],
    ['short', 'long'],
  ],
  [
    'a block outside the hours',
    ([first]) => block({ specialist_id: first }, `${dayAhead(14)}T18:00`, `${dayAhead(14)}T19:00`),
    [],
    [],
  ],
  [
    'a booking that is moved and then canceled by the business',
    async ([first]) => {
      const reply = await salon.sibling.create(salon.body('10:00', { specialist_id: first, date: dayAhead(15) }));
      const { reference } = reply.data.booking;
      await salon.sibling.reschedule(reference, { expected_version: 1, date: dayAhead(16), start_time: '10:00' });
      await changeByOwner(new Date(), {
        ...{ tenantId: salon.tenant.id, actor: { kind: 'system' }, reference, action: 'cancel' },
        ...{ expectedVersion: 2, cancelReason: null },
      });
    },
    [dayAhead(15), dayAhead(16)],
    ['short'],
  ],
  [
    'a change beyond the horizon',
    ([first]) => block({ specialist_id: first }, '2027-12-06T10:00', '2027-12-06T12:00'),
    [],
    [],
  ],
];

test.each(CASES)('%s', async (_, act, dates, which) => {
  await act(salon.ids);
  const expected = { short: short(dates), long: long(dates) };
  expect(await told()).toEqual({
    all: which.length > 0 ? sorted(which.map((one) => expected[one])) : null,
    narrow: which.includes('long') ? [long(dates)] : null,
    catalog: [0, 0],
  });
});

test('a change of hours changes every day that can be booked, a name only the catalog, and each only for who reads it', async () => {
  const hours = { locationId: salon.location.id, weekday: 1 };
  await db().locationHours.updateMany({ where: hours, data: { opens: '10:00' } });
  await markChanged(db(), 'catalog', salon.tenant.id);
  await salon.runs.after(5_000);
  const { changes, catalog } = await salon.seen.told();
  const end = new Date(salon.runs.now().getTime() + 365 * 86_400_000).toISOString().slice(0, 10);
  expect(changes).toMatchObject([{ service_id: salon.service.id, location_id: salon.location.id, dates: null }]);
  expect([changes?.[0]?.date, changes?.[0]?.date_to]).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    expect.stringMatching(new RegExp(`^(${end}|${dayAhead(366)})$`)),
  ]);
  expect([catalog, await salon.seenNarrow.told()]).toEqual([0, { catalog: 0, changes: null, token: undefined }]);
  await db().service.update({ where: { id: salon.service.id }, data: { name: { en: 'Trim' } } });
  await markChanged(db(), 'catalog', salon.tenant.id);
  expect(await told()).toEqual({ all: null, narrow: null, catalog: [1, 0] });
  await db().service.update({
    where: { id: salon.long.id },
    data: { durationMinutes: 90, description: { en: 'New' } },
  });
  await markChanged(db(), 'catalog', salon.tenant.id);
  expect(await told()).toEqual({ all: [long(null)], narrow: [long(null)], catalog: [1, 1] });
  // Neither quota nor key is part of the catalog.
  await markChanged(db(), 'policy', salon.applicationId);
  expect(await told()).toEqual({ all: null, narrow: null, catalog: [0, 0] });
});

test('changes within five seconds are told together, at the earliest five seconds after the event before', async () => {
  const [first] = salon.ids;
  // The test before has set the opening to 10:00 on Mondays.
  const book = async (start: string, days: number) => {
    const { status } = await salon.sibling.create(salon.body(start, { specialist_id: first, date: dayAhead(days) }));
    expect(status).toBe(201);
  };
  await book('10:00', 20);
  expect((await told()).all).toEqual([short([dayAhead(20)])]);
  for (const start of ['11:00', '13:00']) await book(start, 20);
  await book('10:00', 21);
  for (const wait of [1, 2_000, 2_998]) expect(await told(wait)).toEqual({ all: null, narrow: null, catalog: [0, 0] });
  // Several processes at once emit one event.
  await Promise.all([1, 0, 0].map(salon.runs.after));
  expect((await told(0)).all).toEqual([short([dayAhead(20), dayAhead(21)])]);
  expect(await queued(salon.tenant.id)).toBe(0);
});
