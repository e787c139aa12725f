import { expect, test } from 'vitest';
import { db } from '@/lib/platform/db';
import { dayAhead, makeDesk } from '@/tests/support/bookings';
import { expectIntact } from '@/tests/support/invariants';
import { makeMember } from './applications-people';
import { done } from './catalog-records';

type Check = {
  basis: string;
  issues: { row: number | null; field: string | null; message: string }[];
  issue_count: number;
  warnings: { row: number; rules: string[] }[];
  created: number;
  known: number;
};

async function makeHouse(options?: Parameters<typeof makeDesk>[0]) {
  const house = await makeDesk(options);
  const owner = await makeMember(house.tenant.id, 'OWNER', 'Olga Owner');
  const [specialist = ''] = house.ids;
  const row = (start_time: string, more: object = {}) => ({
    service: 'haircut',
    specialist,
    date: dayAhead(),
    start_time,
    customer_name: 'Robin Sample',
    customer_phone: '+49 30 5550 1234',
    consent_to_contact: true,
    ...more,
  });
  const document = (...bookings: object[]) => JSON.stringify({ format: 'partner-booking-bookings/1', bookings });
  const check = (text: string) => done<Check>(owner.mutate('bookings.transfer.check', { text }));
  const run = (text: string, basis: string) => owner.mutate('bookings.transfer.import', { text, basis });
  const count = () => db().booking.count({ where: { tenantId: house.tenant.id } });
  return { ...house, owner, row, document, check, run, count };
}

const outdated = { status: 409, error: { code: 'version_conflict' } };

test('an import makes all bookings once, takes their time, and tells no partner', async () => {
  const house = await makeHouse({ service: { priceAmount: 4_900, priceCurrency: 'EUR' } });
  const { tenant, owner, row, document, check, run, starts, count } = house;
  const text = document(
    row('10:00', {
      price_amount: 3_900,
      note: 'Side door.',
      customer_email: 'r@sample.example',
      external_reference: 'A-1001',
    }),
    row('11:00', { location: house.location.id, specialist: 'Alex Example' }),
    row('20:10'),
    row('09:00', { date: dayAhead(-2) }),
  );
  const checked = await check(text);
  expect(checked).toMatchObject({ issues: [], issue_count: 0, created: 4, known: 0 });
  expect(checked.warnings).toEqual([
    { row: 3, rules: ['outside_schedule'] },
    { row: 4, rules: ['lead_time'] },
  ]);
  expect(await count()).toBe(0);
  expect(await run(text, 'other')).toMatchObject(outdated);
  expect(await run(text, checked.basis)).toMatchObject({ status: 200, data: { created: 4 } });
  expect((await starts()).filter((start) => ['10:00', '11:00'].includes(start))).toEqual([]);
  const rows = await db().booking.findMany({ where: { tenantId: tenant.id }, orderBy: { startsAt: 'asc' } });
  expect(
    rows.map(({ source, applicationId, consentSource, version }) => [source, applicationId, consentSource, version]),
  ).toEqual(Array(4).fill(['business', null, 'business', 1]));
  expect(rows[1]).toMatchObject({ priceAmount: 3_900, priceCurrency: 'EUR', externalReference: 'A-1001' });
  expect(rows[2]?.externalReference).toMatch(/^B-[0-9A-Z]{6}$/);
  const reference = rows[1]?.reference ?? '';
  expect((await owner.mutate('bookings.contact', { reference })).data).toMatchObject({
    customer: { name: 'Robin Sample', phone: '+493055501234', email: 'r@sample.example', note: 'Side door.' },
  });
  expect((await owner.mutate('bookings.find_by_phone', { phone: '+493055501234' })).data).toMatchObject({
    bookings: { length: 4 },
  });
  expect(await db().event.count({ where: { tenantId: tenant.id, applicationId: null } })).toBe(4);
  expect(await db().delivery.count({ where: { tenantId: tenant.id } })).toBe(0);
  const [entry, ...more] = await db().auditLog.findMany({
    where: { tenantId: tenant.id, action: 'bookings.imported' },
  });
  expect([entry?.after, more]).toMatchObject([{ bookings: 4, date_from: dayAhead(-2), date_to: dayAhead() }, []]);

  // The same file again imports nothing, and a longer one only what is new. A booking like any other can be moved.
  const move = { reference, expected_version: 1, date: dayAhead(), start_time: '14:00' };
  expect(await owner.mutate('bookings.reschedule', move)).toMatchObject({ status: 200 });
  expect(await check(text)).toMatchObject({ issues: [], created: 0, known: 4 });
  const longer = text.replace(']}', `,${JSON.stringify(row('12:00'))}]}`);
  const again = await check(longer);
  expect(again).toMatchObject({ issues: [], created: 1, known: 4 });
  const both = await Promise.all([run(longer, again.basis), run(longer, again.basis)]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await count()).toBe(5);
  await expectIntact(tenant.id);
});

test('conflicts are listed by row and field, and then nothing is imported', async () => {
  const { tenant, row, document, check, run, book, count } = await makeHouse();
  await book('10:00');
  const text = document(
    row('09:00'),
    row('10:00'),
    row('09:00', { customer_name: 'Kim Other' }),
    row('11:00', { service: 'Nothing' }),
    row('11:00', { specialist: 'Nobody' }),
    row('11:00', { customer_phone: '030 5550' }),
    row('11:00', { consent_to_contact: false, date: '2026-02-30' }),
    row('12:00', { date: dayAhead(-8) }),
    row('12:00', { price_amount: 100 }),
    row('12:00', { extra: 1 }),
    row('09:00'),
    row('13:00', { external_reference: '+49 30 5550 1234' }),
    row('13:00', { note: 'pbk_test_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ' }),
    row('13:00', { customer_email: 'robin' }),
  );
  const { issues, basis, issue_count } = await check(text);
  const places = issues.map(({ row: at, field }) => [at, field]).sort((a, b) => Number(a[0]) - Number(b[0]));
  expect(places).toEqual(
    [
      [2, 'start_time'],
      [3, 'start_time'],
      [4, 'service'],
      [5, 'specialist'],
      [6, 'customer_phone'],
      [7, 'date'],
      [7, 'consent_to_contact'],
      [8, 'date'],
      [9, 'price_amount'],
      [10, 'extra'],
      [11, null],
      [12, 'external_reference'],
      [13, 'note'],
      [14, 'customer_email'],
    ].sort((a, b) => Number(a[0]) - Number(b[0]) || 0),
  );
  expect(issue_count).toBe(14);
  expect(JSON.stringify(issues)).not.toMatch(/5550|Kim|Robin|pbk_/);
  expect(await run(text, basis)).toMatchObject(outdated);
  expect(await count()).toBe(1);
  await expectIntact(tenant.id);
});

test('between the check and the import, a partner takes a seat: nothing is imported', async () => {
  const { row, document, check, run, book, count } = await makeHouse();
  const text = document(row('09:00'), row('10:00'), row('11:00'));
  const { basis } = await check(text);
  await book('10:00');
  expect(await run(text, basis)).toMatchObject(outdated);
  expect(await count()).toBe(1);
  expect((await check(text)).issues).toEqual([
    {
      row: 2,
      field: 'start_time',
      message: 'another appointment of the specialist, with its buffers, is in the way, or the group is full',
    },
  ]);
});

test('rows of a group share the seats of their claim, also with bookings of partners', async () => {
  const { tenant, row, document, check, run, book, create, body } = await makeHouse({ service: { capacity: 3 } });
  await book('10:00');
  const named = (start_time: string, customer_name: string) => row(start_time, { customer_name });
  const text = document(named('10:00', 'A'), named('10:00', 'B'), named('11:00', 'A'), named('11:00', 'B'));
  const { basis, issues } = await check(text);
  expect(issues).toEqual([]);
  expect(await run(text, basis)).toMatchObject({ status: 200, data: { created: 4 } });
  const claims = await db().slotClaim.findMany({ where: { tenantId: tenant.id }, orderBy: { startsAt: 'asc' } });
  expect(claims.map(({ taken, capacity }) => [taken, capacity])).toEqual([
    [3, 3],
    [2, 3],
  ]);
  expect((await create(body('10:00'))).status).toBe(409);
  expect((await create(body('11:00'))).status).toBe(201);
  expect((await check(document(named('10:00', 'C')))).issues).toMatchObject([{ row: 1, field: 'start_time' }]);
  await expectIntact(tenant.id);
});

test('a CSV file may come from a spreadsheet', async () => {
  const { check, run, count } = await makeHouse();
  const header = 'Service;Specialist;Date;Start_time;Customer_name;Customer_phone;Consent_to_contact;Note';
  const line = `Haircut;Alex Example;${dayAhead()};10:00;"Sample; ""Robin""";'+49 30 5550 1234;yes;`;
  const emptied = ';;; ;;;;';
  const text = `\ufeff${header}\r\n${line}\r\n${emptied}\r\n\r\n`;
  const { issues, basis, created } = await check(text);
  expect([issues, created]).toEqual([[], 1]);
  expect((await run(text, basis)).status).toBe(200);
  expect(await count()).toBe(1);
  const only = async (csv: string) => (await check(csv)).issues;
  expect(await only(`${header};Color\n`)).toMatchObject(
    [{ row: null, message: /unknown column, number 9/ }].map((issue) => ({
      ...issue,
      message: expect.stringMatching(issue.message),
    })),
  );
  expect(await only('service,date\nx,y')).toMatchObject([{ row: null, field: 'specialist' }]);
  expect(await only(`${header}\n"a`)).toMatchObject([{ row: null, field: null }]);
  expect(await only(`${header}\n${line};x`)).toMatchObject([{ row: 1, field: 'column_9' }]);
  expect(await only('service,date')).toMatchObject([{ row: null }]);
  expect(await only(`${header};Price_amount\n${line};39.00`)).toEqual([
    { row: 1, field: 'price_amount', message: 'must be a whole number from 0 to 2147483647' },
  ]);
  expect(await only('{"format":"partner-booking-bookings/1","bookings":["Robin"]}')).toEqual([
    { row: 1, field: null, message: 'must be an object' },
  ]);
});

test('refuses what is too large, and support and the front desk', async () => {
  const { tenant, owner, row, document, check } = await makeHouse();
  expect((await check(document(...Array(5_001).fill({})))).issues).toMatchObject([{ row: null }]);
  expect((await check('x'.repeat(4 * 1024 * 1024 + 1).slice(0, 4 * 1024 * 1024 - 100))).issues).toHaveLength(1);
  expect((await check('['.repeat(10_000))).issue_count).toBe(1);
  for (const role of ['SUPPORT', 'FRONT_DESK'] as const) {
    const member = await makeMember(tenant.id, role, 'Another Member');
    expect(await member.mutate('bookings.transfer.check', { text: document(row('10:00')) })).toMatchObject({
      status: 403,
    });
  }
  expect(await owner.mutate('bookings.transfer.check', { packed: 'AAAA' })).toMatchObject({ status: 400 });
});

test('the largest file is imported within seconds', async () => {
  const { tenant, row, document, check, run, count } = await makeHouse({ service: { maxAdvanceDays: 365 } });
  const rows = Array.from({ length: 1_000 }, (_, index) => {
    const minutes = 540 + (index % 16) * 30;
    const time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 === 0 ? '00' : '30'}`;
    return row(time, { date: dayAhead(1 + Math.floor(index / 16)) });
  });
  const text = document(...rows);
  const { issues, basis, created } = await check(text);
  expect([issues, created]).toEqual([[], 1_000]);
  expect(await run(text, basis)).toMatchObject({ status: 200, data: { created: 1_000 } });
  expect(await count()).toBe(1_000);
  await expectIntact(tenant.id);
});
