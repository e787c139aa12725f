import { expect, test } from 'vitest';
import { responseContext } from '@/lib/booking/idempotency/once';
import { db } from '@/lib/platform/db';
import { open, seal } from '@/lib/platform/secrets';
import { makeMember } from '@/tests/integration/control-center/applications-people';
import { editable } from '@/tests/integration/control-center/catalog-records';
import { bookingRow } from '@/tests/support/booking-rows';
import { BOOKINGS, dayAhead, makeDesk } from '@/tests/support/bookings';
import { CATALOG } from '@/tests/support/paths';
import { until } from '@/tests/support/until';

const HUF = { priceAmount: 900_000, priceCurrency: 'HUF' };
const PRICE = { amount: 900_000, currency: 'HUF' };

test('a booking keeps the price of its creation when the price changes, and when it is moved', async () => {
  const desk = await makeDesk({ service: { ...HUF, capacity: 3 } });
  const owner = await makeMember(desk.tenant.id);
  const first = await desk.book('10:00');
  expect(first.price).toEqual(PRICE);

  const { version, input } = await editable(owner, 'services', desk.service.id);
  const record = { ...input, price: { amount: 5_000, currency: 'EUR' } };
  const change = { id: desk.service.id, expected_version: version, record };
  expect(await owner.mutate('catalog.services.update', change)).toMatchObject({ status: 200 });
  const catalogPrice = async () => {
    const { data } = (await desk.client(CATALOG)) as { data: { services: { price: object }[] } };
    return data.services[0]?.price;
  };
  await until(catalogPrice, (price) => JSON.stringify(price).includes('EUR'));

  // A second customer of the same group pays the new price.
  const second = await desk.book('10:00');
  expect(second.price).toEqual({ amount: 5_000, currency: 'EUR' });
  const moved = await desk.reschedule(first.reference, { expected_version: 1, date: dayAhead(), start_time: '14:00' });
  expect(moved.data.booking.price).toEqual(PRICE);
  const slot = { date: dayAhead(8), start_time: '11:00' };
  const byOwner = { reference: first.reference, expected_version: 2, ...slot };
  expect(await owner.mutate('bookings.reschedule', byOwner)).toMatchObject({ status: 200 });
  const read = await desk.read(first.reference);
  expect(read.data.booking).toMatchObject({ version: 3, price: PRICE });
  const found = await desk.find({ external_reference: 'order-4711' });
  expect(found.data.bookings.map(({ price }) => price?.currency).sort()).toEqual(['EUR', 'HUF']);
  expect((await desk.cancel(first.reference, { expected_version: 3 })).data.booking.price).toEqual(PRICE);
  expect(await owner.query('bookings.get', { reference: first.reference })).toMatchObject({ data: { price: PRICE } });
  expect(await bookingRow(first.reference)).toMatchObject({ price_amount: 900_000, price_currency: 'HUF' });
});

test('a booking of a service without a price, and one of an earlier version, have no price', async () => {
  const { book, tenant, read } = await makeDesk();
  const { reference, price } = await book();
  expect(price).toBeNull();
  const owner = await makeMember(tenant.id);
  expect(await owner.query('bookings.get', { reference })).toMatchObject({ data: { price: null } });
  expect((await read(reference)).data.booking.price).toBeNull();
});

test('replays the response of an earlier version without a price, byte for byte', async () => {
  const { create, client, body, applicationId } = await makeDesk({ service: HUF });
  const key = 'key-of-an-earlier-version';
  const made = await create(body('10:00'), { key });
  const stored = await db().idempotencyKey.findFirstOrThrow({ where: { applicationId } });
  const place = responseContext({ applicationId, keyHash: Buffer.from(stored.keyHash) });
  const { booking } = JSON.parse(open(stored.response ?? Buffer.alloc(0), place));
  expect(booking.price).toEqual(PRICE);
  const { price: _, ...earlier } = booking;
  const text = JSON.stringify({ booking: earlier });
  await db().idempotencyKey.updateMany({
    where: { applicationId },
    data: { response: Buffer.from(seal(text, place)) },
  });
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  const replayed = await client(BOOKINGS, { method: 'POST', headers, body: JSON.stringify(body('10:00')) });
  expect(replayed).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
  expect(replayed.text).toContain(text.slice(1, -1));
  expect(made.data.booking.reference).toBe(earlier.reference);
});
