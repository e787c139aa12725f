import { randomUUID } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { request } from 'undici';
import { expect, test } from 'vitest';
import { TENANT_HEADER } from '@/app/_components/tenant-path';
import { periodBefore } from '@/lib/control-center/statistics';
import { db } from '@/lib/platform/db';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { makePerson, openSessionOf } from '@/tests/support/control-center';
import { makeService, offer } from '@/tests/support/factories';
import { sharedServer } from '@/tests/support/shared';
import { memberOf } from './requests-lines';

const { origin } = sharedServer();

const FIRST = dayAhead(10);
const LAST = dayAhead(11);

async function makeBooked() {
  const desk = await makeDesk({ service: { priceAmount: 5_000, priceCurrency: 'EUR' }, specialists: 2 });
  const yen = await makeService(desk.tenant.id, { name: { en: '=Color' }, priceAmount: 900, priceCurrency: 'JPY' });
  await offer(desk.tenant.id, desk.specialists, [yen], [desk.location]);
  const book = (start: string, date: string, service_id = desk.service.id) =>
    desk.book(start, { date, service_id, external_reference: `=${start}` }, { key: randomUUID() });
  const set = (reference: string, data: object) => db().booking.update({ where: { reference }, data });
  await book('09:00', FIRST);
  await set((await book('10:00', FIRST)).reference, { status: 'no_show' });
  await desk.cancel((await book('11:00', LAST)).reference);
  await book('12:00', LAST, yen.id);
  // Both periods, each with a day outside.
  await book('13:00', dayAhead(12));
  await book('14:00', dayAhead(9));
  await book('14:00', dayAhead(7));
  return { ...desk, yen };
}

test('counts the bookings of a period by group, with the stored prices, and compares them', async () => {
  const { tenant, service, yen, specialists, applicationId } = await makeBooked();
  const ask = memberOf(tenant.id);
  const read = async (more: object = {}) =>
    (await ask('statistics.bookings', { from: FIRST, to: LAST, ...more })).data as {
      totals: object;
      previous_totals: object;
      groups: { key: string }[];
    };
  const euros = { currency: 'EUR', amount: 5_000 };
  const yens = { currency: 'JPY', amount: 900 };
  const found = await read();
  expect(found).toMatchObject({
    previous: { from: dayAhead(8), to: dayAhead(9) },
    totals: { bookings: 4, seats: 3, canceled: 1, no_shows: 1, revenue: [euros, yens] },
    previous_totals: { bookings: 1, seats: 1, canceled: 0, no_shows: 0, revenue: [euros] },
    groups: [
      {
        key: service.id,
        name: 'Haircut',
        figures: { bookings: 3, seats: 2, canceled: 1, no_shows: 1, revenue: [euros] },
        previous_bookings: 1,
      },
      { key: yen.id, name: '=Color', figures: { bookings: 1, revenue: [yens] }, previous_bookings: 0 },
    ],
    more: 0,
  });
  expect(await read({ service_id: yen.id })).toMatchObject({ totals: { bookings: 1, revenue: [yens] } });
  const keysBy = async (by: string) => (await read({ by })).groups.map(({ key }) => key).sort();
  expect(await keysBy('application')).toEqual([applicationId]);
  for (const key of await keysBy('specialist')) expect(specialists.map(({ id }) => id)).toContain(key);
  const weeks = await keysBy('week');
  expect(weeks.length).toBeLessThanOrEqual(2);
  for (const monday of weeks) expect(new Date(monday).getUTCDay()).toBe(1);
});

test.for([
  [{ from: FIRST, to: dayAhead(9) }, 'to'],
  [{ from: FIRST, to: dayAhead(10 + 366) }, 'to'],
  [{ from: '2026-02-30', to: LAST }, 'from'],
  [{ from: FIRST, to: LAST, by: 'price' }, 'by'],
] as const)('refuses %j at %s', async ([input, path]) => {
  const { tenant } = await makeDesk();
  expect(await memberOf(tenant.id)('statistics.bookings', input)).toMatchObject({
    error: { code: 'invalid_request', fields: [{ path }] },
  });
});

test('exports bookings and statistics with the filters of the page, and records it', async () => {
  const { tenant, service } = await makeBooked();
  const person = await makePerson(tenant.id, 'OWNER');
  const cookie = await openSessionOf(person);
  const headers = {
    ...{ cookie, 'x-partner-booking': 'control-center', 'content-type': 'application/json' },
    [TENANT_HEADER]: tenant.id,
  };
  const load = async (list: string, input: object) => {
    const sent = { method: 'POST' as const, headers, body: JSON.stringify(input) };
    const { statusCode, body } = await request(`${origin}/api/control-center/${list}-export`, sent);
    expect(statusCode).toBe(200);
    return parse(await body.text(), { bom: true, columns: true }) as Record<string, string>[];
  };
  const bookings = await load('bookings', { period: { from: FIRST, to: LAST }, service_id: service.id });
  expect(
    bookings.map(({ date, start_time, status, price, currency }) => [date, start_time, status, price, currency]),
  ).toEqual([
    [FIRST, '09:00', 'confirmed', '50.00', 'EUR'],
    [FIRST, '10:00', 'no_show', '50.00', 'EUR'],
    [LAST, '11:00', 'cancelled', '50.00', 'EUR'],
  ]);
  expect(bookings[0]).toMatchObject({ external_reference: "'=09:00", time_zone: 'Europe/Berlin', location: 'Studio' });
  const statistics = await load('statistics', { from: FIRST, to: LAST });
  expect(statistics.map(({ group, bookings: count, revenue, currency }) => [group, count, revenue, currency])).toEqual([
    ['Haircut', '3', '50.00', 'EUR'],
    ["'=Color", '1', '900', 'JPY'],
  ]);
  const entries = await db().auditLog.findMany({ where: { tenantId: tenant.id, action: { endsWith: '.exported' } } });
  expect(entries.map(({ action, after }) => [action, after]).sort()).toMatchObject([
    ['bookings.exported', { rows: 3, result: 'complete', from: FIRST, to: LAST, service_id: service.id }],
    ['statistics.exported', { rows: 2, result: 'complete', from: FIRST, to: LAST, by: 'service' }],
  ]);
});

test('compares a period with the one of the same length directly before it', () => {
  expect(periodBefore({ from: '2026-03-01', to: '2026-03-31' })).toEqual({ from: '2026-01-29', to: '2026-02-28' });
  expect(periodBefore({ from: '2026-03-29', to: '2026-03-29' })).toEqual({ from: '2026-03-28', to: '2026-03-28' });
});
