import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { dayAhead } from '@/tests/support/bookings';
import { makeLocation, makeService } from '@/tests/support/factories';
import { auditOf, done, editable, makeCatalog, type Saved } from './catalog-records';

type Bulk = { changed: number; outside: Saved['outside'] };
type Unconfirmed = { affected: { count: number; first: { reference: string; reason: string }[]; digest: string } };

const EUROS = { priceCurrency: 'EUR' };
const euros = (amount: number) => ({ amount, currency: 'EUR' });

test('closes several locations on the same days after the bookings on these days are confirmed', async () => {
  const { tenant, owner, location, book } = await makeCatalog();
  const other = await makeLocation(tenant.id);
  const { reference } = await book('10:00');
  const date = dayAhead();
  const closure = { location_ids: [location.id, other.id], from: date, to: dayAhead(8), note: 'Public holiday' };
  const close = (confirmed: string) => owner.mutate('catalog.bulk.close', { ...closure, confirmed });

  const { affected } = await done<Unconfirmed>(close('none'));
  expect(affected).toMatchObject({ count: 1, first: [{ reference, reason: 'outside_hours' }] });
  expect(await db().locationException.count({ where: { locationId: { in: closure.location_ids } } })).toBe(0);

  expect(await done<Bulk>(close(affected.digest))).toMatchObject({ changed: 2, outside: { count: 1 } });
  for (const id of closure.location_ids) {
    const { version, input } = await editable(owner, 'locations', id);
    expect(version).toBe(2);
    expect(input.exceptions).toEqual([
      { date, hours: [], note: 'Public holiday' },
      { date: dayAhead(8), hours: [], note: 'Public holiday' },
    ]);
    expect(await auditOf(id)).toMatchObject([{ action: 'location.updated' }]);
  }
  // The days are already closed, so nothing changes.
  expect(await done<Bulk>(close('none'))).toMatchObject({ changed: 0 });
});

test('rejects a closure without locations, with days in the wrong order, or longer than 62 days', async () => {
  const { owner, location } = await makeCatalog();
  const closure = { location_ids: [location.id], from: '2030-05-10', to: '2030-05-10', note: null };
  const WRONG: [object, string][] = [
    [{ location_ids: [] }, 'location_ids'],
    [{ from: '' }, 'from'],
    [{ to: '2030-05-09' }, 'to'],
    [{ to: '2030-07-11' }, 'to'],
    [{ note: '' }, 'exceptions.0.note'],
  ];
  for (const [part, path] of WRONG) {
    const reply = await owner.mutate('catalog.bulk.close', { ...closure, ...part });
    expect(reply).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
    expect(reply.error?.fields.map((field) => field.path)).toEqual([path]);
  }
});

test('publishes and unpublishes several records, all of them or none', async () => {
  const { tenant, owner, service, book } = await makeCatalog();
  const other = await makeService(tenant.id);
  const foreign = await makeCatalog();
  const { reference } = await book('10:00');
  const ids = [service.id, other.id];
  const set = (change: object) => owner.mutate('catalog.bulk.set_published', { kind: 'service', ids, ...change });
  const wrong = { published: false, ids: [...ids, foreign.service.id] };
  expect(await set(wrong)).toMatchObject({ status: 404, error: { code: 'not_found' } });
  const { affected } = await done<Unconfirmed>(set({ published: false, confirmed: 'none' }));
  expect(affected.first).toMatchObject([{ reference, reason: 'service_unpublished' }]);
  expect(await db().service.count({ where: { id: { in: ids }, published: true, version: 1 } })).toBe(2);

  expect(await done<Bulk>(set({ published: false, confirmed: affected.digest }))).toMatchObject({ changed: 2 });
  expect(await db().service.count({ where: { id: { in: ids }, published: false, version: 2 } })).toBe(2);
  expect(await done<Bulk>(set({ published: false, confirmed: 'none' }))).toMatchObject({ changed: 0 });
  expect(await done<Bulk>(set({ published: true, confirmed: 'none' }))).toMatchObject({ changed: 2 });
  expect((await auditOf(other.id)).map(({ action }) => action)).toEqual(['service.unpublished', 'service.published']);
});

test('changes prices, unless a price is no longer the one of the preview', async () => {
  const { tenant, owner } = await makeCatalog();
  const [one, two] = await Promise.all([
    makeService(tenant.id, { ...EUROS, priceAmount: 16_500 }),
    makeService(tenant.id, { ...EUROS, priceAmount: 8_900 }),
  ]);
  const first = { id: one.id, before: euros(16_500), amount: 17_500 };
  const stale = { id: two.id, before: euros(8_800), amount: 9_000 };
  const set = (...changes: object[]) => owner.mutate('catalog.bulk.set_prices', { changes });
  for (const wrong of [stale, { ...stale, before: { amount: 8_900, currency: 'USD' } }])
    expect(await set(first, wrong)).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  expect(await set({ ...first, amount: 3_000_000_000 })).toMatchObject({ status: 400 });
  expect(await db().service.findUnique({ where: { id: one.id } })).toMatchObject({ priceAmount: 16_500, version: 1 });

  expect(await done<Bulk>(set(first, { ...stale, before: euros(8_900) }))).toMatchObject({ changed: 2 });
  expect(await db().service.findUnique({ where: { id: one.id } })).toMatchObject({ priceAmount: 17_500, version: 2 });
  expect(await auditOf(one.id)).toMatchObject([
    { action: 'service.updated', before: { price: euros(16_500) }, after: { price: euros(17_500) } },
  ]);
});

test('lists the categories of services, and the services of one or of none', async () => {
  const { tenant, owner } = await makeCatalog();
  const hair = { en: 'Hair', de: 'Haare' };
  for (const [name, category] of [
    ['Cut', hair],
    ['Dye', hair],
    ['Nails', { en: '100% hands' }],
  ] as const)
    await makeService(tenant.id, { name: { en: name }, category });
  const categories = await done<{ name: string | null; services: number }[]>(
    owner.query('catalog.services.categories'),
  );
  expect(categories.filter(({ name }) => name !== null)).toEqual([
    { name: '100% hands', services: 1 },
    { name: 'Hair', services: 2 },
  ]);
  expect(categories.at(-1)).toMatchObject({ name: null });
  const names = async (input: object) =>
    (await done<{ records: { name: string }[] }>(owner.query('catalog.services.list', input))).records.map(
      ({ name }) => name,
    );
  expect(await names({ category: 'Hair' })).toEqual(['Cut', 'Dye']);
  expect(await names({ category: 'Hair', search: 'dy' })).toEqual(['Dye']);
  expect(await names({ category: 'Haare' })).toEqual([]);
  expect(await names({ search: '% HAN' })).toEqual(['Nails']);
  expect(await names({ search: '%' })).toEqual(['Nails']);
  expect(await names({ category: '' })).not.toContain('Cut');
  expect((await owner.query('catalog.locations.list', { category: 'Hair' })).status).toBe(400);
});
