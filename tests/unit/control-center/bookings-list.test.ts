import { expect, test } from 'vitest';
import { daysOf } from '@/app/(control-center)/bookings/_components/days';
import { type BookingsQuery, listInput } from '@/app/(control-center)/bookings/_components/query';

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
  // A search for a reference also finds a canceled booking.
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
