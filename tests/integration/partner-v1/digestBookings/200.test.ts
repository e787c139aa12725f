import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { BASE_PATH, digestBookings } from '@/lib/contract/operations';
import { expectFields, narrowPolicy } from '@/tests/support/booking-rows';
import { dayAhead, makeDesk, partnerOf } from '@/tests/support/bookings';
import { makeApplication, makeLocation } from '@/tests/support/factories';
import { until } from '@/tests/support/until';

const PATH = `${BASE_PATH}${digestBookings.path}`;
const digestOf = (key: string, from = dayAhead(7), to = dayAhead(8)) =>
  partnerOf(key).client(`${PATH}?from=${from}&to=${to}`, { operation: digestBookings });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const NONE = { count: 0, hash: sha256('') };

test('counts and hashes the references and versions of each day, in every status', async () => {
  const desk = await makeDesk({ service: { capacity: 10 } });
  const booked = [];
  for (let i = 0; i < 3; i += 1) booked.push(await desk.book('10:00'));
  const [canceled, moved, kept] = booked.map(({ reference }) => reference);
  await desk.cancel(canceled ?? '');
  await desk.reschedule(moved ?? '', { expected_version: 1, date: dayAhead(8), start_time: '11:00' });
  const { data } = await digestOf(desk.key);
  const lines = [`${canceled}:2\n`, `${kept}:1\n`].sort().join('');
  expect(data).toEqual({
    days: [
      { date: dayAhead(7), count: 2, hash: sha256(lines) },
      { date: dayAhead(8), count: 1, hash: sha256(`${moved}:2\n`) },
    ],
    sequence: 5,
  });
  const { key } = await makeApplication(desk.tenant.id);
  expect((await digestOf(key)).data).toEqual({
    days: [7, 8].map((day) => ({ date: dayAhead(day), ...NONE })),
    sequence: 0,
  });
  const elsewhere = await makeLocation(desk.tenant.id);
  await narrowPolicy(desk, { locationIds: [elsewhere.id] });
  const hidden = await until(
    () => digestOf(desk.key),
    (reply) => reply.data.days[0]?.count === 0,
  );
  expect(hidden.data.days[0]).toEqual({ date: dayAhead(7), ...NONE });
});

test('needs a range of at most 31 days', async () => {
  const { key } = await makeApplication((await makeDesk()).tenant.id);
  expect((await digestOf(key, dayAhead(0), dayAhead(30))).data.days).toHaveLength(31);
  const reply = (search: string) => partnerOf(key).client(`${PATH}${search}`);
  expectFields(await digestOf(key, dayAhead(0), dayAhead(31)), ['to']);
  expectFields(await digestOf(key, dayAhead(1), dayAhead(0)), ['to']);
  expectFields(await reply(''), ['from', 'to']);
  // PostgreSQL has no year 0.
  expectFields(await digestOf(key, '0000-01-01', '0000-01-02'), ['from', 'to']);
  expect((await digestOf(key, '0001-01-01', '0001-01-31')).data.days).toHaveLength(31);
  expect((await digestOf(key, '9999-12-01', '9999-12-31')).data.days).toHaveLength(31);
  expectFields(await reply(`?from=${dayAhead(0)}&to=tomorrow`), ['to']);
});
