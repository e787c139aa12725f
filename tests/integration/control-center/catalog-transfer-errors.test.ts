import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { crossIssues } from '@/lib/booking/catalog/transfer/import';
import { makeTenant } from '@/tests/support/factories';
import { makeMember } from './applications-people';
import { BUSINESS, check, everything, textOf } from './catalog-documents';
import { makeCatalog, SERVICE, SPECIALIST } from './catalog-records';

test('returns every error with its path and imports nothing', async () => {
  const { tenant, owner } = await makeCatalog();
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
  [
    'invalid JSON',
    '{"format": "partner-booking-catalog/1",\n "services": [,]}',
    'is not valid JSON: line 2, column 15',
  ],
  ['an empty text', '', 'is not valid JSON: line 1, column 1'],
  ['a comment', '{\n// no\n}', 'is not valid JSON: line 2, column 1'],
  ['deep nesting', '['.repeat(100_000), 'is nested too deeply'],
  ['a list', '[]', 'must be an object'],
  ['null', 'null', 'must be an object'],
];

const PACKED = [
  ['over 16 MiB', gzipSync('a'.repeat(16 * 1024 * 1024 + 1)).toString('base64'), 'must be at most 16 MiB'],
  ['not gzip', 'bm90IGd6aXA=', 'must be a document compressed with gzip'],
  ['not base64', '***', 'must be base64'],
] as const;

test('rejects texts that are no documents, also packed ones', async () => {
  const owner = await makeMember((await makeTenant()).id);
  for (const [what, text, message] of TEXTS)
    expect([what, await check(owner, text)]).toEqual([
      what,
      { issues: [{ path: '$', message }], issue_count: 1, plan: null },
    ]);
  for (const [what, packed, message] of PACKED) {
    const reply = await owner.mutate('catalog.transfer.check', { packed });
    expect(reply, what).toMatchObject({ status: 400, error: { fields: [{ path: 'packed', message }] } });
  }
});

test('accepts the 20,100 offerings of a chain as a packed document', async () => {
  const owner = await makeMember((await makeTenant()).id);
  const services = Array.from({ length: 100 }, (_, i) => ({ ...SERVICE, id: `s${i}` }));
  const workplaces = [{ location_id: 'harbour', service_ids: services.map(({ id }) => id) }];
  const specialists = Array.from({ length: 201 }, (_, i) => ({ ...SPECIALIST, id: `kim${i}`, workplaces }));
  const packed = gzipSync(JSON.stringify({ ...BUSINESS, services, specialists })).toString('base64');
  const { data } = await owner.mutate('catalog.transfer.check', { packed });
  expect(data).toMatchObject({ issues: [], plan: { counts: { specialists: { created: 201 } } } });
});

test('limits the offerings of a document', () => {
  const specialists = [{ id: 'kim', workplaces: [{ location_id: 'a', service_ids: Array(150_001).fill('s') }] }];
  const document = { locations: [{ id: 'a' }], services: [{ id: 's' }], specialists };
  const issue = { path: ['specialists'], message: 'would exceed the limit of 150000 offerings' };
  expect(crossIssues(document, (_, id) => id)).toEqual([issue]);
});

test('reports a duplicate key and an unknown format', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const { issues } = await check(owner, '{"format": "other/2", "services": [], "services": []}');
  expect(issues.map(({ path }) => path).sort()).toEqual(['$.format', '$.services']);
});

test('rejects a catalog with more than 1,000 services', async () => {
  const tenant = await makeTenant();
  const owner = await makeMember(tenant.id);
  const services = Array.from({ length: 1001 }, (_, i) => ({ ...SERVICE, description: null, id: `s${i}` }));
  const { issues } = await check(owner, { ...BUSINESS, services });
  expect(issues).toContainEqual({ path: '$.services', message: 'must contain at most 1000 entries' });
});
