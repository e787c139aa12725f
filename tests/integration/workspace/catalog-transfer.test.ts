import { expect, test } from 'vitest';
import { db } from '@/lib/db';
import { makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { daily } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';
import { type Member, makeMember } from './applications-people';
import { auditOf, done, LOCATION, makeCatalogue, SERVICE, SPECIALIST } from './catalog-records';

type Line = { list: string; action: string; id: string; name: string; fields: string[]; absent: boolean };
type Plan = {
  basis: string;
  counts: Record<string, Record<string, number>>;
  lines: Line[];
  outside: { count: number; first: { reference: string; reason: string }[] };
};
type Check = { issues: { path: string; message: string }[]; issue_count: number; plan: Plan | null };
type Doc = Record<'locations' | 'services' | 'specialists', Record<string, unknown>[]> & { format: string };

const exported = (member: Member) => done<Doc>(member.query('catalog.transfer.export'));
const check = (member: Member, document: unknown) =>
  done<Check>(member.mutate('catalog.transfer.check', { text: textOf(document) }));
const textOf = (document: unknown) => (typeof document === 'string' ? document : JSON.stringify(document));

async function apply(member: Member, document: unknown): Promise<Plan> {
  const { plan, issues } = await check(member, document);
  if (!plan) throw new Error(`refused: ${JSON.stringify(issues)}`);
  return done<Plan>(member.mutate('catalog.transfer.import', { text: textOf(document), basis: plan.basis }));
}

async function everything(tenantId: string) {
  const where = { tenantId };
  return {
    services: await db().service.findMany({ where, orderBy: { id: 'asc' } }),
    locations: await db().location.findMany({
      where,
      orderBy: { id: 'asc' },
      include: { hours: true, exceptions: true },
    }),
    specialists: await db().specialist.findMany({
      where,
      orderBy: { id: 'asc' },
      include: { breaks: true, timeOff: true },
    }),
    offerings: await db().offering.findMany({ where, orderBy: [{ specialistId: 'asc' }, { serviceId: 'asc' }] }),
    audit: await db().auditLog.count({ where }),
  };
}

/** A business of one's own, with names of its own. */
const BUSINESS = {
  format: 'partner-booking-catalogue/1',
  locations: [{ id: 'harbour', published: true, ...LOCATION, hours: daily({ opens: '09:00', closes: '17:00' }) }],
  services: [
    { id: 'deep-massage', published: true, ...SERVICE },
    { id: 'draft', ...SERVICE },
  ],
  specialists: [
    {
      id: 'kim',
      published: true,
      ...SPECIALIST,
      workplaces: [
        {
          location_id: 'harbour',
          service_ids: ['deep-massage'],
          hours: daily({ opens: '10:00', closes: '12:00' }),
        },
      ],
    },
  ],
};

test('an existing business gets in without typing, and a second import of it changes nothing', async () => {
  const { tenant, owner, client, service } = await makeCatalogue();
  const plan = await apply(owner, BUSINESS);
  expect(plan.counts).toEqual({
    locations: { created: 1, updated: 0, unpublished: 1, unchanged: 0 },
    services: { created: 2, updated: 0, unpublished: 1, unchanged: 0 },
    specialists: { created: 1, updated: 0, unpublished: 1, unchanged: 0 },
  });
  expect(plan.lines).toContainEqual({
    ...{ list: 'services', action: 'unpublished', id: service.id, name: 'Haircut' },
    ...{ fields: ['published'], absent: true },
  });
  const seen = async () => {
    const { data } = (await client(`${CATALOG}?locale=de`)) as { data: { services: { name: string }[] } };
    return data.services.map(({ name }) => name);
  };
  await until(seen, ([name]) => name === 'Tiefenmassage');
  expect(await db().service.count({ where: { tenantId: tenant.id } })).toBe(3);
  expect(await auditOf(tenant.id)).toMatchObject([{ action: 'catalogue.imported', after: plan.counts }]);
  expect(await auditOf(service.id)).toMatchObject([{ action: 'service.unpublished' }]);

  const before = await everything(tenant.id);
  const again = await apply(owner, BUSINESS);
  expect(again.lines).toEqual([]);
  expect(again.counts.services).toEqual({ created: 0, updated: 0, unpublished: 0, unchanged: 3 });
  expect(await everything(tenant.id)).toEqual(before);
});

test('export, then import, changes nothing, in whatever order things stand', async () => {
  const tenant = await makeTenant({ locales: ['en', 'de', 'fr'] });
  const { owner } = await makeCatalogue();
  const sandbox = await makeMember(tenant.id);
  const other = await exported(owner);
  expect((await check(owner, other)).plan).toMatchObject({ lines: [] });
  // Once in its own words, then as the export of it has them.
  await apply(sandbox, { ...BUSINESS, specialists: [{ ...BUSINESS.specialists[0], time_off: [] }] });
  const document = await exported(sandbox);
  const before = await everything(tenant.id);
  const reversed = JSON.parse(JSON.stringify(document), (_, value) => (Array.isArray(value) ? value.reverse() : value));
  for (const same of [document, reversed, JSON.stringify(document, null, 2)])
    expect(await apply(sandbox, same)).toMatchObject({ lines: [] });
  expect(await exported(sandbox)).toEqual(document);
  expect(await everything(tenant.id)).toEqual(before);
});

test('a check says what would change and which bookings would lie outside, and changes nothing', async () => {
  const { tenant, owner, book } = await makeCatalogue();
  const booking = await book('10:00');
  const document = await exported(owner);
  const [service] = document.services;
  const [location] = document.locations;
  const before = await everything(tenant.id);
  const { plan, issue_count } = await check(owner, {
    ...document,
    services: [{ ...service, capacity: 4 }],
    locations: [{ ...location, hours: daily({ opens: '12:00', closes: '17:00' }), published: true }],
    specialists: [],
  });
  expect(issue_count).toBe(0);
  expect(plan?.lines.map(({ list, action, fields }) => [list, action, fields])).toEqual([
    ['locations', 'updated', ['hours']],
    ['services', 'updated', ['capacity']],
    ['specialists', 'unpublished', ['published']],
  ]);
  expect(plan?.outside).toMatchObject({
    count: 1,
    first: [{ reference: booking.reference, reason: 'specialist_unpublished' }],
  });
  expect(await everything(tenant.id)).toEqual(before);
});

test('every error is returned with its place, and nothing is imported', async () => {
  const { tenant, owner } = await makeCatalogue();
  const before = await everything(tenant.id);
  const [location] = BUSINESS.locations;
  const [specialist] = BUSINESS.specialists;
  const document = {
    ...BUSINESS,
    marker: 1,
    locations: [
      { ...location, time_zone: 'marker', hours: [{ weekday: 1, opens: '25:00', closes: '26:00' }] },
      { ...location, id: 'second', exceptions: [{ date: '2026-12-24' }, { date: '2026-12-24' }, { date: 'marker' }] },
    ],
    services: [
      { ...SERVICE, id: 'a', name: { de: 'marker' } },
      { ...SERVICE, id: 'a', capacity: 0 },
      { ...SERVICE, id: 'marker marker' },
      null,
    ],
    specialists: [
      { ...specialist, workplaces: [{ location_id: 'marker', service_ids: ['a', 'marker'] }], display_name: 5 },
      { ...specialist, id: '\u0000' },
    ],
  };
  const { issues, plan } = await check(owner, document);
  expect(plan).toBeNull();
  const places = issues.map(({ path }) => path);
  expect([...places].sort()).toEqual(
    [
      '$.marker',
      '$.locations[0].time_zone',
      '$.locations[0].hours[0].opens',
      '$.locations[0].hours[0].closes',
      '$.locations[1].exceptions[1].date',
      '$.locations[1].exceptions[2].date',
      '$.services[0].name.en',
      '$.services[1].id',
      '$.services[1].capacity',
      '$.services[2].id',
      '$.services[3]',
      '$.specialists[0].display_name',
      '$.specialists[0].workplaces[0].location_id',
      '$.specialists[0].workplaces[0].service_ids[1]',
      '$.specialists[1].id',
      '$.specialists[1].workplaces[0].service_ids[0]',
    ].sort(),
  );
  expect(JSON.stringify(issues.map(({ message }) => message))).not.toContain('marker');
  const forced = await owner.mutate('catalog.transfer.import', { text: textOf(document), basis: '' });
  expect(forced).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
  expect(forced.error?.fields.map(({ path }) => path)).toEqual(places);
  expect(await everything(tenant.id)).toEqual(before);
});

const TEXTS: [what: string, text: string, issue: string][] = [
  ['no JSON', '{"format": "partner-booking-catalogue/1",\n "services": [,]}', 'is not valid JSON: line 2, column 15'],
  ['nothing', '', 'is not valid JSON: line 1, column 1'],
  ['a comment', '{\n// no\n}', 'is not valid JSON: line 2, column 1'],
  ['too deep', '['.repeat(100_000), 'is nested too deeply'],
  ['too large', `"${'a'.repeat(2 * 1024 * 1024)}"`, 'must be at most 2 MiB'],
  ['a list', '[]', 'must be an object'],
  ['null', 'null', 'must be an object'],
];

test.each(TEXTS)('%s is no catalogue', async (_, text, message) => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  expect(await check(owner, text)).toEqual({ issues: [{ path: '$', message }], issue_count: 1, plan: null });
});

test('a name that stands twice, and a format of another time, are told', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const { issues } = await check(owner, '{"format": "other/2", "services": [], "services": []}');
  expect(issues.map(({ path }) => path).sort()).toEqual(['$.format', '$.services']);
});

test('a plan is only true of the catalogue that it was made upon', async () => {
  const { tenant, owner, service } = await makeCatalogue();
  const text = textOf(BUSINESS);
  const { plan } = await check(owner, text);
  const off = { id: service.id, expected_version: 1, published: false };
  await done(owner.mutate('catalog.services.set_published', off));
  const before = await everything(tenant.id);
  const reply = await owner.mutate('catalog.transfer.import', { text, basis: plan?.basis });
  expect(reply).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  expect(await everything(tenant.id)).toEqual(before);
});

test('of two imports of one plan at once, one is made', async () => {
  const { tenant, owner } = await makeCatalogue();
  const text = textOf(BUSINESS);
  const { plan } = await check(owner, text);
  const replies = await Promise.all(
    [1, 2, 3].map(() => owner.mutate('catalog.transfer.import', { text, basis: plan?.basis })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await db().service.count({ where: { tenantId: tenant.id } })).toBe(3);
});

test('the ids of another tenant are names like any other: its records stay, and nobody learns of them', async () => {
  const other = await makeCatalogue();
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const before = await everything(other.tenant.id);
  const document = await exported(other.owner);
  const { counts, lines } = await apply(owner, document);
  expect(counts.services).toMatchObject({ created: 1 });
  expect(JSON.stringify(lines)).not.toContain(other.service.id);
  expect(await everything(other.tenant.id)).toEqual(before);
  const [own] = (await exported(owner)).services;
  expect(own?.id).toMatch(/^svc_[0-7][0-9a-hjkmnp-tv-z]{25}$/);
  expect(own).toMatchObject({ name: { en: 'Haircut' }, published: true });
});

test('support exports and imports nothing', async () => {
  const { tenant, owner } = await makeCatalogue();
  const support = await makeMember(tenant.id, 'SUPPORT');
  expect(await exported(support)).toEqual(await exported(owner));
  const text = textOf(BUSINESS);
  for (const name of ['check', 'import'])
    expect(await support.mutate(`catalog.transfer.${name}`, { text, basis: '' })).toMatchObject({ status: 403 });
});

test('a catalogue beyond every bound is refused', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const services = Array.from({ length: 1001 }, (_, i) => ({ ...SERVICE, description: null, id: `s${i}` }));
  const { issues } = await check(owner, { ...BUSINESS, services });
  expect(issues).toContainEqual({ path: '$.services', message: 'must be at most 1000 entries' });
});
