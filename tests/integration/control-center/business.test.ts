import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { dayAhead, partnerOf } from '@/tests/support/bookings';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';
import { makeCatalog } from './catalog-records';

async function makeHouse() {
  const { tenant, key, service } = await makeCatalog();
  const owner = await makeMember(tenant.id);
  const before = { business_name: tenant.name, time_zone: tenant.timeZone, locales: tenant.locales };
  const change = (after: object, seen: object = before) =>
    owner.mutate('environment.change_business', { before: seen, ...before, ...after });
  return { tenant, key, service, owner, before, change };
}

test('lets an owner rename the business and add a language that partners can then request', async () => {
  const { tenant, key, service, owner, before, change } = await makeHouse();
  const after = { business_name: 'Harbour Hair', time_zone: 'Europe/Lisbon', locales: [...before.locales, 'pt-BR'] };
  expect(await change(after)).toMatchObject({ status: 200, data: after });
  expect((await owner.query('environment.get')).data).toMatchObject({ business: after, tenant_name: 'Harbour Hair' });
  const { slots } = partnerOf(key);
  const query = { service_id: service.id, date: dayAhead(), locale: 'pt-BR' };
  await until(
    async () => (await slots(query)).headers['content-language'],
    (language) => language === 'pt-BR',
  );
  expect(await db().auditLog.findMany({ where: { tenantId: tenant.id, action: 'tenant.changed' } })).toMatchObject([
    { before, after, actorKind: 'owner' },
  ]);
});

test('returns 409 to the second of two concurrent changes', async () => {
  const { before, change } = await makeHouse();
  const replies = await Promise.all([change({ business_name: 'One' }), change({ business_name: 'Two' })]);
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await change({}, { ...before, business_name: 'Never' })).toMatchObject({ status: 409 });
});

test.for([
  ['business_name', ''],
  ['business_name', 'x'.repeat(201)],
  ['time_zone', 'Mars/Base'],
  ['locales', []],
  ['locales.0', ['zz-not-there']],
  ['locales.1', ['en', 'de_DE']],
  ['locales', ['en', 'en']],
] as const)('rejects an invalid %s at its field', async ([path, value]) => {
  const { tenant, change } = await makeHouse();
  const field = path.split('.')[0] ?? path;
  const reply = await change({ [field]: value });
  expect(reply).toMatchObject({ status: 400, error: { fields: [{ path }] } });
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({ name: tenant.name });
});

test('rejects removing a language and changing the default language', async () => {
  const { before, change } = await makeHouse();
  const more = [...before.locales, 'fr'];
  expect(await change({ locales: more })).toMatchObject({ status: 200 });
  const seen = { ...before, locales: more };
  for (const locales of [before.locales, ['fr', ...before.locales]])
    expect(await change({ locales }, seen)).toMatchObject({ status: 400, error: { fields: [{ path: 'locales' }] } });
});

test('changes the default language while nothing is published and every text exists in the new one', async () => {
  const { tenant, service, before, change } = await makeHouse();
  const reversed = { locales: before.locales.toReversed() };
  const refused = { status: 400, error: { fields: [{ path: 'locales' }] } };
  expect(await change(reversed)).toMatchObject(refused);
  const where = { tenantId: tenant.id };
  await Promise.all([
    db().service.updateMany({ where, data: { published: false } }),
    db().location.updateMany({ where, data: { published: false } }),
    db().specialist.updateMany({ where, data: { published: false } }),
  ]);
  const { name } = await db().service.findUniqueOrThrow({ where: { id: service.id } });
  await db().service.update({ where: { id: service.id }, data: { name: { [before.locales[0] ?? '']: 'Cut' } } });
  expect(await change(reversed)).toMatchObject(refused);
  await db().service.update({ where: { id: service.id }, data: { name: name ?? {} } });
  expect(await change(reversed)).toMatchObject({ status: 200, data: reversed });
  expect(await db().tenant.findUniqueOrThrow({ where: { id: tenant.id } })).toMatchObject({
    ...reversed,
    defaultLocale: reversed.locales[0],
  });
});
