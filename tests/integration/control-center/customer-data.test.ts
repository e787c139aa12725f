import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { bookingEventPayload } from '@/lib/contract/events';
import { db, pool } from '@/lib/platform/db';
import { newId } from '@/lib/platform/ids';
import { CUSTOMER, dayAhead, makeDesk } from '@/tests/support/bookings';
import { moveToPast } from '@/tests/support/past';
import { until } from '@/tests/support/until';
import { addEndpoint } from '@/tests/support/webhooks';
import { makeMember } from './applications-people';

type Found = { bookings: { reference: string; name: string; optional: string[]; upcoming: boolean }[] };
type Erasure = {
  id: string;
  state: string;
  bookings: number;
  erased: number;
  counts: Record<string, number>;
  told: { bookings: number; webhooks: number }[];
};

const FULL = {
  customer: { ...CUSTOMER, email: 'robin@example.com', locale: 'de-DE' },
  note: 'Prefers a window seat',
  metadata: { campaign: 'spring' },
};

/** What would show that a text has data of the customer. */
const PERSONAL = /robin|sample|5550|example\.com|window|spring/i;

async function makeHouse() {
  const desk = await makeDesk({ service: { capacity: 5, priceAmount: 4900, priceCurrency: 'EUR' } });
  const owner = await makeMember(desk.tenant.id, 'OWNER', 'Olivia Owner');
  const call = (name: string, input?: object) => owner.mutate(`privacy.customer.${name}`, input);
  const find = async (search: object) => ((await call('find', search)).data as Found).bookings;
  const list = async () => ((await owner.query('privacy.customer.erasures')).data as { erasures: Erasure[] }).erasures;
  const erase = async (references: string[]) => {
    const reply = await call('erase', { found_by: 'phone', references, confirmation: 'ERASE' });
    expect(reply.status).toBe(200);
    const { id } = reply.data as { id: string };
    const done = await until(
      async () => (await list()).find((one) => one.id === id),
      (one) => one?.state === 'done',
    );
    return done as Erasure;
  };
  /** Books as the business. */
  const take = async (start_time: string) => {
    const input = {
      key: randomBytes(16).toString('hex'),
      service_id: desk.service.id,
      location_id: desk.location.id,
      date: dayAhead(),
      start_time,
      customer: FULL.customer.locale ? { ...CUSTOMER, email: 'robin@example.com' } : CUSTOMER,
      note: FULL.note,
      price_amount: 4900,
    };
    return ((await owner.mutate('bookings.create', input)).data as { reference: string }).reference;
  };
  const audited = (action: string) => db().auditLog.findMany({ where: { tenantId: desk.tenant.id, action } });
  return { ...desk, owner, call, find, list, erase, take, audited };
}

test('an owner finds everything of one number or name, and exports it completely', async () => {
  const house = await makeHouse();
  const partner = await house.book('10:00', FULL);
  const old = await house.book('10:30', { customer: { ...CUSTOMER, phone: '+49 (30) 5550.1234' } });
  await moveToPast(old.reference, 400);
  const own = await house.take('11:00');
  await house.book('12:00', { customer: { ...CUSTOMER, name: 'Zoë Other', phone: '+49 30 5550 9999' } });
  await pool().query('UPDATE bookings SET consent_withdrawn_at = now() WHERE reference = $1', [partner.reference]);
  const stranger = await makeHouse();
  const theirs = await stranger.book('10:00', FULL);
  const all = [own, partner.reference, old.reference];
  for (const search of [
    { phone: '+49 30 5550 1234' },
    { phone: '+49-30-5550-1234' },
    { national: '030 5550 1234' },
    { name: 'sample ROBIN' },
  ]) {
    const found = await house.find(search);
    expect(found.map(({ reference }) => reference)).toEqual(all);
    expect(found.map(({ upcoming }) => upcoming)).toEqual([true, true, false]);
    expect(found[1]).toMatchObject({ name: CUSTOMER.name, optional: ['email', 'language', 'note', 'metadata'] });
  }
  expect(await house.find({ name: 'zoe' })).toHaveLength(1);
  expect(await house.find({ phone: '+4930555012' })).toEqual([]);
  const reply = await house.call('export', { found_by: 'phone', references: all });
  expect(reply.data).toMatchObject({ format: 'partner-booking-customer/1', complete: true, contact_kept_days: 365 });
  const exported = (reply.data as { bookings: { reference: string }[] }).bookings;
  expect(exported.map(({ reference }) => reference)).toEqual([old.reference, partner.reference, own]);
  const { locale, email } = FULL.customer;
  expect(exported[1]).toMatchObject({
    customer: { name: CUSTOMER.name, phone: '+493055501234' },
    ...{ email, locale, note: FULL.note, metadata: FULL.metadata },
    price: { amount: 4900, currency: 'EUR' },
    partner_reference: 'order-4711',
    history: [{ type: 'booking.created', version: 1, actor: 'partner', webhook: null }],
    requests: [{ method: 'POST', status: 201 }],
    stored_responses: [{}],
  });
  expect(exported[2]).toMatchObject({ partner: null, email, note: FULL.note, requests: [], stored_responses: [] });
  // Records of another business cannot be named, also not beside own ones.
  for (const name of ['export', 'erase']) {
    const input = { found_by: 'phone', references: [own, theirs.reference], confirmation: 'ERASE' };
    const { confirmation: _, ...rest } = input;
    expect(await house.call(name, name === 'erase' ? input : rest)).toMatchObject({ status: 404 });
  }
  expect(await house.list()).toEqual([]);
  const entries = [...(await house.audited('customer.searched')), ...(await house.audited('customer.exported'))];
  expect(entries.at(-1)?.after).toEqual({ found_by: 'phone', bookings: 3 });
  expect(JSON.stringify(entries)).not.toMatch(PERSONAL);
});

test.for([
  ['find', {}, 'phone'],
  ['find', { phone: '030 1234567' }, 'phone'],
  ['find', { phone: '+49 30 5550 1234', name: 'Robin' }, 'phone'],
  ['find', { national: '12' }, 'national'],
  ['find', { name: 'R. S.' }, 'name'],
  ['find', { name: 'x'.repeat(201) }, 'name'],
  ['export', { found_by: 'phone', references: [] }, 'references'],
  ['export', { found_by: 'email', references: ['pbr_1'] }, 'found_by'],
  ['erase', { found_by: 'phone', references: Array(501).fill('pbr_1'), confirmation: 'ERASE' }, 'references'],
  ['erase', { found_by: 'phone', references: ['pbr_1'], confirmation: 'erase' }, 'confirmation'],
] as const)('%s refuses %j at its field', async ([name, input, path]) => {
  const { owner } = { owner: await makeMember((await makeDesk()).tenant.id) };
  const reply = await owner.mutate(`privacy.customer.${name}`, input);
  expect(reply).toMatchObject({ status: 400, error: { fields: [{ path }] } });
  expect(JSON.stringify(reply.error)).not.toMatch(/Robin|5550|email/);
});

test('an erasure removes everything, tells the partner, keeps the appointment, and is proven by counts', async () => {
  const house = await makeHouse();
  const { tenant, applicationId } = house;
  await addEndpoint(tenant.id, applicationId, 'http://127.0.0.1:59998/');
  const keys = { create: randomUUID(), move: randomUUID() };
  const partner = await house.book('10:00', FULL, { key: keys.create });
  const moved = { expected_version: 1, date: dayAhead(), start_time: '13:00' };
  await house.reschedule(partner.reference, moved, { key: keys.move });
  const own = await house.take('11:00');
  const kept = await house.book('12:00', { customer: { ...CUSTOMER, phone: '+49 30 5550 9999' } });
  const references = [partner.reference, own];
  await pool().query(
    `INSERT INTO delivery_attempts (delivery_id, number, kind, started_at, duration_ms, status, answer)
     SELECT d.id, 99, 'scheduled', now(), 1, 200, 'Hello Robin' FROM deliveries d JOIN events e ON e.id = d.event_id
     WHERE e.booking_reference = ANY($1) AND e.type = 'booking.created'`,
    [[partner.reference, kept.reference]],
  );
  const before = (await house.read(partner.reference)).data.booking;
  const erasure = await house.erase(references);
  expect(erasure).toMatchObject({
    bookings: 2,
    erased: 2,
    counts: {
      contacts: 2,
      emails: 2,
      languages: 1,
      notes: 2,
      metadata: 1,
      phone_hashes: 2,
      name_hashes: 4,
      stored_responses: 2,
      webhook_answers: 1,
      events: 1,
    },
    told: [{ bookings: 1, webhooks: 1 }],
  });
  const { rows } = await pool().query(
    `SELECT * FROM bookings WHERE reference = ANY($1) AND num_nonnulls(customer_name, customer_phone, customer_email,
       customer_locale, note, metadata, phone_hash, name_hashes) > 0`,
    [references],
  );
  expect(rows).toEqual([]);
  // The appointment, its price, and its version stay.
  const nobody = { name: null, phone_masked: null, email_masked: null, locale: null };
  const erased = { ...before, customer: nobody, note_characters: null, metadata: null };
  expect((await house.read(partner.reference)).data.booking).toEqual(erased);
  const replay = await house.create(house.body('10:00', FULL), { key: keys.create });
  expect(replay.headers['idempotent-replayed']).toBe('true');
  expect(replay.text).not.toMatch(PERSONAL);
  expect((await house.reschedule(partner.reference, moved, { key: keys.move })).text).not.toMatch(PERSONAL);
  // The partner is told, by its event list and by webhook.
  const [event] = await db().event.findMany({ where: { tenantId: tenant.id, type: 'booking.anonymized' } });
  expect(bookingEventPayload.parse(JSON.parse(event?.payload ?? ''))).toMatchObject({
    data: { actor: 'owner', previous: null, booking: { reference: partner.reference, version: 2 } },
  });
  expect(event?.payload).not.toMatch(PERSONAL);
  const feed = await house.client(`/api/partner/v1/events?after=0`);
  expect(feed.text).toContain('"type":"booking.anonymized"');
  // Others are untouched.
  expect((await house.read(kept.reference)).data.booking.customer.name).toBe(CUSTOMER.name);
  expect(await house.find({ phone: CUSTOMER.phone })).toEqual([]);
  // What was really removed is audited, without data of the person. Again, nothing is left to remove or to tell.
  const [entry] = await house.audited('customer.erased');
  expect(entry).toMatchObject({ actorKind: 'owner', objectId: erasure.id });
  expect(entry?.after).toEqual({ found_by: 'phone', bookings: 2, ...erasure.counts });
  expect(JSON.stringify(await db().auditLog.findMany({ where: { tenantId: tenant.id } }))).not.toMatch(PERSONAL);
  const again = await house.erase(references);
  expect(Object.values(again.counts).every((count) => count === 0)).toBe(true);
  expect(again.told).toEqual([]);
});

test('the database refuses an erasure that is done while data is left, and a second one that is running', async () => {
  const house = await makeHouse();
  const { reference } = await house.book('10:00');
  const id = newId('ers');
  const insert = (erasureId: string, state: string) =>
    pool().query(
      `INSERT INTO erasures (id, tenant_id, found_by, requested_by_id, bookings, state, created_at, finished_at)
       VALUES ($1, $2, 'phone', 'usr', 1, $3, now(), CASE WHEN $3 = 'done' THEN now() END)`,
      [erasureId, house.tenant.id, state],
    );
  await expect(insert(newId('ers'), 'done')).rejects.toMatchObject({ constraint: 'erasures_done' });
  // One transaction that never commits, so that the job of the server does not see it.
  const client = await pool().connect();
  const refused = async (text: string, values: unknown[], constraint: string) => {
    await client.query('SAVEPOINT s');
    await expect(client.query(text, values)).rejects.toMatchObject({ constraint });
    await client.query('ROLLBACK TO s');
  };
  try {
    await client.query('BEGIN');
    await client.query(
      `INSERT INTO erasures (id, tenant_id, found_by, requested_by_id, bookings, created_at)
       VALUES ($1, $2, 'phone', 'usr', 1, now())`,
      [id, house.tenant.id],
    );
    await client.query(`INSERT INTO erasure_bookings (tenant_id, erasure_id, reference) VALUES ($1, $2, $3)`, [
      house.tenant.id,
      id,
      reference,
    ]);
    const done = `UPDATE erasures SET state = 'done', finished_at = now() WHERE id = $1`;
    await refused(done, [id], 'erasures_done');
    const mark = 'UPDATE erasure_bookings SET erased_at = now() WHERE erasure_id = $1';
    await refused(mark, [id], 'erasure_bookings_erased');
    await refused(
      `INSERT INTO erasures (id, tenant_id, found_by, requested_by_id, bookings, created_at)
       VALUES ($1, $2, 'name', 'usr', 1, now())`,
      [newId('ers'), house.tenant.id],
      'erasures_running',
    );
    await client.query('UPDATE bookings SET customer_phone = NULL, customer_name = NULL WHERE reference = $1', [
      reference,
    ]);
    await client.query(mark, [id]);
    await client.query(done, [id]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
