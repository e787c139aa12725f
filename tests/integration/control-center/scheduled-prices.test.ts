import { expect, test } from 'vitest';
import { applyScheduledPrices } from '@/lib/booking/catalog/edit/scheduled-prices';
import { listCatalog } from '@/lib/contract/operations';
import { db } from '@/lib/platform/db';
import { dayAhead } from '@/tests/support/bookings';
import { makeService } from '@/tests/support/factories';
import { CATALOG } from '@/tests/support/paths';
import { auditOf, done, editable, makeCatalog } from './catalog-records';

type Scheduled = { changed: number; undo: string[] };
type Listed = { records: { id: string; next_price: object | null }[] };

const euros = (amount: number) => ({ amount, currency: 'EUR' });
const MINUTE = 60_000;

/** Two services, in a business in Honolulu, 10 hours behind UTC all year, so that its dates differ from those of UTC. */
async function makeSalon() {
  const salon = await makeCatalog();
  const { id: tenantId } = salon.tenant;
  await db().tenant.update({ where: { id: tenantId }, data: { timeZone: 'Pacific/Honolulu' } });
  await db().service.update({ where: { id: salon.service.id }, data: { priceAmount: 5_000, priceCurrency: 'EUR' } });
  const dye = await makeService(tenantId, { name: { en: 'Dye' }, priceAmount: 8_000, priceCurrency: 'EUR' });
  const ids = [salon.service.id, dye.id] as const;
  const changes = [
    { id: ids[0], before: euros(5_000), amount: 5_250 },
    { id: ids[1], before: euros(8_000), amount: 8_400 },
  ];
  const schedule = (valid_from: string, of: object[] = changes) =>
    salon.owner.mutate('catalog.bulk.schedule_prices', { changes: of, valid_from });
  const next = async () => {
    const { records } = await done<Listed>(salon.owner.query('catalog.services.list', {}));
    return ids.map((id) => records.find((record) => record.id === id)?.next_price ?? null);
  };
  const amounts = async () =>
    (await db().service.findMany({ where: { id: { in: [...ids] } } }))
      .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
      .map(({ priceAmount }) => priceAmount);
  const undo = (entry_ids: string[]) => salon.owner.mutate('audit.undo', { entry_ids, confirmed: 'none' });
  return { ...salon, ids, changes, schedule, next, amounts, undo };
}

const at = (date: string, time: string, minutes = 0) => new Date(Date.parse(`${date}T${time}Z`) + minutes * MINUTE);

test('a scheduled price counts from the first moment of its date on, for bookings that are made then, once', async () => {
  const { tenant, ids, client, book, schedule, next, amounts } = await makeSalon();
  const from = dayAhead(20);
  expect(await done<Scheduled>(schedule(from))).toMatchObject({
    changed: 2,
    undo: [expect.any(String), expect.any(String)],
  });
  expect(await next()).toEqual([5_250, 8_400].map((amount) => ({ ...euros(amount), valid_from: from })));
  expect(await amounts()).toEqual([5_000, 8_000]);
  expect((await book('10:00')).price).toEqual(euros(5_000));
  // The second service gets another currency by then, so its price is dropped.
  await db().service.update({ where: { id: ids[1] }, data: { priceCurrency: 'USD' } });
  await applyScheduledPrices(at(from, '10:00', -1));
  expect(await amounts()).toEqual([5_000, 8_000]);
  const midnight = at(from, '10:00');
  await Promise.all([applyScheduledPrices(midnight), applyScheduledPrices(midnight)]);
  expect(await amounts()).toEqual([5_250, 8_000]);
  expect(await next()).toEqual([null, null]);
  expect(await db().service.findUnique({ where: { id: ids[0] } })).toMatchObject({ version: 2 });
  expect((await auditOf(ids[0])).at(-1)).toMatchObject({
    action: 'service.updated',
    actorKind: 'system',
    before: { price: euros(5_000) },
    after: { price: euros(5_250) },
  });
  expect((await auditOf(ids[1])).at(-1)).toMatchObject({ action: 'service.price_unscheduled', actorKind: 'system' });
  expect(await db().scheduledPrice.count({ where: { tenantId: tenant.id } })).toBe(0);
  // The server drops its copy of the catalog within a second.
  const shown = async () => (await client(CATALOG, { operation: listCatalog })).data.services.map(({ price }) => price);
  await expect.poll(shown, { timeout: 10_000 }).toEqual([euros(5_250)]);
  // The date of the appointment makes no difference: it is before the date of the price.
  expect((await book('12:00')).price).toEqual(euros(5_250));
});

test('a date must be one of the next 366 days, and the price that of the preview', async () => {
  const { changes, schedule, next, ids } = await makeSalon();
  const today = new Date(Date.now() - 10 * 60 * MINUTE).toISOString().slice(0, 10);
  const later = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
  for (const date of [today, later(-1), later(367), '2026-02-30'])
    expect(await schedule(date)).toMatchObject({ status: 400, error: { fields: [{ path: 'valid_from' }] } });
  const [first, second] = changes;
  expect(await schedule(later(1), [first ?? {}, { ...second, before: euros(8_001) }])).toMatchObject({ status: 409 });
  expect(await schedule(later(1), [first ?? {}, { ...second, amount: 3_000_000_000 }])).toMatchObject({ status: 400 });
  expect(await schedule(later(1), [first ?? {}, first ?? {}])).toMatchObject({ status: 404 });
  expect(await next()).toEqual([null, null]);
  for (const date of [later(366), later(1)]) await done(schedule(date));
  expect(await next()).toMatchObject([{ valid_from: later(1) }, { valid_from: later(1) }]);
  expect(await db().scheduledPrice.count({ where: { serviceId: { in: [...ids] } } })).toBe(2);
});

test('scheduling and its removal are undone exactly, unless something changed since', async () => {
  const { owner, ids, schedule, next, undo, changes } = await makeSalon();
  const [first, second] = [dayAhead(20), dayAhead(40)];
  const { undo: entries } = await done<Scheduled>(schedule(first));
  const replaced = await done<Scheduled>(schedule(second, changes.slice(0, 1)));
  expect(await undo(entries)).toMatchObject({
    status: 409,
    error: { message: 'Nothing was undone: Haircut changed since, or undone before.' },
  });
  expect(await done(undo(replaced.undo))).toEqual({ changed: 1 });
  expect(await next()).toMatchObject([{ valid_from: first }, { valid_from: first }]);
  const removed = await done<Scheduled>(owner.mutate('catalog.bulk.unschedule_prices', { ids: [...ids] }));
  expect([removed.changed, await next()]).toEqual([2, [null, null]]);
  expect(await done(undo(removed.undo))).toEqual({ changed: 2 });
  expect(await next()).toMatchObject([
    { amount: 5_250, valid_from: first },
    { amount: 8_400, valid_from: first },
  ]);
  expect(await done(owner.query('catalog.services.next_price', { id: ids[0] }))).toEqual({
    next_price: { ...euros(5_250), valid_from: first },
  });
  const { version, input } = await editable(owner, 'services', ids[1]);
  await done(
    owner.mutate('catalog.services.update', {
      id: ids[1],
      expected_version: version,
      record: { ...input, capacity: 3 },
    }),
  );
  expect(await next()).toMatchObject([{}, { amount: 8_400 }]);
});
