import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { dayAhead } from '@/tests/support/bookings';
import { makeLocation, makeService, makeTenant } from '@/tests/support/factories';
import { daily } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';
import { auditOf, done, editable, type Got, LOCATION, makeCatalog, type Saved, SPECIALIST } from './catalog-records';

test('creates a location and returns it unchanged', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const { id } = await done<Saved>(owner.mutate('catalog.locations.create', { record: LOCATION }));
  const got = await done<Got>(owner.query('catalog.locations.get', { id }));
  expect(got).toEqual({ id, version: 1, record: { ...LOCATION, published: false } });
  expect(await auditOf(id)).toMatchObject([{ action: 'location.created', after: { hours: LOCATION.hours } }]);
});

test('creates a specialist with workplaces and offerings and returns it unchanged', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const [first, second] = await Promise.all([makeLocation(tenant.id), makeLocation(tenant.id)]);
  const services = await Promise.all([makeService(tenant.id), makeService(tenant.id)]);
  const service_ids = services.map(({ id }) => id).sort();
  const places = [
    { location_id: first.id, service_ids, hours: daily({ opens: '22:00', closes: '04:00' }), exceptions: [] },
    { location_id: second.id, service_ids: [], hours: [], exceptions: LOCATION.exceptions },
  ];
  const workplaces = places.sort((a, b) => (a.location_id < b.location_id ? -1 : 1));
  const record = { ...SPECIALIST, workplaces };
  const { id } = await done<Saved>(owner.mutate('catalog.specialists.create', { record }));
  const got = await done<Got>(owner.query('catalog.specialists.get', { id }));
  expect(got).toEqual({ id, version: 1, record: { ...record, published: false } });
  const list = await done<{ records: object[] }>(owner.query('catalog.specialists.list', {}));
  expect(list.records).toMatchObject([{ id, service_count: 2, location_names: ['Studio'], title: 'Therapist' }]);
});

test('offers new hours within a second, and keeps and reports bookings outside them', async () => {
  const { owner, location, starts, book, read } = await makeCatalog();
  const kept = await book('10:00');
  const early = await book('09:00');
  const late = await book('16:30');
  const { version, input } = await editable(owner, 'locations', location.id);
  const hours = daily({ opens: '09:30', closes: '12:00' }, { opens: '16:00', closes: '16:45' });
  const change = { id: location.id, expected_version: version, record: { ...input, hours } };
  const { outside } = await done<Saved>(owner.mutate('catalog.locations.update', change));
  expect(outside).toMatchObject({ upcoming: 3, count: 2, complete: true });
  expect(outside.first).toMatchObject([
    { reference: early.reference, reason: 'outside_hours', date: dayAhead(), start_time: '09:00' },
    { reference: late.reference, reason: 'outside_hours', service_name: 'Haircut', location_name: 'Studio' },
  ]);
  await until(starts, (times) => times.join() === '09:30,10:30,11:00,11:30,16:00');
  for (const booking of [kept, early, late]) expect((await read(booking.reference)).data.booking).toEqual(booking);
});

test('applies breaks, time off, exceptions and offerings, and reports bookings outside them', async () => {
  const { owner, specialists, location, service, starts, book } = await makeCatalog();
  const id = specialists[0]?.id ?? '';
  const morning = await book('09:00');
  const noon = await book('12:00');
  const date = dayAhead();
  let expected_version = 1;
  const save = async (part: object) => {
    const { input } = await editable(owner, 'specialists', id);
    const change = { id, expected_version, record: { ...input, ...part } };
    const { version, outside } = await done<Saved>(owner.mutate('catalog.specialists.update', change));
    expected_version = version;
    return outside.first.map(({ reference, reason }) => [reference, reason]);
  };
  const at = { location_id: location.id, service_ids: [service.id], exceptions: [] };
  const all = daily({ opens: '00:00', closes: '00:00' });
  expect(await save({ breaks: daily({ opens: '12:00', closes: '13:00' }) })).toEqual([
    [noon.reference, 'outside_hours'],
  ]);
  await until(starts, (times) => !times.includes('12:00') && times.includes('13:00'));
  const time_off = [{ from: `${date}T00:00`, to: `${date}T11:00` }];
  expect(await save({ breaks: [], time_off })).toEqual([[morning.reference, 'outside_hours']]);
  await until(starts, ([first]) => first === '11:00');
  const exceptions = [{ date, hours: [{ opens: '12:00', closes: '14:00' }], note: 'Short day' }];
  expect(await save({ time_off: [], workplaces: [{ ...at, hours: all, exceptions }] })).toEqual([
    [morning.reference, 'outside_hours'],
  ]);
  await until(starts, (times) => times.join() === '12:30,13:00,13:30');
  expect(await save({ workplaces: [{ ...at, service_ids: [], hours: all }] })).toEqual([
    [morning.reference, 'not_offered'],
    [noon.reference, 'not_offered'],
  ]);
  expect(await db().offering.count({ where: { specialistId: id } })).toBe(0);
  expect(await db().booking.count({ where: { specialistId: id, status: 'confirmed', version: 1 } })).toBe(2);
});

test('reports the affected bookings of an unpublished location or specialist and keeps them', async () => {
  const { owner, location, specialists, book } = await makeCatalog();
  const booking = await book();
  const off = { expected_version: 1, published: false };
  for (const [kind, id, reason] of [
    ['specialists', specialists[0]?.id, 'specialist_unpublished'],
    ['locations', location.id, 'location_unpublished'],
  ] as const) {
    const { outside } = await done<Saved>(owner.mutate(`catalog.${kind}.set_published`, { ...off, id }));
    expect(outside.first).toMatchObject([{ reference: booking.reference, reason }]);
  }
  expect(await db().slotClaim.count({ where: { locationId: location.id, taken: 1 } })).toBe(1);
});

const HOURS: [what: string, change: object, path: string][] = [
  ['weekday 8', { hours: [{ weekday: 8, opens: '09:00', closes: '10:00' }] }, 'hours.0.weekday'],
  ['an opening at 24:00', { hours: [{ weekday: 1, opens: '24:00', closes: '10:00' }] }, 'hours.0.opens'],
  ['a closing at 24:30', { hours: [{ weekday: 1, opens: '09:00', closes: '24:30' }] }, 'hours.0.closes'],
  ['hours without a closing time', { hours: [{ weekday: 1, opens: '09:00' }] }, 'hours.0.closes'],
  [
    'two hours with the same opening time',
    { hours: daily({ opens: '09:00', closes: '10:00' }, { opens: '09:00', closes: '11:00' }) },
    'hours.1.opens',
  ],
  ['hours that are not a list', { hours: {} }, 'hours'],
  ['more than 70 hours entries', { hours: Array(71).fill({ weekday: 1, opens: '09:00', closes: '10:00' }) }, 'hours'],
  ['a date that does not exist', { exceptions: [{ date: '2026-02-30' }] }, 'exceptions.0.date'],
  ['a date in the year 1', { exceptions: [{ date: '0001-01-01' }] }, 'exceptions.0.date'],
  ['a duplicate date', { exceptions: [{ date: '2026-12-24' }, { date: '2026-12-24' }] }, 'exceptions.1.date'],
  ['an empty note', { exceptions: [{ date: '2026-12-24', note: '' }] }, 'exceptions.0.note'],
  ['an unknown time zone', { time_zone: 'Marker/Nowhere' }, 'time_zone'],
  ['an offset as the time zone', { time_zone: '+01:00' }, 'time_zone'],
  ['an abbreviation as the time zone', { time_zone: 'PST' }, 'time_zone'],
  ['no address', { address: null }, 'address'],
  ['an incomplete address', { address: { line1: 'A', city: 'B', postal_code: 'C' } }, 'address.country'],
  ['a country name instead of a code', { address: { ...LOCATION.address, country: 'Germany' } }, 'address.country'],
  ['a country code of lower case', { address: { ...LOCATION.address, country: 'de' } }, 'address.country'],
  ['a code that is not assigned', { address: { ...LOCATION.address, country: 'ZZ' } }, 'address.country'],
  ['the code of a union', { address: { ...LOCATION.address, country: 'EU' } }, 'address.country'],
  ['the code of a former country', { address: { ...LOCATION.address, country: 'AN' } }, 'address.country'],
  ['a city that shows nothing', { address: { ...LOCATION.address, city: '\u3164' } }, 'address.city'],
  ['a line separator in the city', { address: { ...LOCATION.address, city: 'A\u2028B' } }, 'address.city'],
  ['unreadable bytes in the city', { address: { ...LOCATION.address, city: 'K\ufffdln' } }, 'address.city'],
];

test('rejects each wrong value of a location at its field without echoing it', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  for (const [what, change, path] of HOURS) {
    const reply = await owner.mutate('catalog.locations.create', { record: { ...LOCATION, ...change } });
    expect(reply, what).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
    expect([what, reply.error?.fields[0]?.path]).toEqual([what, path]);
    expect(JSON.stringify(reply.error), what).not.toMatch(/marker/i);
  }
  for (const [country, right] of [
    ['UK', 'GB'],
    ['EL', 'GR'],
  ]) {
    const record = { ...LOCATION, address: { ...LOCATION.address, country } };
    const { error } = await owner.mutate('catalog.locations.create', { record });
    expect(error?.fields).toEqual([{ path: 'address.country', message: `must be ${right} (ISO 3166-1)` }]);
  }
  expect(await db().location.count({ where: { tenantId: tenant.id } })).toBe(0);
});

test('rejects references of a specialist to records that do not exist or belong to another tenant', async () => {
  const other = await makeCatalog();
  const { owner, location, service, specialists } = await makeCatalog();
  const id = specialists[0]?.id ?? '';
  const { input } = await editable(owner, 'specialists', id);
  const place = { location_id: location.id, service_ids: [service.id] };
  const WRONG: [object[], string][] = [
    [[{ ...place, location_id: other.location.id }], 'workplaces.0.location_id'],
    [[place, { ...place, location_id: '\u0001' }], 'workplaces.1.location_id'],
    [[{ ...place, service_ids: [service.id, other.service.id] }], 'workplaces.0.service_ids.1'],
    [[{ ...place, service_ids: [service.id, service.id] }], 'workplaces.0.service_ids.1'],
    [[place, place], 'workplaces.1.location_id'],
  ];
  for (const [workplaces, path] of WRONG) {
    const change = { id, expected_version: 1, record: { ...input, workplaces } };
    const reply = await owner.mutate('catalog.specialists.update', change);
    expect(reply.error?.fields.map((field) => field.path)).toEqual([path]);
  }
  const time_off = [{ from: '2027-01-08T00:00', to: '2027-01-01T00:00' }];
  const change = { id, expected_version: 1, record: { ...input, time_off, image_url: 'javascript:alert(1)' } };
  const reply = await owner.mutate('catalog.specialists.update', change);
  expect(reply.error?.fields.map(({ path }) => path)).toEqual(['image_url', 'time_off.0.to']);
  expect(await db().specialist.findUnique({ where: { id } })).toMatchObject({ version: 1 });
  expect(await db().specialistHours.count({ where: { specialistId: id } })).toBe(7);
});
