import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { dayAhead } from '@/tests/support/bookings';
import { daily } from '@/tests/support/schedules';
import { auditOf, done, editable, makeCatalog, type Saved } from './catalog-records';

type Affected = { count: number; complete: boolean; first: { reference: string; reason: string }[]; digest: string };
type Unconfirmed = { affected: Affected };

const referencesOf = ({ affected }: Unconfirmed) => affected.first.map(({ reference }) => reference);

test('does not save hours that put bookings outside them until the owner confirms exactly these bookings', async () => {
  const { owner, location, book } = await makeCatalog();
  await book('12:00');
  const early = await book('09:00');
  const { input } = await editable(owner, 'locations', location.id);
  const record = { ...input, hours: daily({ opens: '11:00', closes: '13:00' }) };
  const save = (confirmed: string) =>
    owner.mutate('catalog.locations.update', { id: location.id, expected_version: 1, record, confirmed });

  const seen = await done<Unconfirmed>(save('none'));
  expect(seen.affected).toMatchObject({ count: 1, complete: true });
  expect(seen.affected.first).toMatchObject([
    { reference: early.reference, reason: 'outside_hours', date: dayAhead(), start_time: '09:00' },
  ]);
  expect((await editable(owner, 'locations', location.id)).version).toBe(1);
  expect(await db().locationHours.count({ where: { locationId: location.id, opens: '11:00' } })).toBe(0);
  expect(await auditOf(location.id)).toEqual([]);

  const late = await book('15:00');
  const changed = await done<Unconfirmed>(save(seen.affected.digest));
  expect(referencesOf(changed)).toEqual([early.reference, late.reference]);
  const saved = await done<Saved>(save(changed.affected.digest));
  expect(saved).toMatchObject({ version: 2, outside: { upcoming: 3, count: 2 } });

  // Both bookings were already outside the opening hours before this change, so it needs no confirmation.
  const phone = { ...record, phone: '+49 30 5550 1234' };
  const next = { id: location.id, expected_version: 2, record: phone, confirmed: 'none' };
  expect(await done<Saved>(owner.mutate('catalog.locations.update', next))).toMatchObject({ version: 3 });
});

test('asks for confirmation of breaks, time off, closed dates, and removed services of a specialist', async () => {
  const { owner, specialists, location, service, book } = await makeCatalog();
  const id = specialists[0]?.id ?? '';
  const { reference } = await book('12:00');
  const date = dayAhead();
  const { input } = await editable(owner, 'specialists', id);
  const place = {
    location_id: location.id,
    service_ids: [service.id],
    hours: daily({ opens: '00:00', closes: '00:00' }),
  };
  const CHANGES: [object, string][] = [
    [{ breaks: daily({ opens: '12:00', closes: '13:00' }) }, 'outside_hours'],
    [{ time_off: [{ from: `${date}T00:00`, to: `${date}T13:00` }] }, 'outside_hours'],
    [{ workplaces: [{ ...place, exceptions: [{ date, hours: [], note: null }] }] }, 'outside_hours'],
    [{ workplaces: [{ ...place, service_ids: [] }] }, 'not_offered'],
  ];
  for (const [part, reason] of CHANGES) {
    const change = { id, expected_version: 1, record: { ...input, ...part }, confirmed: 'none' };
    const { affected } = await done<Unconfirmed>(owner.mutate('catalog.specialists.update', change));
    expect(affected.first).toMatchObject([{ reference, reason }]);
  }
  const remove = [{ specialist_id: id, location_id: location.id }];
  const same = (await editable(owner, 'services', service.id)).input;
  const change = { id: service.id, expected_version: 1, record: same, remove, confirmed: 'none' };
  const { affected } = await done<Unconfirmed>(owner.mutate('catalog.services.update', change));
  expect(affected.first).toMatchObject([{ reference, reason: 'not_offered' }]);
  expect(await db().specialist.findUnique({ where: { id } })).toMatchObject({ version: 1 });
  const confirmed = { ...change, confirmed: affected.digest };
  await done(owner.mutate('catalog.services.update', confirmed));
  expect(await db().specialist.findUnique({ where: { id } })).toMatchObject({ version: 2 });
});

test('lists the bookings that unpublishing affects before it is confirmed', async () => {
  const { owner, location, service, specialists, book } = await makeCatalog();
  const first = await book('10:00');
  const off = { expected_version: 1, published: false };
  for (const [kind, id, reason] of [
    ['services', service.id, 'service_unpublished'],
    ['locations', location.id, 'location_unpublished'],
    ['specialists', specialists[0]?.id, 'specialist_unpublished'],
  ] as const) {
    const seen = await done<Affected>(owner.query(`catalog.${kind}.unpublishing`, { id }));
    expect(seen).toMatchObject({ count: 1, first: [{ reference: first.reference, reason }] });
    const refused = await owner.mutate(`catalog.${kind}.set_published`, { ...off, id, confirmed: 'none' });
    expect(refused).toMatchObject({ status: 200, data: { affected: seen } });
  }
  const seen = await done<Affected>(owner.query('catalog.services.unpublishing', { id: service.id }));
  const second = await book('11:00');
  const change = { ...off, id: service.id, confirmed: seen.digest };
  const changed = await done<Unconfirmed>(owner.mutate('catalog.services.set_published', change));
  expect(referencesOf(changed)).toEqual([first.reference, second.reference]);
  const confirmed = { ...change, confirmed: changed.affected.digest };
  expect(await done<Saved>(owner.mutate('catalog.services.set_published', confirmed))).toMatchObject({ version: 2 });
});

test('saves a service and its offerings together or not at all', async () => {
  const { owner, service, specialists, location, book } = await makeCatalog({ specialists: 2 });
  const [first, second] = specialists;
  const { input } = await editable(owner, 'services', service.id);
  const record = { ...input, capacity: 3 };
  const change = { id: service.id, expected_version: 1, record, confirmed: 'none' };
  const pair = (specialist = first) => ({ specialist_id: specialist?.id, location_id: location.id });
  const save = (more: object) => owner.mutate('catalog.services.update', { ...change, ...more });

  const stranger = await makeCatalog();
  const unknown = { specialist_id: stranger.specialists[0]?.id, location_id: location.id };
  expect(await save({ add: [unknown] })).toMatchObject({ status: 400 });
  const { reference } = await book('10:00');
  const { affected } = await done<Unconfirmed>(save({ remove: [pair(), pair(second)] }));
  expect(affected.first).toMatchObject([{ reference, reason: 'not_offered' }]);
  const stored = () => db().service.findUnique({ where: { id: service.id }, include: { offerings: true } });
  expect(await stored()).toMatchObject({ version: 1, capacity: 1, offerings: [{}, {}] });

  const confirmed = affected.digest;
  const saved = await done<Saved>(save({ remove: [pair(), pair(second)], confirmed }));
  expect(saved).toMatchObject({ version: 2, outside: { count: 1 } });
  expect(await stored()).toMatchObject({ version: 2, capacity: 3, offerings: [] });
  expect(await save({})).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
});
