import { beforeAll, expect, test } from 'vitest';
import { expectFields, expectRefusal } from '@/tests/support/booking-rows';
import { AVAILABILITY, type Desk, dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectNoEcho, marker } from '@/tests/support/echo';
import { makeLocation, offer } from '@/tests/support/factories';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

const ask = (parameters: Record<string, string>) =>
  desk.slots({ service_id: desk.service.id, date: dayAhead(), ...parameters });

test('requires service_id and date and names both at once', async () => {
  expectFields(await desk.slots({}), ['service_id', 'date']);
  expectFields(await desk.slots({ date: dayAhead() }), ['service_id']);
  expectFields(await desk.slots({ service_id: desk.service.id }), ['date']);
});

const INVALID_DATES = [
  '',
  '2027-02-29',
  '2027-02-30',
  '2027-04-31',
  '2027-13-01',
  '2027-00-10',
  '2027-01-00',
  '2027-1-1',
  '27-01-01',
  '+02027-01-01',
  '01.02.2027',
  '2027/01/01',
  '2027-01-01T00:00',
  '20270101',
  ' 2027-01-01',
  '٢٠٢٧-٠١-٠١',
  'tomorrow',
  '-2027-01-01',
  '2027-01-01\u0000',
];

test.for(INVALID_DATES)('rejects a nonexistent or malformed date: %j', async (date) => {
  expectFields(await ask({ date }), ['date']);
  expectFields(await ask({ date_to: date }), ['date_to']);
});

test('accepts date_to from date to 30 days after it', async () => {
  expect((await ask({ date_to: dayAhead(37) })).status).toBe(200);
  expect((await ask({ date_to: dayAhead(7) })).status).toBe(200);
  expectFields(await ask({ date_to: dayAhead(38) }), ['date_to']);
  expectFields(await ask({ date_to: dayAhead(6) }), ['date_to']);
  expectFields(await ask({ date: '0000-01-01', date_to: '9999-12-31' }), ['date_to']);
});

test('requires location_id when several allowed locations offer the service', async () => {
  const { tenant, specialists, service, slots, location } = await makeDesk();
  await offer(tenant.id, specialists, [service], [await makeLocation(tenant.id)]);
  const query = { service_id: service.id, date: dayAhead() };
  expectFields(await slots(query), ['location_id'], 'location_required');
  expect((await slots({ ...query, location_id: location.id })).status).toBe(200);
});

test.for(['0', '97', '-1', '1e1', '', 'all'])('rejects limit %j and names the parameter', async (limit) => {
  expectFields(await ask({ limit }), ['limit']);
});

test('accepts a limit of 96', async () => {
  expect((await ask({ limit: '96' })).status).toBe(200);
});

test('rejects a malformed locale and names the parameter', async () => {
  expectFields(await ask({ locale: 'en US' }), ['locale']);
});

test.for(['service_ids', 'composition_mode', 'capacity', 'tenant_id', 'start_time'])(
  'rejects and names the unknown parameter %s',
  async (name) => {
    expectFields(await ask({ [name]: '1' }), [name], 'unknown_field');
  },
);

test.for(['service_id', 'location_id', 'specialist_id', 'date', 'date_to', 'exclude_reference', 'limit', 'cursor'])(
  'rejects a repeated %s, even with the same value',
  async (name) => {
    const reply = await desk.client(`${AVAILABILITY}?${name}=a&${name}=a`);
    expectFields(reply, [name]);
  },
);

test('rejects an exclude_reference of another service or location', async () => {
  const { tenant, specialists, service, location, book, slots } = await makeDesk();
  const [elsewhere, other] = await Promise.all([makeLocation(tenant.id), makeDesk()]);
  await offer(tenant.id, specialists, [service], [elsewhere]);
  const { reference } = await book();
  const query = { service_id: service.id, date: dayAhead(), exclude_reference: reference };
  expect((await slots({ ...query, location_id: location.id })).status).toBe(200);
  expectFields(await slots({ ...query, location_id: elsewhere.id }), ['exclude_reference']);
  expectRefusal(await other.slots({ ...query, service_id: other.service.id }), 404, 'not_found');
});

test('echoes no submitted value', async () => {
  for (const name of ['service_id', 'location_id', 'specialist_id', 'date', 'date_to', 'exclude_reference', 'locale']) {
    const sent = `${marker()} ${marker()}`;
    const reply = await ask({ [name]: sent });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    expectNoEcho(reply, sent);
  }
});
