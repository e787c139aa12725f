import { describe, expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { dayAhead } from '@/tests/support/bookings';
import { makeLocation, makeService } from '@/tests/support/factories';
import { auditOf, done, editable, makeCatalog } from './catalog-records';

type Bulk = { changed: number; undo: string[] };
type Unconfirmed = { affected: { count: number; first: { reference: string }[]; digest: string } };
type Catalog = Awaited<ReturnType<typeof makeCatalog>>;
type Line = { id: string; object_id: string; action: string; reversible: boolean };

const undo = ({ owner }: Pick<Catalog, 'owner'>, entry_ids: string[], confirmed = 'none') =>
  owner.mutate('audit.undo', { entry_ids, confirmed });

const lines = async ({ owner }: Catalog, object: string) =>
  (await done<{ lines: Line[] }>(owner.query('audit.list', { object_id: object }))).lines;

const CHANGED = {
  status: 409,
  error: { code: 'version_conflict', message: 'This was changed since, or undone before. It cannot be undone.' },
};

const NAMED = {
  status: 409,
  error: {
    code: 'version_conflict',
    message: expect.stringMatching(/^Nothing was undone: .+ changed since, or undone before\.$/),
  },
};

describe('a closure of several locations', () => {
  test('is undone as a whole, once, with entries in the audit log', async () => {
    const salon = await makeCatalog();
    const other = await makeLocation(salon.tenant.id);
    const ids = [salon.location.id, other.id];
    const day = (date: string, note: string | null) => ({ date, note });
    const days = [day(dayAhead(20), 'New Year'), day(dayAhead(25), null)];
    const closed = await done<Bulk>(
      salon.owner.mutate('catalog.bulk.close_days', { location_ids: ids, days, confirmed: 'none' }),
    );
    expect(closed).toMatchObject({ changed: 2, undo: [expect.any(String), expect.any(String)] });
    expect((await editable(salon.owner, 'locations', other.id)).input.exceptions).toEqual(
      days.map((one) => ({ ...one, hours: [] })),
    );
    expect(await lines(salon, other.id)).toMatchObject([{ reversible: true }]);

    expect(await done(undo(salon, closed.undo))).toEqual({ changed: 2 });
    for (const id of ids) {
      expect(await editable(salon.owner, 'locations', id)).toMatchObject({ version: 3, input: { exceptions: [] } });
      const entries = await auditOf(id);
      expect(entries.map(({ action }) => action)).toEqual(['location.updated', 'location.updated']);
      expect(closed.undo).toContain(Object(entries[1]?.after).undo_of);
    }
    expect(await undo(salon, closed.undo)).toMatchObject(NAMED);
    // The undo itself can be undone from its entry.
    const [latest, first] = await lines(salon, other.id);
    expect([latest?.reversible, first?.reversible]).toEqual([true, false]);
    expect(await done(undo(salon, [latest?.id ?? '']))).toEqual({ changed: 1 });
    expect((await editable(salon.owner, 'locations', other.id)).input.exceptions).toHaveLength(2);
  });

  test('is not undone after a change of one of them, after a day, or in parts that do not belong together', async () => {
    const salon = await makeCatalog();
    const other = await makeLocation(salon.tenant.id);
    const ids = [salon.location.id, other.id];
    const closure = { location_ids: ids, from: dayAhead(20), to: dayAhead(21), note: null };
    const { undo: entries } = await done<Bulk>(salon.owner.mutate('catalog.bulk.close', closure));
    const { version, input } = await editable(salon.owner, 'locations', other.id);
    const record = { ...input, phone: '+49 30 5550 9999' };
    await done(salon.owner.mutate('catalog.locations.update', { id: other.id, expected_version: version, record }));
    expect(await undo(salon, entries)).toMatchObject(NAMED);
    expect((await editable(salon.owner, 'locations', salon.location.id)).input.exceptions).toHaveLength(2);

    const published = await done<Bulk>(
      salon.owner.mutate('catalog.bulk.set_published', { kind: 'location', ids, published: false }),
    );
    const fields = [{ path: 'entry_ids' }];
    const mixed = [published.undo[0] ?? '', entries[1] ?? ''];
    expect(await undo(salon, mixed)).toMatchObject({ status: 400, error: { code: 'invalid_request', fields } });
    // The record's creation and the change of other fields cannot be undone.
    const [, updated] = await lines(salon, other.id);
    expect(updated).toMatchObject({ action: 'location.updated', reversible: false });
    expect(await undo(salon, [updated?.id ?? ''])).toMatchObject({ status: 400, error: { fields } });

    const { rows } = await pool().query<{ id: string }>(
      `INSERT INTO audit_log (id, at, tenant_id, actor_kind, actor_id, action, object_kind, object_id, before, after)
       SELECT $2, at - interval '25 hours', tenant_id, actor_kind, actor_id, action, object_kind,
         'loc_' || substr(id, 5), before, after FROM audit_log WHERE id = $1 RETURNING id`,
      [published.undo[0], newId('aud')],
    );
    expect(await undo(salon, [rows[0]?.id ?? ''])).toMatchObject({ status: 400, error: { fields } });
  });
});

test('an undo that bookings do not fit is made after they are confirmed', async () => {
  const salon = await makeCatalog();
  const ids = [salon.service.id];
  const set = (published: boolean) =>
    done<Bulk>(salon.owner.mutate('catalog.bulk.set_published', { kind: 'service', ids, published }));
  await set(false);
  const { undo: entries } = await set(true);
  const { reference } = await salon.book('10:00');
  const { affected } = await done<Unconfirmed>(undo(salon, entries));
  expect(affected.first).toMatchObject([{ reference }]);
  expect(await db().service.findFirst({ where: { id: salon.service.id } })).toMatchObject({ published: true });
  expect(await done(undo(salon, entries, affected.digest))).toEqual({ changed: 1 });
  expect((await auditOf(salon.service.id)).at(-1)).toMatchObject({ action: 'service.unpublished' });
});

test('changed prices are undone, unless one has changed since: then none, and the refusal names it', async () => {
  const salon = await makeCatalog();
  const service = await makeService(salon.tenant.id, { priceAmount: 5_000, priceCurrency: 'EUR' });
  const change = { id: service.id, before: { amount: 5_000, currency: 'EUR' }, amount: 5_500 };
  const { undo: entries } = await done<Bulk>(salon.owner.mutate('catalog.bulk.set_prices', { changes: [change] }));
  expect(await done(undo(salon, entries))).toEqual({ changed: 1 });
  expect(await db().service.findFirst({ where: { id: service.id } })).toMatchObject({ priceAmount: 5_000, version: 3 });

  const price = { priceAmount: 7_000, priceCurrency: 'EUR' };
  const [cut, dye] = await Promise.all([
    makeService(salon.tenant.id, price),
    makeService(salon.tenant.id, { ...price, name: { en: 'Dye' } }),
  ]);
  const raise = (id: string, from: number, amount: number) => ({
    id,
    before: { amount: from, currency: 'EUR' },
    amount,
  });
  const set = (...changes: object[]) => done<Bulk>(salon.owner.mutate('catalog.bulk.set_prices', { changes }));
  const { undo: both } = await set(raise(cut.id, 7_000, 7_350), raise(dye.id, 7_000, 7_350));
  await set(raise(dye.id, 7_350, 9_000));
  expect(await undo(salon, both)).toMatchObject({
    status: 409,
    error: { code: 'version_conflict', message: 'Nothing was undone: Dye changed since, or undone before.' },
  });
  const amounts = await db().service.findMany({
    where: { id: { in: [cut.id, dye.id] } },
    orderBy: { priceAmount: 'asc' },
  });
  expect(amounts.map(({ priceAmount }) => priceAmount)).toEqual([7_350, 9_000]);
});

test('a created, changed, or deleted block is undone from its entry, once', async () => {
  const salon = await makeCatalog();
  const subject = { specialist_id: salon.ids[0] ?? '', location_id: null };
  const block = { from: `${dayAhead()}T12:00`, to: `${dayAhead()}T13:00`, repeat: null, reason: 'Dentist' };
  const { owner } = salon;
  const create = async () => (await done<{ id: string }>(owner.mutate('blocks.create', { subject, block }))).id;
  const latest = async (id: string) => (await lines(salon, id))[0]?.id ?? '';
  const blocks = () => db().block.findMany({ where: { tenantId: salon.tenant.id } });

  const made = await create();
  expect(await done(undo(salon, [await latest(made)]))).toEqual({ changed: 1 });
  expect(await blocks()).toEqual([]);

  const moved = await create();
  const first = await latest(moved);
  const later = { ...block, to: `${dayAhead()}T14:00` };
  await done(owner.mutate('blocks.update', { id: moved, expected_version: 1, block: later }));
  expect(await undo(salon, [first])).toMatchObject(CHANGED);
  expect(await done(undo(salon, [await latest(moved)]))).toEqual({ changed: 1 });
  expect(await blocks()).toMatchObject([{ id: moved, version: 3, endsAt: new Date(`${dayAhead()}T13:00:00Z`) }]);

  await done(owner.mutate('blocks.delete', { id: moved, expected_version: 3 }));
  const deleted = await latest(moved);
  const { reference } = await salon.book('12:30');
  const { affected } = await done<Unconfirmed>(undo(salon, [deleted]));
  expect(affected.first).toMatchObject([{ reference }]);
  expect(await done(undo(salon, [deleted], affected.digest))).toEqual({ changed: 1 });
  expect(await blocks()).toMatchObject([{ version: 1, reason: 'Dentist', specialistId: salon.ids[0] }]);
  expect(await undo(salon, [deleted])).toMatchObject(CHANGED);
  const [restored] = await blocks();
  expect((await auditOf(restored?.id ?? '')).at(-1)).toMatchObject({
    action: 'block.created',
    after: { undo_of: deleted, reason: 'Dentist' },
  });
});

test('only owners undo, and only changes of their own business', async () => {
  const [salon, other] = [await makeCatalog(), await makeCatalog()];
  const closure = { location_ids: [salon.location.id], from: dayAhead(20), to: dayAhead(20), note: null };
  const { undo: entries } = await done<Bulk>(salon.owner.mutate('catalog.bulk.close', closure));
  expect(await undo(other, entries)).toMatchObject({ status: 404, error: { code: 'not_found' } });
  expect(await undo(salon, ['aud_00000000000000000000000000'])).toMatchObject({ status: 404 });
});

describe('public holidays', () => {
  type Holidays = {
    country: string;
    regions: { code: string; name: string }[];
    holidays: { date: string; name: string; closed: string[] }[];
  };
  const list = (salon: Catalog, country: string | null, region: string | null, year = 2030) =>
    salon.owner.query('catalog.holidays', { country, region, year });

  test('are those of the country and region, with the locations that are closed', async () => {
    const salon = await makeCatalog();
    const closed = { date: new Date('2030-12-25T00:00:00Z'), hours: [], note: null };
    const special = {
      date: new Date('2030-12-26T00:00:00Z'),
      hours: [{ opens: '10:00', closes: '12:00' }],
      note: null,
    };
    const locationId = salon.location.id;
    await db().locationException.createMany({ data: [closed, special].map((one) => ({ ...one, locationId })) });
    const germany = await done<Holidays>(list(salon, null, null));
    expect(germany.country).toBe('DE');
    const christmas = { date: '2030-12-25', name: 'Christmas Day', closed: [locationId] };
    expect(germany.holidays).toContainEqual(christmas);
    expect(germany.holidays).toContainEqual({ date: '2030-12-26', name: 'Boxing Day', closed: [] });
    expect(germany.holidays.map(({ date }) => date)).not.toContain('2030-01-06');
    const bavaria = await done<Holidays>(list(salon, 'DE', 'BY'));
    expect(bavaria.holidays).toContainEqual({ date: '2030-01-06', name: 'Epiphany', closed: [] });
    expect(bavaria.regions).toContainEqual({ code: 'BY.A', name: 'Bayern, Stadt Augsburg' });
    expect((await done<Holidays>(list(salon, 'DE', 'BY.A'))).holidays.map(({ date }) => date)).toContain('2030-08-08');
    // Several days, of which the package counts the evening before as a part.
    const turkey = (await done<Holidays>(list(salon, 'TR', null, 2027))).holidays.map(({ date }) => date);
    expect(turkey.filter((date) => date.startsWith('2027-03'))).toEqual(['2027-03-09', '2027-03-10', '2027-03-11']);
    // From noon on, which does not close a day.
    expect((await done<Holidays>(list(salon, 'IS', null))).holidays.map(({ date }) => date)).not.toContain(
      '2030-12-24',
    );
  });

  test('of a year in the past or an unknown country are refused or empty', async () => {
    const salon = await makeCatalog();
    expect((await done<Holidays>(list(salon, 'DE', null, 2001))).holidays).toEqual([]);
    expect(await list(salon, 'ZZ', null)).toMatchObject({ status: 400, error: { fields: [{ path: 'country' }] } });
    expect(await list(salon, 'DE', 'XX')).toMatchObject({ status: 400, error: { fields: [{ path: 'region' }] } });
    expect(await list(salon, 'DE', null, 1999)).toMatchObject({ status: 400, error: { fields: [{ path: 'year' }] } });
  });
});
