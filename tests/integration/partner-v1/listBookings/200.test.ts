import { beforeAll, expect, test } from 'vitest';
import { pool } from '@/lib/platform/db';
import { type Desk, listed, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication } from '@/tests/support/factories';
import { rowOf } from '../../request-log/rows';
import { walkPages } from '../pages';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk({ service: { capacity: 20 } });
});

const book = async (external_reference: string, count: number) => {
  const booked = [];
  for (let i = 0; i < count; i += 1) booked.push(await desk.book('10:00', { external_reference }));
  return booked;
};

test('returns the bookings with one reference as a read of each returns them, without optional fields, newest first', async () => {
  const [first, second] = await book('cart-1', 2);
  await book('cart-10', 1);
  await desk.cancel(first?.reference ?? '');
  const { data, headers } = await desk.find({ external_reference: 'cart-1' });
  const reads = await Promise.all([second, first].map((one) => desk.read(one?.reference ?? '')));
  expect(data).toEqual({ bookings: reads.map((reply) => listed(reply.data.booking)), next_cursor: null });
  expect(data.bookings.map(({ status }) => status)).toEqual(['confirmed', 'cancelled']);
  expect(headers['content-language']).toBeUndefined();
});

test('finds a booking whose response was lost: the same reference, and the create replays', async () => {
  const body = desk.body('11:00', { external_reference: 'lost-1' });
  const key = 'lost-write-1234567';
  await desk.create(body, { key });
  const { data } = await desk.find({ external_reference: 'lost-1' });
  const replayed = await desk.create(body, { key });
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  expect(data.bookings).toEqual([listed(replayed.data.booking)]);
});

test('returns an empty list for an unknown reference and for one of another application', async () => {
  await book('theirs', 1);
  const other = partnerOf((await makeApplication(desk.tenant.id)).key);
  for (const reply of [
    await desk.find({ external_reference: 'nobody' }),
    await desk.find({ external_reference: 'THEIRS' }),
    await other.find({ external_reference: 'theirs' }),
  ]) {
    expect([reply.status, reply.data]).toEqual([200, { bookings: [], next_cursor: null }]);
  }
});

test('matches every printable reference exactly', async () => {
  for (const external_reference of ['a b&c=d+e%', '注文 4711', '😀'.repeat(128), "' OR 1=1--"]) {
    const [booked] = await book(external_reference, 1);
    const { data } = await desk.find({ external_reference });
    expect(data.bookings.map(({ reference }) => reference)).toEqual([booked?.reference]);
  }
});

test('a space at the start or end of a reference counts', async () => {
  const [booked] = await book(' spaced ', 1);
  const found = async (external_reference: string) => (await desk.find({ external_reference })).data.bookings;
  expect((await found(' spaced ')).map(({ reference }) => reference)).toEqual([booked?.reference]);
  for (const other of ['spaced', ' spaced', 'spaced ']) expect(await found(other)).toEqual([]);
});

test('pages are stable, have no gap and no duplicate, also at the same time of creation', async () => {
  const booked = await book('many', 7);
  await pool().query('UPDATE bookings SET created_at = $1, updated_at = $1 WHERE reference = ANY($2)', [
    new Date(),
    booked.slice(0, 4).map(({ reference }) => reference),
  ]);
  const readPage = async (parameters: Record<string, string | number>) => {
    const { data } = await desk.find({ external_reference: 'many', ...parameters });
    return { items: data.bookings, next: data.next_cursor };
  };
  const { sizes, items } = await walkPages(readPage, [1, 3, 2]);
  expect(sizes).toEqual([1, 3, 2, 1]);
  expect(new Set(items.map(({ reference }) => reference))).toEqual(new Set(booked.map(({ reference }) => reference)));
  const times = items.map(({ created_at }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
  const whole = await desk.find({ external_reference: 'many', limit: 100 });
  expect(whole.data).toEqual({ bookings: items, next_cursor: null });
});

test('counts once against the quota', async () => {
  const [one, two] = [await desk.find({ external_reference: 'many' }), await desk.find({ external_reference: 'many' })];
  const [before, after] = [one, two].map(({ headers }) => Number(headers['x-ratelimit-remaining']));
  expect(before).toBe((after ?? 0) + 1);
});

test('the log entry has the reference only if a booking has it', async () => {
  await book('logged-1', 1);
  const found = await desk.find({ external_reference: 'logged-1' });
  const unknown = await desk.find({ external_reference: 'not-logged-1' });
  const route = '/api/partner/v1/bookings';
  const entry = { method: 'GET', route, path: route, status: 200 };
  expect(await rowOf(found.requestId)).toMatchObject({ ...entry, external_reference: 'logged-1' });
  expect(await rowOf(unknown.requestId)).toMatchObject({ ...entry, external_reference: null });
});
