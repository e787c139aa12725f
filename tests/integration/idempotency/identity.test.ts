import { expect, test } from 'vitest';
import { countRows, expectRefusal } from '@/tests/support/booking-rows';
import { CUSTOMER, dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';

const KEY = 'order-4711-create';

test('field order, white space and escapes do not change the identity of a request', async () => {
  const { create, body, tenant } = await makeDesk();
  const first = await create(body(), { key: KEY });
  const reversed = (value: object): object => Object.fromEntries(Object.entries(value).reverse());
  const turned = { ...reversed(body()), customer: reversed(CUSTOMER) };
  const spellings = [
    JSON.stringify(turned),
    JSON.stringify(body(), null, 2),
    `\n\t${JSON.stringify(turned, null, '\t')} \r\n`,
    JSON.stringify(body()).replace('Robin', '\\u0052obi\\u006e').replaceAll('/', '\\/'),
  ];
  for (const text of spellings) expect((await create(text, { key: KEY })).data).toEqual(first.data);
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 1, keys: 1 });
});

test('null for an optional field is the same request as no such field', async () => {
  const { create, body, cancel, reschedule, tenant } = await makeDesk();
  const { location_id: _, ...without } = body();
  const withNull = { ...without, location_id: null, specialist_id: null };
  const created = await create(withNull, { key: KEY });
  expect([created.status, (await create(without, { key: KEY })).data]).toEqual([201, created.data]);
  const { reference } = created.data.booking;
  const move = { expected_version: 1, date: dayAhead(), start_time: '15:00' };
  const moved = await reschedule(reference, { ...move, specialist_id: null }, { key: `${KEY}-2` });
  expect([moved.status, (await reschedule(reference, move, { key: `${KEY}-2` })).data]).toEqual([200, moved.data]);
  const gone = await cancel(reference, { expected_version: 2 }, { key: `${KEY}-3` });
  const again = await cancel(reference, { expected_version: 2, reason: null }, { key: `${KEY}-3` });
  expect([again.status, again.data]).toEqual([200, gone.data]);
  const other = await cancel(reference, { expected_version: 2, reason: 'other' }, { key: `${KEY}-3` });
  expectRefusal(other, 409, 'idempotency_key_reused');
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 1, keys: 3 });
});

test('equal numbers in different notations are the same request', async () => {
  const { book, cancel } = await makeDesk();
  const { reference } = await book();
  const first = await cancel(reference, '{"expected_version":1}', { key: KEY });
  for (const text of ['{"expected_version":1.0}', '{"expected_version":1e0}', '{"expected_version":10E-1}']) {
    expect((await cancel(reference, text, { key: KEY })).data).toEqual(first.data);
  }
});

test('a quoted and an unquoted header are the same key; only one pair of quotes is removed', async () => {
  const { create, body, tenant } = await makeDesk({ service: { capacity: 5 } });
  const first = await create(body(), { key: KEY });
  const quoted = await create(body(), { key: `"${KEY}"` });
  expect(quoted.headers['x-original-request-id']).toBe(first.requestId);
  expect((await create(body(), { key: `""${KEY}""` })).headers['idempotent-replayed']).toBeUndefined();
  expect((await create(body(), { key: `'${KEY}'` })).headers['idempotent-replayed']).toBeUndefined();
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 3 });
});

test('keys that differ in case or in one character are different keys', async () => {
  const { create, body, tenant } = await makeDesk({ service: { capacity: 5 } });
  for (const key of [KEY, KEY.toUpperCase(), `${KEY}.`, `${KEY}"`])
    expect((await create(body(), { key })).status).toBe(201);
  expect(await countRows(tenant.id)).toMatchObject({ bookings: 4, keys: 4 });
});

test('keys are separate for each application of a tenant and for each tenant', async () => {
  const { create, body, tenant } = await makeDesk({ service: { capacity: 5 } });
  const colleague = partnerOf((await makeApplication(tenant.id)).key);
  const theirs = await makeDesk();
  const [mine, second, third] = [
    await create(body(), { key: KEY }),
    await colleague.create(body(), { key: KEY }),
    await theirs.create(theirs.body('14:00'), { key: KEY }),
  ];
  expect([second, third].map(({ status, headers }) => [status, headers['idempotent-replayed']])).toEqual([
    [201, undefined],
    [201, undefined],
  ]);
  const references = [mine, second, third].map(({ data }) => data.booking.reference);
  expect(new Set(references).size).toBe(3);
  expect((await create(body(), { key: KEY })).data).toEqual(mine.data);
});

test('a key is bound to its route and booking: others are refused', async () => {
  const { create, body, cancel, reschedule, read } = await makeDesk();
  const one = (await create(body('10:00'), { key: KEY })).data.booking;
  const two = (await create(body('11:00'))).data.booking;
  const move = { expected_version: 1, date: dayAhead(), start_time: '15:00' };
  expectRefusal(await cancel(one.reference, undefined, { key: KEY }), 409, 'idempotency_key_reused');
  expectRefusal(await reschedule(one.reference, move, { key: KEY }), 409, 'idempotency_key_reused');
  expect((await cancel(one.reference, undefined, { key: `${KEY}-2` })).status).toBe(200);
  expectRefusal(await cancel(two.reference, undefined, { key: `${KEY}-2` }), 409, 'idempotency_key_reused');
  expectRefusal(await create(body('12:00'), { key: `${KEY}-2` }), 409, 'idempotency_key_reused');
  expect((await read(two.reference)).data.booking).toMatchObject({ version: 1, status: 'confirmed' });
});
