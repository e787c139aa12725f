import { expect, test } from 'vitest';
import { daysOf, sectionAt } from '@/app/t/[tenant]/bookings/_components/list/days';
import { readNational, readPhone } from '@/app/t/[tenant]/bookings/_components/list/phone';
import { type BookingsQuery, listInput } from '@/app/t/[tenant]/bookings/_components/query';

const QUERY: BookingsQuery = {
  period: 'upcoming',
  from: null,
  to: null,
  status: null,
  location: null,
  service: null,
  specialist: null,
  application: null,
  reference: null,
  sort: 'starts_at',
  direction: null,
  cursor: null,
  back: false,
};

test.each<[Partial<BookingsQuery>, string | null]>([
  [{}, 'active'],
  [{ location: 'loc_1' }, 'active'],
  [{ status: 'any' }, null],
  [{ status: 'cancelled' }, 'cancelled'],
  // A search for a reference finds bookings with any status, unless a status is selected.
  [{ reference: 'order-1' }, null],
  [{ reference: 'order-1', status: 'confirmed' }, 'confirmed'],
])('%j selects the status %j', (query, status) => {
  expect(listInput({ ...QUERY, ...query }).status).toBe(status);
});

test('groups consecutive bookings of a date', () => {
  const on = (date: string) => ({ date });
  expect(daysOf([])).toEqual([]);
  expect(daysOf(['1', '1', '2', '1'].map(on))).toEqual([[on('1'), on('1')], [on('2')], [on('1')]]);
});

test('separates the upcoming, past, and canceled bookings of one date', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const on = (status: string, time: string) => ({ date: '1', status, ends_at: `2026-11-23T${time}:00+01:00` });
  const all = [on('confirmed', '14:00'), on('completed', '13:01'), on('no_show', '13:00'), on('cancelled', '14:00')];
  const sectionOf = (booking: (typeof all)[number]) => sectionAt(now, booking);
  expect(all.map(sectionOf)).toEqual([null, null, 'past', 'cancelled']);
  expect(daysOf(all, sectionOf).map((day) => day.length)).toEqual([2, 1, 1]);
});

test.each([
  ['+49 30 5550 1234', '+49 30 5550 1234'],
  ['tel:+493055501234', '+493055501234'],
  [' \u202a+49 (30)\u00a05550/1234\u202c ', '+49 (30) 5550 1234'],
  // Digits without a plus sign are not read as a phone number, because they can be an external reference.
  ['493055501234', null],
  ['order +49', null],
  ['pbr_epe9f4s3kkt3g9zes8mr0zb4sx', null],
])('reads %j as the phone number %j', (text, phone) => {
  expect(readPhone(text)).toBe(phone);
});

test.each([
  ['030 5550 1234', '030 5550 1234'],
  ['(212) 555-1234', '(212) 555-1234'],
  ['tel:030/55501234', '030 55501234'],
  ['03055501234', '03055501234'],
  // The last of these has a country code. All others are more likely external references than phone numbers.
  ['493055501234', null],
  ['2024-11-0042', null],
  ['0042', null],
  ['030 5550 ext 1', null],
  ['+49 30 5550 1234', null],
])('reads %j as the phone number %j without a country code', (text, phone) => {
  expect(readNational(text)).toBe(phone);
});
