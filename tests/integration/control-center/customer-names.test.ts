import { expect, test } from 'vitest';
import { hashContacts } from '@/lib/booking/bookings/hash-contacts';
import { db, pool } from '@/lib/platform/db';
import { bookingRow } from '@/tests/support/booking-rows';
import { CUSTOMER, makeDesk } from '@/tests/support/bookings';
import { moveToPast } from '@/tests/support/past';
import { makeMember } from './applications-people';

type Named = { names: { reference: string; name: string }[] };
type Found = Named & { bookings: { reference: string }[]; truncated: boolean };

async function makeHouse({ shown = true } = {}) {
  const house = await makeDesk();
  const { id } = house.tenant;
  const [owner, desk, support] = [
    await makeMember(id, 'OWNER', 'Olga Owner'),
    await makeMember(id, 'FRONT_DESK', 'Dora Desk'),
    await makeMember(id, 'SUPPORT', 'Sam Support'),
  ];
  if (shown) expect((await owner.mutate('privacy.set_names', { shown })).status).toBe(200);
  const names = (references: string[], who = desk, view = 'day') => who.mutate('bookings.names', { view, references });
  const found = async (name: string) => {
    const reply = await desk.mutate('bookings.find_by_name', { name });
    expect(reply).toMatchObject({ status: 200 });
    return (reply.data as Found).bookings.map(({ reference }) => reference);
  };
  const named = (start_time: string, name: string) => house.book(start_time, { customer: { ...CUSTOMER, name } });
  const entries = (action: string) => db().auditLog.findMany({ where: { tenantId: id, action } });
  return { ...house, owner, desk, support, names, found, named, entries };
}

test('names are shown only after an owner switches them on, and each view and the switch are audited', async () => {
  const { tenant, owner, desk, support, names, book, named, entries } = await makeHouse({ shown: false });
  const [{ reference }, other] = [await book('10:00'), await named('11:00', 'Zoë Meßner')];
  const stranger = await makeHouse();
  const theirs = await stranger.book('10:00');
  expect((await names([reference])).data).toEqual({ names: [] });
  expect((await desk.query('bookings.names_shown', undefined)).data).toEqual({ shown: false });
  expect(await desk.mutate('bookings.find_by_name', { name: 'Robin' })).toMatchObject({ status: 403 });
  expect(await desk.mutate('privacy.set_names', { shown: true })).toMatchObject({ status: 403 });
  expect(await entries('customer_names.viewed')).toEqual([]);

  for (let run = 0; run < 2; run += 1) await owner.mutate('privacy.set_names', { shown: true });
  expect(await entries('customer_names.changed')).toMatchObject([
    { objectId: tenant.id, before: { customer_names: false }, after: { customer_names: true } },
  ]);
  const { data } = await names([reference, other.reference, theirs.reference]);
  expect(new Set((data as Named).names.map(({ name }) => name))).toEqual(new Set([CUSTOMER.name, 'Zoë Meßner']));
  const [entry, ...more] = await entries('customer_names.viewed');
  expect(more).toEqual([]);
  expect(entry).toMatchObject({ objectKind: 'tenant', objectId: tenant.id, after: { view: 'day', bookings: 2 } });
  expect(JSON.stringify(entry)).not.toMatch(/Sample|Zo/);
  expect(await names([reference], support)).toMatchObject({ status: 403 });
  expect(await names([])).toMatchObject({ status: 400, error: { fields: [{ path: 'references' }] } });

  // Nothing else that a member reads contains a name.
  const lists = await Promise.all([
    desk.query('bookings.list', {}),
    desk.query('bookings.day', { location_id: null, date: other.date }),
    desk.query('bookings.week', { location_id: null, date: other.date }),
    owner.query('overview.today', undefined),
    owner.query('audit.list', {}),
  ]);
  for (const { status, data: list } of lists) {
    expect(status).toBe(200);
    expect(JSON.stringify(list)).not.toMatch(/Robin Sample|Zoë/);
  }
});

test('bookings are found by the words of the name, within 90 days, and the search is audited', async () => {
  const { named, desk, found, cancel, entries } = await makeHouse();
  const [past, old] = [await named('09:00', 'Zoe Messner'), await named('09:30', 'Zoe Messner')];
  await moveToPast(past.reference, 80);
  await moveToPast(old.reference, 100);
  const next = await named('10:00', 'Zoë Meßner');
  const canceled = await named('11:00', 'Meßner, Zoë Anna');
  await cancel(canceled.reference);
  await named('12:00', 'Zoltan Messner');
  const stranger = await makeHouse();
  await stranger.named('10:00', 'Zoë Meßner');
  expect(await found('zoe MESSNER')).toEqual([next, past, canceled].map(({ reference }) => reference));
  expect(await found('Anna')).toEqual([canceled.reference]);
  expect(await found('Mess')).toEqual([]);
  const reply = await desk.mutate('bookings.find_by_name', { name: 'Anna' });
  expect((reply.data as Found).names).toEqual([{ reference: canceled.reference, name: 'Meßner, Zoë Anna' }]);
  const audited = await entries('booking.found_by_name');
  const opened = [next, canceled, canceled].map(({ reference }) => reference);
  expect(audited.map(({ objectId }) => objectId).sort()).toEqual(opened.sort());
  expect(JSON.stringify(audited)).not.toMatch(/Anna|Zo|Mess/i);
  for (const name of ['a', '!?', '', 'x'.repeat(201)])
    expect(await desk.mutate('bookings.find_by_name', { name })).toMatchObject({
      status: 400,
      error: { fields: [{ path: 'name' }] },
    });
});

test('withdrawn consent hides the name, and anonymization erases the hashes', async () => {
  const { book, desk, names, found } = await makeHouse();
  const [one, two] = [await book('10:00'), await book('11:00')];
  await desk.mutate('bookings.set_consent_withdrawn', { reference: one.reference, withdrawn: true });
  expect((await names([one.reference])).data).toEqual({ names: [] });
  expect(await found('Robin')).toEqual([two.reference]);
  // A server of an earlier version erases only the contact.
  await pool().query('UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = $1', [
    two.reference,
  ]);
  expect(await bookingRow(two.reference)).toMatchObject({ name_hashes: null, phone_hash: null });
  expect(await found('Robin')).toEqual([]);
});

test('the job computes the hashes of bookings from an earlier version', async () => {
  const { tenant, book, named, found } = await makeHouse();
  const [one, nameless] = [await book('10:00'), await named('11:00', '🙂')];
  await pool().query('UPDATE bookings SET phone_hash = NULL, name_hashes = NULL WHERE tenant_id = $1', [tenant.id]);
  expect(await found('Robin')).toEqual([]);
  await hashContacts(new Date(), new AbortController().signal);
  expect(await found('Robin')).toEqual([one.reference]);
  expect(await bookingRow(nameless.reference)).toMatchObject({ name_hashes: [] });
});
