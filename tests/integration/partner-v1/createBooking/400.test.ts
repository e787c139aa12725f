import { beforeAll, expect, test } from 'vitest';
import { createBooking } from '@/lib/contract/operations';
import { countRows, expectFields, NOTHING } from '@/tests/support/booking-rows';
import { BOOKINGS, CUSTOMER, type Desk, makeDesk, post } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeLocation, offer } from '@/tests/support/factories';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

async function expectRefused(more: Record<string, unknown>, paths: string[], reason: string | null = null) {
  const reply = await desk.create({ ...desk.body(), ...more });
  expectFields(reply, paths, reason);
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  return reply;
}

const without = (name: string) => ({ [name]: undefined });

test.for(['service_id', 'date', 'start_time', 'external_reference', 'customer'])(
  'requires %s and rejects values of another type',
  async (name) => {
    const reply = await expectRefused(without(name), [name]);
    expect(reply.error.fields[0]?.message).toMatch(/required/);
    for (const value of [null, 1, true, [], ['x'], {}]) {
      const created = await desk.create({ ...desk.body(), [name]: value });
      expect(created.status).toBe(400);
      expect(created.error.fields.every(({ path }) => path.startsWith(name))).toBe(true);
    }
    expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  },
);

test.for(['location_id', 'specialist_id'])(
  'accepts a missing %s but rejects values other than strings and null',
  async (name) => {
    for (const value of [1, true, [], {}, ['loc']]) await expectRefused({ [name]: value }, [name]);
  },
);

test.for(['name', 'phone', 'consent_to_contact'])('requires customer.%s', async (name) => {
  const reply = await expectRefused({ customer: { ...CUSTOMER, [name]: undefined } }, [`customer.${name}`]);
  expect(reply.error.fields[0]?.message).toMatch(/required/);
});

test('null for a required field is a missing value', async () => {
  const nothing = { service_id: null, date: null, start_time: null, external_reference: null, customer: null };
  const reply = await expectRefused(nothing, Object.keys(nothing));
  const nested = { customer: { name: null, phone: null, consent_to_contact: null } };
  const inner = await expectRefused(nested, ['customer.name', 'customer.phone', 'customer.consent_to_contact']);
  const messages = [reply, inner].flatMap(({ error }) => error.fields.map(({ message }) => message));
  expect(new Set(messages)).toEqual(new Set(['is required']));
});

test.for([
  '',
  '2027-02-29',
  '2027-02-30',
  '2027-13-01',
  '2027-00-01',
  '01.02.2027',
  '2027-1-1',
  '2027-01-01T10:00',
  '20270101',
])('rejects a nonexistent or malformed date: %j', async (date) => {
  await expectRefused({ date }, ['date']);
});

test.for([
  '',
  '24:00',
  '23:60',
  '9:00',
  '09:00:00',
  '0900',
  '09.00',
  '9am',
  '-1:00',
  ' 09:00',
  '٠٩:٠٠',
  '09:00Z',
  '09:00+02:00',
])('rejects a nonexistent or malformed time: %j', async (start_time) => {
  await expectRefused({ start_time }, ['start_time']);
});

const INVALID_PHONES = [
  '',
  '+',
  '493055501234',
  '0049 30 5550 1234',
  '030 5550 1234',
  '+49 30 CALL NOW',
  '+49 30 5550 1234 ext. 5',
  '+0 30 5550 1234',
  '+123456',
  '+1234567890123456',
  '++49 30 5550 1234',
  '+49+30 5550 1234',
  '+49/30/5550/1234',
  '+٤٩٣٠٥٥٥٠١٢٣٤',
  '+49\n3055501234',
  `+49 ${' '.repeat(100)}3055501234`,
];

test.for(INVALID_PHONES)('rejects a phone that is not in international format: %j', async (phone) => {
  await expectRefused({ customer: { ...CUSTOMER, phone } }, ['customer.phone']);
});

test.for([
  '',
  '   ',
  '\t\n',
  'x'.repeat(201),
  '😀'.repeat(201),
  'Robin\u0000',
  'Robin\nSample',
  'Robin\u001b[31m',
  '\ud800',
  'Robin\u2028Sample',
  'Robin S\ufffdmple',
  'Robin\u2029Sample',
  '\u200d',
  '\u3164',
  '\u00ad',
  '\u2800',
  '\u{13441}',
  ...[...'\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'].map(
    (mark) => `Robin ${mark}Sample`,
  ),
])('rejects a name that is not 1 to 200 characters without control characters: %j', async (name) => {
  await expectRefused({ customer: { ...CUSTOMER, name } }, ['customer.name']);
});

test.for([false, 'true', 1, null, 'yes', {}, [true]])('rejects consent other than true: %j', async (value) => {
  await expectRefused({ customer: { ...CUSTOMER, consent_to_contact: value } }, ['customer.consent_to_contact']);
});

const UNKNOWN: [Record<string, unknown>, string[]][] = [
  [{ service_ids: ['svc_x'] }, ['service_ids']],
  [{ composition_mode: 'sequence' }, ['composition_mode']],
  [{ service_ids: [], composition_mode: 'parallel' }, ['service_ids', 'composition_mode']],
  [{ tenant_id: 'ten_x' }, ['tenant_id']],
  [{ expected_version: 1 }, ['expected_version']],
  [{ idempotency_key: 'x' }, ['idempotency_key']],
  [{ constructor: 1 }, ['constructor']],
  [{ customer: { ...CUSTOMER, fax: 'x' } }, ['customer.fax']],
  [{ customer: { ...CUSTOMER, service_ids: [] } }, ['customer.service_ids']],
  [{ 'robin@sample.example': 1 }, ['*']],
  [{ '+493055501234': 1, customer: { ...CUSTOMER, '4111111111111111': 1 } }, ['*', 'customer.*']],
  [{ Date: '2027-01-01' }, ['*']],
  [{ ['a'.repeat(40)]: 1 }, ['a'.repeat(40)]],
  [{ ['a'.repeat(41)]: 1 }, ['*']],
];

test.for(UNKNOWN)(
  'rejects an unknown field and names it only if its name cannot carry data: %j',
  async ([more, paths]) => {
    await expectRefused(more, paths, 'unknown_field');
  },
);

test.for(['__proto__', 'constructor', 'prototype', 'hasownproperty'])(
  'treats a field named %s like any unknown field',
  async (name) => {
    const text = JSON.stringify(desk.body()).replace('{', `{"${name}":{"admin":true},`);
    expectFields(await desk.create(text), [name], 'unknown_field');
    const nested = JSON.stringify(desk.body()).replace('"customer":{', `"customer":{"${name}":1,`);
    expectFields(await desk.create(nested), [`customer.${name}`], 'unknown_field');
    expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
  },
);

test('names every invalid field at once', async () => {
  await expectRefused(
    { date: 'soon', start_time: 'noon', extra: 1, customer: { name: '', phone: '1', consent_to_contact: false } },
    ['date', 'start_time', 'extra', 'customer.name', 'customer.phone', 'customer.consent_to_contact'],
    'unknown_field',
  );
});

test('rejects every query parameter', async () => {
  expectFields(
    await post(desk.client, `${BOOKINGS}?dry_run=1`, createBooking, desk.body()),
    ['dry_run'],
    'unknown_field',
  );
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});

test('requires location_id when several allowed locations offer the service', async () => {
  const { tenant, specialists, service, create, body } = await makeDesk();
  await offer(tenant.id, specialists, [service], [await makeLocation(tenant.id)]);
  expectFields(await create(body('10:00', without('location_id'))), ['location_id'], 'location_required');
  expect(await countRows(tenant.id)).toEqual(NOTHING);
  expect((await create(body('10:00'))).status).toBe(201);
});

test('echoes no submitted value or field name', async () => {
  const texts = ['service_id', 'location_id', 'specialist_id', 'date', 'start_time', 'external_reference'];
  for (const name of texts) {
    const sent = marker();
    // The suffix makes the value longer than any field allows.
    expectNoEcho(await desk.create(desk.body('10:00', { [name]: sent + 'x'.repeat(600) })), sent);
  }
  for (const name of ['name', 'phone', 'consent_to_contact', marker()]) {
    const sent = `${marker()}\n`;
    const customer = { ...CUSTOMER, [name]: sent };
    const reply = await desk.create(desk.body('10:00', { customer, [marker()]: sent }));
    expect(reply.status).toBe(400);
    expectNoEcho(reply, sent);
    expectNoEcho(reply, name.startsWith('zq') ? name : sent);
  }
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});
