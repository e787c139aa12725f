import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { eventsOf } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectIntact } from '@/tests/support/invariants';
import { addEndpoint } from '@/tests/support/webhooks';
import { makeMember } from './applications-people';

async function makeFrontDesk(options?: Parameters<typeof makeDesk>[0]) {
  const house = await makeDesk(options);
  const desk = await makeMember(house.tenant.id, 'FRONT_DESK', 'Dora Desk');
  const wanted = { service_id: house.service.id, location_id: house.location.id };
  const input = (start_time: string, more: object = {}) => ({
    key: randomBytes(16).toString('hex'),
    ...wanted,
    date: dayAhead(),
    start_time,
    customer: CUSTOMER,
    price_amount: null,
    ...more,
  });
  const make = (start_time: string, more?: object) => desk.mutate('bookings.create', input(start_time, more));
  const made = async (start_time: string, more?: object) => {
    const reply = await make(start_time, more);
    expect(reply).toMatchObject({ status: 200 });
    return (reply.data as { reference: string }).reference;
  };
  const check = async (start_time: string, more: object = {}) =>
    (await desk.query('bookings.check_new', { ...wanted, date: dayAhead(), start_time, ...more })).data;
  return { ...house, desk, wanted, input, make, made, check };
}

const rowOf = (reference: string) => db().booking.findUniqueOrThrow({ where: { reference } });
const taken = { status: 409, error: { code: 'booking_unavailable', reason: 'slot_taken' } };
const refusedFor = (reason: string, path = 'start_time') => ({
  status: 409,
  error: { code: 'booking_unavailable', reason, fields: [{ path }] },
});

test('a caller is booked: the time is taken for partners, who see neither the booking nor its events', async () => {
  const house = await makeFrontDesk();
  const { tenant, applicationId, made, desk, wanted, ids } = house;
  await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:3999/hooks');
  const reference = await made('10:00');
  const { externalReference, ...row } = await rowOf(reference);
  expect(row).toMatchObject({ source: 'business', applicationId: null, version: 1, consentSource: 'business' });
  expect(externalReference).toMatch(/^B-[0-9A-Z]{6}$/);
  expect((await house.starts()).includes('10:00')).toBe(false);
  expect(await house.create(house.body('10:00'))).toMatchObject(taken);
  const move = { expected_version: 1, date: dayAhead(), start_time: '12:00' };
  const hidden = { status: 404, error: { code: 'not_found' } };
  expect(await house.read(reference)).toMatchObject(hidden);
  expect(await house.cancel(reference)).toMatchObject(hidden);
  expect(await house.reschedule(reference, move)).toMatchObject(hidden);
  expect(await house.slots({ ...wanted, date: dayAhead(), exclude_reference: reference })).toMatchObject(hidden);
  expect((await house.find({ external_reference: externalReference })).data.bookings).toEqual([]);

  expect(await desk.mutate('bookings.reschedule', { reference, ...move })).toMatchObject({ status: 200 });
  expect((await house.starts()).includes('10:00')).toBe(true);
  const cancel = { reference, expected_version: 2, action: 'cancel', cancel_reason: 'customer_request' };
  expect(await desk.mutate('bookings.change', cancel)).toMatchObject({ status: 200, data: { version: 3 } });
  expect((await house.starts()).includes('12:00')).toBe(true);
  expect((await eventsOf(reference)).map(({ type, actor }) => [type, actor])).toEqual([
    ['booking.created', 'owner'],
    ['booking.rescheduled', 'owner'],
    ['booking.cancelled', 'owner'],
  ]);
  expect(await db().event.count({ where: { bookingReference: reference, applicationId: null } })).toBe(3);
  expect(await db().delivery.count({ where: { applicationId } })).toBe(0);
  const entries = await db().auditLog.findMany({ where: { objectId: reference, action: 'booking.created' } });
  expect(entries).toMatchObject([
    { after: { version: 1, service: 'Haircut', date: dayAhead(), start_time: '10:00', specialist_id: ids[0] } },
  ]);
  expect((await desk.query('bookings.get', { reference })).data).toMatchObject({
    application: null,
    change_deadline: null,
    timeline: [{ by: 'Dora Desk' }, { by: 'Dora Desk' }, { by: 'Dora Desk', type: 'booking.created' }],
  });
  expect((await desk.query('bookings.list', { reference: externalReference.toLowerCase() })).data).toMatchObject({
    bookings: [{ reference, application: null }],
  });
  await expectIntact(tenant.id);
});

test('a double click books once, and the key of a form makes no second booking', async () => {
  const { tenant, desk, input } = await makeFrontDesk({ specialists: 3 });
  const sent = input('10:00');
  const replies = await Promise.all(Array.from({ length: 3 }, () => desk.mutate('bookings.create', sent)));
  const references = replies.map(({ status, data }) => [status, (data as { reference: string }).reference]);
  expect(new Set(references.map(String)).size).toBe(1);
  expect(await db().booking.count({ where: { tenantId: tenant.id } })).toBe(1);
  const other = { ...sent, start_time: '11:00' };
  expect(await desk.mutate('bookings.create', other)).toMatchObject({ error: { code: 'idempotency_key_reused' } });
  // The same key in another tenant is another booking.
  const neighbor = await makeFrontDesk();
  const reply = await neighbor.make('10:00', { key: sent.key });
  expect(reply.status).toBe(200);
  expect(reply.data).not.toEqual(replies[0]?.data);
  await expectIntact(tenant.id);
});

test('outside the rules, the business books only after a confirmation that names each of them, and never over a claim', async () => {
  const { tenant, book, make, made, check, ids } = await makeFrontDesk({ service: { maxAdvanceDays: 5 } });
  expect(await check('10:00')).toEqual({ broken: ['max_advance'], refusal: null });
  expect(await check('20:07')).toEqual({ broken: ['max_advance', 'outside_schedule'], refusal: null });
  expect(await make('20:07')).toMatchObject(refusedFor('max_advance'));
  expect(await make('20:07', { confirmed: ['max_advance'] })).toMatchObject(refusedFor('outside_schedule'));
  const confirmed = ['max_advance', 'outside_schedule', 'lead_time'];
  const reference = await made('20:07', { confirmed });
  const [entry] = await db().auditLog.findMany({ where: { objectId: reference } });
  expect(entry?.after).toMatchObject({ start_time: '20:07', broken_rules: ['max_advance', 'outside_schedule'] });
  expect(await make('20:15', { confirmed })).toMatchObject(taken);
  expect(await check('20:15')).toEqual({ broken: ['max_advance', 'outside_schedule'], refusal: 'slot_taken' });
  // A walk-in, entered a day late.
  const late = { date: dayAhead(-1), confirmed };
  expect(await check('10:00', { date: dayAhead(-1) })).toEqual({ broken: ['lead_time'], refusal: null });
  await made('10:00', late);
  expect(await make('10:00', late)).toMatchObject(taken);
  const soon = await book('10:00', { date: dayAhead(3) });
  expect(await make('10:00', { date: dayAhead(3), confirmed })).toMatchObject(taken);
  expect(soon.specialist_id).toBe(ids[0]);
  await expectIntact(tenant.id);
});

test('inside a block, the business books after a confirmation that names the block, and never over a claim', async () => {
  const { tenant, make, made, check, ids } = await makeFrontDesk();
  const owner = await makeMember(tenant.id, 'OWNER', 'Olga Owner');
  const block = async (specialist_id: string | null, from: string, to: string) => {
    const times = { from: `${dayAhead()}T${from}`, to: `${dayAhead()}T${to}`, repeat: null, reason: null };
    const input = { subject: { specialist_id, location_id: null }, block: times };
    expect(await owner.mutate('blocks.create', input)).toMatchObject({ status: 200 });
  };
  await block(ids[0] ?? null, '10:00', '13:00');
  await block(null, '20:00', '23:00');
  expect(await check('10:00')).toEqual({ broken: ['blocked'], refusal: null });
  expect(await make('10:00')).toMatchObject(refusedFor('outside_schedule'));
  expect(await make('10:00', { confirmed: ['outside_schedule'] })).toMatchObject(refusedFor('outside_schedule'));
  const reference = await made('10:00', { confirmed: ['blocked'] });
  const [entry] = await db().auditLog.findMany({ where: { objectId: reference } });
  expect(entry?.after).toMatchObject({ start_time: '10:00', broken_rules: ['blocked'] });
  expect(await check('10:00')).toEqual({ broken: ['blocked'], refusal: 'slot_taken' });
  expect(await make('10:00', { confirmed: ['blocked'] })).toMatchObject(taken);
  expect(await check('14:10')).toEqual({ broken: ['outside_schedule'], refusal: null });
  expect(await check('20:07')).toEqual({ broken: ['outside_schedule', 'blocked'], refusal: null });
  expect(await make('20:07', { confirmed: ['outside_schedule'] })).toMatchObject(refusedFor('outside_schedule'));
  await made('20:07', { confirmed: ['outside_schedule', 'blocked'] });
  await expectIntact(tenant.id);
});

test('refuses bad input by field', async () => {
  const { make, wanted } = await makeFrontDesk();
  const refusal = async (more: object) => {
    const { status, error } = await make('10:00', more);
    return [status, ...(error?.fields ?? []).map(({ path }: { path: string }) => path)];
  };
  expect(await refusal({ key: 'no uuid' })).toEqual([400, 'key']);
  expect(await refusal({ date: dayAhead(-7) })).toEqual([400, 'date']);
  expect(await refusal({ date: dayAhead(1_826) })).toEqual([400, 'date']);
  expect(await refusal({ note: 'x'.repeat(501) })).toEqual([400, 'note']);
  expect(await refusal({ note: 'a\u0007b' })).toEqual([400, 'note']);
  expect(await refusal({ customer: { ...CUSTOMER, email: 'robin' } })).toEqual([400, 'customer.email']);
  expect(await refusal({ price_amount: 100 })).toEqual([400, 'price_amount']);
  expect(await refusal({ confirmed: ['slot_taken'] })).toEqual([400, 'confirmed.0']);
  const consent = { ...CUSTOMER, consent_to_contact: false };
  expect(await refusal({ customer: consent })).toEqual([400, 'customer.consent_to_contact']);
  expect(await refusal({ ...wanted, service_id: newId('svc') })).toEqual([404]);
  expect(await refusal({ specialist_id: newId('spc') })).toEqual([404]);
});

test('the price can be changed, and the note and the email address are shown and erased with the contact', async () => {
  const { desk, made } = await makeFrontDesk({ service: { priceAmount: 4_900, priceCurrency: 'EUR' } });
  const note = 'Sits in a wheelchair.\nSide door.';
  const customer = { ...CUSTOMER, email: 'robin@example.com' };
  const reference = await made('10:00', { note, customer, price_amount: 3_900 });
  expect((await desk.query('bookings.get', { reference })).data).toMatchObject({
    price: { amount: 3_900, currency: 'EUR' },
  });
  const shown = await desk.mutate('bookings.contact', { reference });
  const contact = { name: CUSTOMER.name, phone: '+493055501234', locale: null, metadata: null };
  expect(shown.data).toEqual({ customer: { ...contact, note, email: customer.email } });
  const { note: sealed } = await rowOf(reference);
  expect(Buffer.from(sealed ?? []).includes('wheelchair')).toBe(false);
  // A server of an earlier version erases only the contact.
  await pool().query('UPDATE bookings SET customer_name = NULL, customer_phone = NULL WHERE reference = $1', [
    reference,
  ]);
  expect(await rowOf(reference)).toMatchObject({ note: null, customerEmail: null, phoneHash: null });
});

test('a customer is found by phone, and the view is audited', async () => {
  const { book, desk, made } = await makeFrontDesk();
  expect((await desk.mutate('bookings.find_customer', { national: '030 5550 1234' })).data).toEqual({
    name: null,
    phone: '+493055501234',
  });
  const { reference } = await book('10:00');
  const find = () => desk.mutate('bookings.find_customer', { phone: '+49 30 5550 1234' });
  expect((await find()).data).toEqual({ name: CUSTOMER.name, phone: '+493055501234' });
  expect(await db().auditLog.count({ where: { objectId: reference, action: 'booking.contact_viewed' } })).toBe(1);
  const later = await made('12:00', { customer: { ...CUSTOMER, name: 'Robin Later' } });
  expect((await find()).data).toMatchObject({ name: 'Robin Later' });
  await desk.mutate('bookings.set_consent_withdrawn', { reference: later, withdrawn: true });
  expect((await find()).data).toMatchObject({ name: CUSTOMER.name });
});

test('partners and the business want the same seats at the same moment: each seat is sold once', async () => {
  const { tenant, create, body, make } = await makeFrontDesk({ specialists: 2 });
  const replies = await Promise.all(
    Array.from({ length: 3 }, (_, index) => [
      create(body('10:00', { external_reference: `order-${index}` })),
      make('10:00'),
    ]).flat(),
  );
  expect(replies.filter(({ status }) => status < 300)).toHaveLength(2);
  for (const { status, error } of replies) if (status >= 300) expect({ status, error }).toMatchObject(taken);
  expect(await db().booking.count({ where: { tenantId: tenant.id } })).toBe(2);
  await expectIntact(tenant.id);
});

test('the choices contain what a published specialist offers at the location', async () => {
  const { desk, service, location, specialists } = await makeFrontDesk();
  const choices = async () => (await desk.query('bookings.new_choices', {})).data;
  expect(await choices()).toMatchObject({
    location_id: location.id,
    locations: [{ id: location.id }],
    services: [{ id: service.id, name: 'Haircut', duration_minutes: service.durationMinutes }],
  });
  expect(specialists).toHaveLength(1);
  expect(
    (await desk.query('bookings.new_slots', { service_id: service.id, location_id: location.id, date: dayAhead() }))
      .data,
  ).toMatchObject({ specialists: [{ id: specialists[0]?.id }], next_date: null });
});
