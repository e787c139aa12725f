import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { makeTenant } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { daily } from '@/tests/support/schedules';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';
import { apply, BUSINESS, check, everything, exported, textOf } from './catalog-documents';
import { auditOf, done, makeCatalog } from './catalog-records';

test('imports a catalog document and changes nothing when it is imported again', async () => {
  const { tenant, owner, client, service } = await makeCatalog();
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
  expect(await auditOf(tenant.id)).toMatchObject([{ action: 'catalog.imported', after: plan.counts }]);
  expect(await auditOf(service.id)).toMatchObject([{ action: 'service.unpublished' }]);

  const before = await everything(tenant.id);
  const again = await apply(owner, BUSINESS);
  expect(again.lines).toEqual([]);
  expect(again.counts.services).toEqual({ created: 0, updated: 0, unpublished: 0, unchanged: 3 });
  expect(await everything(tenant.id)).toEqual(before);
});

test('changes nothing when an export is imported, in any order of its lists', async () => {
  const tenant = await makeTenant({ locales: ['en', 'de', 'fr'] });
  const { owner } = await makeCatalog();
  const sandbox = await makeMember(tenant.id);
  const other = await exported(owner);
  expect((await check(owner, other)).plan).toMatchObject({ lines: [] });
  // Imports a handwritten document and exports the catalog. Importing the export must then change nothing, even if
  // its lists are reversed or its JSON text contains line breaks.
  await apply(sandbox, { ...BUSINESS, specialists: [{ ...BUSINESS.specialists[0], time_off: [] }] });
  const document = await exported(sandbox);
  const before = await everything(tenant.id);
  const reversed = JSON.parse(JSON.stringify(document), (_, value) => (Array.isArray(value) ? value.reverse() : value));
  for (const same of [document, reversed, JSON.stringify(document, null, 2)])
    expect(await apply(sandbox, same)).toMatchObject({ lines: [] });
  expect(await exported(sandbox)).toEqual(document);
  expect(await everything(tenant.id)).toEqual(before);
});

test('reports changes and affected bookings in a check without changing anything', async () => {
  const { tenant, owner, book } = await makeCatalog();
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

test('returns 409 for a plan whose catalog has changed since', async () => {
  const { tenant, owner, service } = await makeCatalog();
  const text = textOf(BUSINESS);
  const { plan } = await check(owner, text);
  const off = { id: service.id, expected_version: 1, published: false };
  await done(owner.mutate('catalog.services.set_published', off));
  const before = await everything(tenant.id);
  const reply = await owner.mutate('catalog.transfer.import', { text, basis: plan?.basis });
  expect(reply).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  expect(await everything(tenant.id)).toEqual(before);
});

test('applies only one of several concurrent imports of a plan', async () => {
  const { tenant, owner } = await makeCatalog();
  const text = textOf(BUSINESS);
  const { plan } = await check(owner, text);
  const replies = await Promise.all(
    [1, 2, 3].map(() => owner.mutate('catalog.transfer.import', { text, basis: plan?.basis })),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect(await db().service.count({ where: { tenantId: tenant.id } })).toBe(3);
});

test('treats ids of another tenant as new names, without changing or revealing its records', async () => {
  const other = await makeCatalog();
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

test('lets support export but not import', async () => {
  const { tenant, owner } = await makeCatalog();
  const support = await makeMember(tenant.id, 'SUPPORT');
  expect(await exported(support)).toEqual(await exported(owner));
  const text = textOf(BUSINESS);
  for (const name of ['check', 'import'])
    expect(await support.mutate(`catalog.transfer.${name}`, { text, basis: '' })).toMatchObject({ status: 403 });
});
