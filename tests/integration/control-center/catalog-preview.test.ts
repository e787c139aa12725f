import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { dayAhead } from '@/tests/support/bookings';
import { makeLocation, makeSpecialist } from '@/tests/support/factories';
import { until } from '@/tests/support/until';
import { makeMember } from './applications-people';
import { auditOf, done, editable, type Got, makeCatalog, type Saved } from './catalog-records';

type Preview = {
  slots: { start_time: string }[];
  refused: { from: string; reason: string }[];
  asked: { start_time: string; reason: string | null } | null;
  blockers: string[];
  specialists: object[];
  time_zone: string;
};

test('returns exactly the slots that partners receive for a day', async () => {
  const { owner, slots, service, location, book, ids } = await makeCatalog({ specialists: 3 });
  await book('10:00');
  await book('11:00', { specialist_id: ids[1] });
  const asked = { service_id: service.id, location_id: location.id, date: dayAhead() };
  const preview = await done<Preview>(owner.query('catalog.preview', asked));
  const reply = await slots({ ...asked, limit: 96 });
  expect(preview.slots).toEqual(reply.data.slots);
  expect(preview.slots).toHaveLength(16);
  expect(preview).toMatchObject({ blockers: [], time_zone: 'Europe/Berlin' });
  expect(preview.specialists).toHaveLength(3);
});

test('explains the starts without a slot like a refused create, also as of a past moment', async () => {
  const { owner, service, location, book, ids, create, body } = await makeCatalog({ specialists: 2 });
  for (const specialist_id of ids) await book('10:00', { specialist_id });
  const asked = { service_id: service.id, location_id: location.id, date: dayAhead() };
  const { refused } = await done<Preview>(owner.query('catalog.preview', asked));
  expect(refused).toContainEqual({
    ...{ from: '10:00', to: '10:00', count: 1, reason: 'slot_taken', more_specialists: 0 },
    specialists: [...ids].sort().map((id) => ({ id, reason: 'slot_taken' })),
  });
  const [night] = refused;
  expect(night).toMatchObject({ from: '00:00', reason: 'outside_schedule' });
  expect((await create(body('00:00'))).error.reason).toBe('outside_schedule');
  const past = { ...asked, at: '2020-01-01T00:00:00Z', start_time: '10:07', specialist_id: ids[0] };
  const then = await done<Preview>(owner.query('catalog.preview', past));
  expect(then).toMatchObject({ slots: [], asked: { start_time: '10:07', reason: 'max_advance' } });
  expect(then.refused).toMatchObject([{ from: '00:00', reason: 'max_advance' }]);
  const now = await done<Preview>(owner.query('catalog.preview', { ...past, at: null }));
  expect(now.asked).toEqual({ start_time: '10:07', reason: 'off_grid' });
});

test('previews unpublished records and names them as blockers', async () => {
  const { owner, service, location, tenant } = await makeCatalog();
  await done(owner.mutate('catalog.services.set_published', { id: service.id, expected_version: 1, published: false }));
  const date = dayAhead();
  const ask = (more: object) =>
    done<Preview>(owner.query('catalog.preview', { service_id: service.id, location_id: location.id, date, ...more }));
  const draft = await ask({});
  expect([draft.blockers, draft.slots.length]).toEqual([['service_unpublished'], 16]);
  const empty = await makeLocation(tenant.id, { published: false });
  expect(await ask({ location_id: empty.id })).toMatchObject({
    blockers: ['service_unpublished', 'location_unpublished', 'not_offered'],
    slots: [],
  });
  expect(await ask({ date: '2001-01-01' })).toMatchObject({ slots: [] });
});

test('returns 404 for records of another tenant and rejects an invalid date', async () => {
  const other = await makeCatalog();
  const { owner, service, location } = await makeCatalog();
  const asked = { service_id: service.id, location_id: location.id, date: dayAhead() };
  for (const wrong of [{ service_id: other.service.id }, { location_id: other.location.id }, { service_id: '\u0001' }])
    expect(await owner.query('catalog.preview', { ...asked, ...wrong })).toMatchObject({ status: 404 });
  const reply = await owner.query('catalog.preview', { ...asked, date: '2026-02-30' });
  expect(reply.error?.fields).toEqual([{ path: 'date', message: 'must be an existing date' }]);
});

test('changes the offerings of several specialists at once and rejects a stale edit of one of them', async () => {
  const { owner, tenant, service, location, specialists, starts, book } = await makeCatalog();
  const booking = await book();
  const first = specialists[0]?.id ?? '';
  const second = await makeSpecialist(tenant.id);
  const place = await makeLocation(tenant.id);
  const { input } = await editable(owner, 'specialists', second.id);
  const add = [
    { specialist_id: second.id, location_id: location.id },
    { specialist_id: second.id, location_id: place.id },
    { specialist_id: first, location_id: location.id },
  ];
  const remove = [{ specialist_id: first, location_id: location.id }];
  const same = (await editable(owner, 'services', service.id)).input;
  const change = async (more: object) =>
    done<Saved>(
      owner.mutate('catalog.services.update', { id: service.id, expected_version: 1, record: same, ...more }),
    );
  const versions = async () => {
    const found = await db().specialist.findMany({ where: { tenantId: tenant.id }, orderBy: { id: 'asc' } });
    return found.map(({ version }) => version);
  };
  expect(await change({ add })).toMatchObject({ version: 1, outside: { count: 0 } });
  expect(await versions()).toEqual([1, 2]);
  await change({ add });
  expect(await versions()).toEqual([1, 2]);
  const { record } = await done<Got<{ offered_by: object[] }>>(owner.query('catalog.services.get', { id: service.id }));
  expect(record.offered_by).toHaveLength(3);
  const { outside } = await change({ remove });
  expect(outside.first).toMatchObject([{ reference: booking.reference, reason: 'not_offered' }]);
  // Only the second specialist still offers the service at this location. This specialist has no working hours, so
  // there are no slots.
  await until(starts, (times) => times.length === 0);
  const stale = await owner.mutate('catalog.specialists.update', { id: second.id, expected_version: 1, record: input });
  expect(stale).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
  expect(await auditOf(second.id)).toMatchObject([{ action: 'specialist.updated', objectKind: 'specialist' }]);
});

test('lets only owners change offerings, and only of existing records', async () => {
  const other = await makeCatalog();
  const { owner, tenant, service, location, ids } = await makeCatalog();
  const pair = { specialist_id: ids[0], location_id: location.id };
  const { input: record } = await editable(owner, 'services', service.id);
  const same = { id: service.id, expected_version: 1, record };
  const change = (more: object) => owner.mutate('catalog.services.update', { ...same, ...more });
  for (const [wrong, path] of [
    [{ specialist_id: other.ids[0] }, 'specialist_id'],
    [{ specialist_id: '\u0001' }, 'specialist_id'],
    [{ location_id: other.location.id }, 'location_id'],
    [{ location_id: newId('loc') }, 'location_id'],
  ] as const)
    expect((await change({ add: [{ ...pair, ...wrong }] })).error?.fields).toMatchObject([{ path }]);
  expect(await change({ id: other.service.id, add: [pair] })).toMatchObject({ status: 404 });
  const support = await makeMember(tenant.id, 'SUPPORT');
  const reply = await support.mutate('catalog.services.update', { ...same, remove: [pair] });
  expect(reply).toMatchObject({ status: 403 });
  expect(await db().offering.count({ where: { tenantId: tenant.id } })).toBe(1);
});
