import { describe, expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { dayAhead } from '@/tests/support/bookings';
import { auditOf, done, makeCatalog } from '../control-center/catalog-records';

type Saved = { id: string; version: number };
type Unconfirmed = { affected: { count: number; complete: boolean; first: { reference: string }[]; digest: string } };
type Catalog = Awaited<ReturnType<typeof makeCatalog>>;

const block = (from: string, to: string, more: object = {}) => ({
  from: `${dayAhead()}T${from}`,
  to: `${dayAhead()}T${to}`,
  repeat: null,
  reason: null,
  ...more,
});
const nobody = { specialist_id: null, location_id: null };
const ofSpecialist = ({ ids }: Catalog, index = 0) => ({ ...nobody, specialist_id: ids[index] ?? '' });
const create = ({ owner }: Catalog, subject: object, of: object, confirmed = 'none') =>
  owner.mutate('blocks.create', { subject, block: of, confirmed });

describe('a block', () => {
  test('of a specialist closes the time for availability, creates, and reschedules', async () => {
    const salon = await makeCatalog({ service: { durationMinutes: 60, slotIntervalMinutes: 60 } });
    const { owner, starts, book, partner, body } = { ...salon, partner: salon };
    const booking = await book('09:00');
    const all = await starts();
    expect(all).toEqual(expect.arrayContaining(['12:00', '13:00', '14:00']));
    const { id } = await done<Saved>(
      create(salon, ofSpecialist(salon), block('12:30', '14:00', { reason: 'A private reason' })),
    );

    expect(await starts()).toEqual(all.filter((start) => !['12:00', '13:00'].includes(start)));
    const refusal = { status: 409, error: { code: 'booking_unavailable', reason: 'outside_schedule' } };
    for (const start of ['12:00', '13:00']) {
      const reply = await partner.create(body(start));
      expect(reply).toMatchObject(refusal);
      expect(reply.text).not.toMatch(/private|block/);
      const move = { expected_version: 1, date: dayAhead(), start_time: start };
      expect(await partner.reschedule(booking.reference, move)).toMatchObject(refusal);
      const at = { reference: booking.reference, date: dayAhead(), start_time: start, specialist_id: null };
      expect(await owner.mutate('bookings.reschedule', { ...at, expected_version: 1 })).toMatchObject(refusal);
      expect(await owner.query('bookings.check_move', at)).toMatchObject({ data: { reason: 'outside_schedule' } });
    }
    expect((await partner.create(body('14:00'))).status).toBe(201);

    await done(owner.mutate('blocks.delete', { id, expected_version: 1 }));
    expect((await partner.create(body('12:00'))).status).toBe(201);
    expect(await auditOf(id)).toMatchObject([
      { action: 'block.created', after: { reason: 'A private reason', version: 1 } },
      { action: 'block.deleted', before: { reason: 'A private reason', version: 1 } },
    ]);
  });

  test('of one of two specialists leaves the other, of the location or the business leaves nobody', async () => {
    const salon = await makeCatalog({
      specialists: 2,
      service: { durationMinutes: 60, slotIntervalMinutes: 60 },
    });
    const { starts, book, slotAt, location } = salon;
    await done(create(salon, ofSpecialist(salon), block('10:00', '11:00')));
    expect((await slotAt('10:00'))?.specialist_ids).toEqual([salon.ids[1]]);
    expect((await book('10:00')).specialist_id).toBe(salon.ids[1]);
    await done(create(salon, { ...nobody, location_id: location.id }, block('11:00', '12:00')));
    await done(create(salon, nobody, block('12:00', '13:00')));
    expect(await starts()).not.toEqual(expect.arrayContaining(['11:00']));
    expect(await starts()).not.toEqual(expect.arrayContaining(['12:00']));
    expect(await starts()).toEqual(expect.arrayContaining(['09:00', '13:00']));
    for (const start of ['11:00', '12:00'])
      expect((await salon.create(salon.body(start))).error).toMatchObject({ reason: 'outside_schedule' });
  });

  test('lists the bookings inside before it is saved, and removes none', async () => {
    const salon = await makeCatalog({ service: { durationMinutes: 30, slotIntervalMinutes: 30 } });
    const inside = [(await salon.book('10:00')).reference, (await salon.book('11:30')).reference];
    await salon.book('12:00');
    const wanted = block('10:15', '12:00');
    const { affected } = await done<Unconfirmed>(create(salon, ofSpecialist(salon), wanted));
    expect(affected).toMatchObject({ count: 2, complete: true });
    expect(affected.first.map(({ reference }) => reference)).toEqual(inside);
    expect(await db().block.count({ where: { tenantId: salon.tenant.id } })).toBe(0);

    const late = (await salon.book('11:00')).reference;
    const again = await done<Unconfirmed>(create(salon, ofSpecialist(salon), wanted, affected.digest));
    expect(again.affected.first.map(({ reference }) => reference)).toEqual([inside[0], late, inside[1]]);
    const saved = await done<Saved>(create(salon, ofSpecialist(salon), wanted, again.affected.digest));
    for (const reference of [...inside, late])
      expect((await salon.read(reference)).data.booking).toMatchObject({ status: 'confirmed', version: 1 });

    // Bookings that were inside before need no second confirmation.
    const update = (change: object, version: number) =>
      salon.owner.mutate('blocks.update', {
        id: saved.id,
        expected_version: version,
        block: change,
        confirmed: 'none',
      });
    expect(await done<Saved>(update({ ...wanted, reason: 'Dentist' }, 1))).toEqual({ id: saved.id, version: 2 });
    expect(await done<Unconfirmed>(update(block('10:15', '12:30'), 2))).toMatchObject({ affected: { count: 1 } });
    expect(await update(wanted, 1)).toMatchObject({ status: 409, error: { code: 'version_conflict' } });
    await done(update(block('15:00', '16:00'), 2));
    expect(await salon.starts()).toEqual(expect.arrayContaining(['10:30']));
    expect(await salon.starts()).not.toEqual(expect.arrayContaining(['15:00']));
  });

  test('repeats every n weeks on weekdays until a date', async () => {
    const salon = await makeCatalog({ service: { durationMinutes: 60, slotIntervalMinutes: 60 } });
    const weekday = ((new Date(dayAhead()).getUTCDay() + 6) % 7) + 1;
    const repeat = { every_weeks: 2, weekdays: [weekday], until: dayAhead(7 + 28) };
    await done(create(salon, ofSpecialist(salon), block('10:00', '11:00', { repeat })));
    const free = async (days: number) => (await salon.starts({ date: dayAhead(days) })).includes('10:00');
    const days = [7, 8, 14, 21, 28, 35, 42, 49];
    expect(await Promise.all(days.map(free))).toEqual([false, true, true, false, true, false, true, true]);
    const { data } = await salon.owner.query('blocks.list', ofSpecialist(salon));
    expect(data).toMatchObject({ blocks: [{ repeat, version: 1, source: 'owner' }], truncated: false });
  });

  test('is refused with the field that is wrong', async () => {
    const salon = await makeCatalog();
    const repeat = { every_weeks: 1, weekdays: [1, 2, 3, 4, 5, 6, 7], until: dayAhead(20) };
    const WRONG: [object, string][] = [
      [{ to: `${dayAhead()}T10:00` }, 'block.to'],
      [{ to: `${dayAhead(400)}T10:00` }, 'block.to'],
      [{ from: '2030-02-30T10:00' }, 'block.from'],
      [{ reason: 'a'.repeat(201) }, 'block.reason'],
      [{ reason: ' ' }, 'block.reason'],
      [{ repeat: { ...repeat, every_weeks: 53 } }, 'block.repeat.every_weeks'],
      [{ repeat: { ...repeat, weekdays: [] } }, 'block.repeat.weekdays'],
      [{ repeat: { ...repeat, weekdays: [1, 1] } }, 'block.repeat.weekdays'],
      [{ repeat: { ...repeat, until: dayAhead() }, to: `${dayAhead(9)}T10:00` }, 'block.to'],
      [{ repeat: { ...repeat, until: dayAhead(6) } }, 'block.repeat.until'],
      [{ repeat: { ...repeat, until: dayAhead(800) } }, 'block.repeat.until'],
    ];
    for (const [change, path] of WRONG) {
      const reply = await create(salon, nobody, block('10:00', '11:00', change));
      expect(reply).toMatchObject({ status: 400, error: { code: 'invalid_request' } });
      expect(reply.error?.fields.map((field) => field.path)).toEqual([path]);
    }
    const both = { specialist_id: salon.ids[0], location_id: salon.location.id };
    expect(await create(salon, both, block('10:00', '11:00'))).toMatchObject({ status: 400 });
  });
});
