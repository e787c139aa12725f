import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { makeTenant } from '@/tests/support/factories';
import { moveToPast } from '@/tests/support/past';
import { CATALOG } from '@/tests/support/paths';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';
import { auditOf, done, editable, type Got, makeCatalog, type Saved, SERVICE } from './catalog-records';

type List = { records: { id: string; name: string }[]; total: number };

test('creates an unpublished service, returns it unchanged and records the actor in the audit log', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const { id, version } = await done<Saved>(owner.mutate('catalog.services.create', { record: SERVICE }));
  expect(version).toBe(1);
  const got = await done<Got>(owner.query('catalog.services.get', { id }));
  expect(got).toEqual({ id, version: 1, record: { ...SERVICE, published: false, offered_by: [] } });
  const [line, ...more] = await auditOf(id);
  expect(more).toEqual([]);
  expect(line).toMatchObject({
    action: 'service.created',
    actorKind: 'owner',
    tenantId: tenant.id,
    objectKind: 'service',
  });
  expect(line?.after).toMatchObject({ name: SERVICE.name, duration_minutes: 60, published: false });
});

test('applies the defaults for omitted fields', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const record = { name: { en: 'Cut' }, duration_minutes: 30, slot_interval_minutes: 30, max_advance_days: 60 };
  const { id } = await done<Saved>(owner.mutate('catalog.services.create', { record }));
  const got = await done<Got>(owner.query('catalog.services.get', { id }));
  expect(got.record).toMatchObject({ price: null, capacity: 1, buffer_after_minutes: 0, description: null });
});

test('shows edits and unpublishing to partners within a second and keeps bookings', async () => {
  const { owner, service, client, book, read } = await makeCatalog();
  const booking = await book('10:00');
  const seen = async () => {
    const { data } = (await client(`${CATALOG}?locale=de`)) as { data: { services: { id: string; name: string }[] } };
    return data.services.map(({ name }) => name);
  };
  expect(await seen()).toEqual(['Haarschnitt']);
  const { version, input } = await editable(owner, 'services', service.id);
  const record = { ...input, name: { en: 'Cut', de: 'Schnitt' } };
  const change = { id: service.id, expected_version: version, record };
  expect(await done<Saved>(owner.mutate('catalog.services.update', change))).toMatchObject({ version: 2 });
  await until(seen, ([name]) => name === 'Schnitt');

  const off = { id: service.id, expected_version: 2, published: false };
  const saved = await done<Saved>(owner.mutate('catalog.services.set_published', off));
  expect(saved).toMatchObject({ version: 3, outside: { upcoming: 1, count: 1, complete: true } });
  expect(saved.outside.first).toMatchObject([{ reference: booking.reference, reason: 'service_unpublished' }]);
  await until(seen, (names) => names.length === 0);
  expect((await read(booking.reference)).data.booking).toEqual(booking);
  const outside = await done(owner.query('catalog.services.outside', { id: service.id }));
  expect(outside).toEqual(saved.outside);

  const on = { ...off, expected_version: 3, published: true };
  expect(await done<Saved>(owner.mutate('catalog.services.set_published', on))).toMatchObject({
    outside: { count: 0 },
  });
  await until(seen, ([name]) => name === 'Schnitt');
  const actions = (await auditOf(service.id)).map(({ action, before, after }) => ({ action, before, after }));
  expect(actions).toEqual([
    { action: 'service.updated', before: { name: { en: 'Haircut', de: 'Haarschnitt' } }, after: { name: record.name } },
    { action: 'service.unpublished', before: { published: true }, after: { published: false } },
    { action: 'service.published', before: { published: false }, after: { published: true } },
  ]);
});

test('returns 409 to all but one of several concurrent updates', async () => {
  const { owner, service } = await makeCatalog();
  const { input } = await editable(owner, 'services', service.id);
  const save = (capacity: number) =>
    owner.mutate('catalog.services.update', { id: service.id, expected_version: 1, record: { ...input, capacity } });
  const replies = await Promise.all([2, 3, 4, 5].map(save));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  for (const { status, error } of replies) if (status === 409) expect(error?.code).toBe('version_conflict');
  const off = { id: service.id, expected_version: 1, published: false };
  expect(await owner.mutate('catalog.services.set_published', off)).toMatchObject({ status: 409 });
  const row = await db().service.findUnique({ where: { id: service.id } });
  expect(row).toMatchObject({
    version: 2,
    published: true,
    capacity: [2, 3, 4, 5][replies.findIndex((r) => r.status === 200)],
  });
  expect(await auditOf(service.id)).toHaveLength(1);
});

test('does not count an identical update as a change', async () => {
  const { owner, service } = await makeCatalog();
  const { input } = await editable(owner, 'services', service.id);
  const same = { id: service.id, expected_version: 1, record: input };
  expect(await done<Saved>(owner.mutate('catalog.services.update', same))).toMatchObject({ version: 1 });
  expect(await auditOf(service.id)).toEqual([]);
});

const WRONG: [what: string, change: object, path: string][] = [
  ['no name in the default language', { name: { de: 'Nur deutsch' } }, 'name.en'],
  ['a language that the tenant does not have', { name: { en: 'A', xx: 'marker' } }, 'name.xx'],
  ['a name that is not an object', { name: 'marker' }, 'name'],
  ['an empty name', { name: { en: '   ' } }, 'name.en'],
  ['a name that is too long', { name: { en: 'marker'.repeat(40) } }, 'name.en'],
  ['a control character', { name: { en: 'marker\u0001' } }, 'name.en'],
  ['a lone surrogate', { name: { en: 'marker\ud800' } }, 'name.en'],
  ['an API key in a text', { description: { en: `marker pbk_test_${'a'.repeat(38)}` } }, 'description.en'],
  ['a missing duration', { duration_minutes: undefined }, 'duration_minutes'],
  ['a duration of zero', { duration_minutes: 0 }, 'duration_minutes'],
  ['a duration of two days', { duration_minutes: 2880 }, 'duration_minutes'],
  ['an interval of half a minute', { slot_interval_minutes: 0.5 }, 'slot_interval_minutes'],
  ['a negative buffer', { buffer_before_minutes: -5 }, 'buffer_before_minutes'],
  ['a capacity of zero', { capacity: 0 }, 'capacity'],
  ['a capacity above the maximum', { capacity: 10_001 }, 'capacity'],
  ['a number as a string', { capacity: '7' }, 'capacity'],
  ['a price without a currency', { price: { amount: 5 } }, 'price.currency'],
  ['a negative price', { price: { amount: -5, currency: 'EUR' } }, 'price.amount'],
  ['a price above the maximum', { price: { amount: 3_000_000_000, currency: 'EUR' } }, 'price.amount'],
  ['a currency in lower case', { price: { amount: 5, currency: 'eur' } }, 'price.currency'],
  ['a horizon of zero days', { max_advance_days: 0 }, 'max_advance_days'],
  ['an unknown field', { marker_field: 'marker' }, 'marker_field'],
  ['an unknown field whose name could hold data', { 'Marker <script>': 1 }, '*'],
];

test('rejects each wrong value at its field without echoing it', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  for (const [what, change, path] of WRONG) {
    const reply = await owner.mutate('catalog.services.create', { record: { ...SERVICE, ...change } });
    expect(reply, what).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
    expect([what, ...(reply.error?.fields ?? []).map((field) => field.path)]).toEqual([what, path]);
    expect(JSON.stringify(reply.error?.fields.map(({ message }) => message)), what).not.toMatch(/marker|script/i);
  }
  expect(await db().service.count({ where: { tenantId: tenant.id } })).toBe(0);
  expect(await db().auditLog.count({ where: { tenantId: tenant.id } })).toBe(0);
});

test('names every invalid field at once', async () => {
  const { owner, service } = await makeCatalog();
  const record = { name: {}, duration_minutes: -1, capacity: 0, price: 'free' };
  const change = { id: service.id, expected_version: 1, record };
  const reply = await owner.mutate('catalog.services.update', change);
  const paths = reply.error?.fields.map(({ path }) => path).sort();
  expect(paths).toEqual([
    'capacity',
    'duration_minutes',
    'max_advance_days',
    'name.en',
    'price',
    'slot_interval_minutes',
  ]);
});

test('lets support read but not change, and returns 404 to another tenant', async () => {
  const { tenant, service } = await makeCatalog();
  const support = await makeMember(tenant.id, 'SUPPORT');
  const other = await makeCatalog();
  const id = service.id;
  expect((await support.query('catalog.services.list', {})).data).toMatchObject({ total: 1 });
  expect((await support.query('catalog.services.get', { id })).status).toBe(200);
  const changes = [
    ['create', { record: SERVICE }],
    ['update', { id, expected_version: 1, record: SERVICE }],
    ['set_published', { id, expected_version: 1, published: false }],
  ] as const;
  for (const [name, input] of changes) {
    expect(await support.mutate(`catalog.services.${name}`, input)).toMatchObject({ status: 403 });
    if (name === 'create') continue;
    for (const unknown of [id, newId('svc'), 'svc_', '', '\u0001', 'x'.repeat(5000)]) {
      const reply = await other.owner.mutate(`catalog.services.${name}`, { ...input, id: unknown });
      expect(reply, unknown.slice(0, 40)).toMatchObject({ status: 404, error: { code: 'not_found' } });
    }
  }
  expect(await db().service.findUnique({ where: { id } })).toMatchObject({ version: 1, published: true });
});

test('searches the list literally, filters it by status and pages it', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const base = { tenantId: tenant.id, durationMinutes: 30, slotIntervalMinutes: 30, maxAdvanceDays: 30 };
  await db().service.createMany({
    data: Array.from({ length: 55 }, (_, i) => ({
      ...base,
      id: newId('svc'),
      name: { en: i === 7 ? '100% cut_off' : `Service ${String(i).padStart(2, '0')}` },
      published: i % 11 === 0,
    })),
  });
  const list = async (input: object) => done<List>(owner.query('catalog.services.list', input));
  expect(await owner.query('catalog.services.list', { search: '\u0001' })).toMatchObject({ status: 400 });
  expect((await list({ search: '%' })).records.map(({ name }) => name)).toEqual(['100% cut_off']);
  expect(await list({ status: 'published' })).toMatchObject({ total: 5 });
  const pages = [await list({}), await list({ page: 2 }), await list({ page: 3 })];
  expect(pages.map(({ records }) => records.length)).toEqual([50, 5, 0]);
  expect(pages.map(({ total }) => total)).toEqual([55, 55, 55]);
});

test('a shorter cutoff applies to future bookings, a longer one only to later bookings', async () => {
  const { owner, service, book, read } = await makeCatalog();
  const booking = await book('10:00');
  const past = await book('11:00');
  await moveToPast(past.reference);
  const save = async (cancellation_cutoff_minutes: number) => {
    const { version, input } = await editable(owner, 'services', service.id);
    const record = { ...input, cancellation_cutoff_minutes };
    await done<Saved>(owner.mutate('catalog.services.update', { id: service.id, expected_version: version, record }));
  };
  const minutesBefore = async () => {
    const { change_deadline, starts_at, version } = (await read(booking.reference)).data.booking;
    expect(version).toBe(1);
    return (Date.parse(starts_at) - Date.parse(change_deadline ?? '')) / 60_000;
  };
  await save(120);
  expect(await minutesBefore()).toBe(service.cancellationCutoffMinutes);
  await db().booking.updateMany({ where: { serviceId: service.id }, data: { cancellationCutoffMinutes: 90 } });
  await save(30);
  expect(await minutesBefore()).toBe(30);
  await save(240);
  expect(await minutesBefore()).toBe(30);
  const { cancellationCutoffMinutes } = await db().booking.findUniqueOrThrow({ where: { reference: past.reference } });
  expect(cancellationCutoffMinutes).toBe(90);
});
