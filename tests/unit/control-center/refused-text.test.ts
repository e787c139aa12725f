import { expect, test } from 'vitest';
import { formatDate } from '@/app/t/[tenant]/bookings/_components/format';
import { refusedText } from '@/app/t/[tenant]/requests/_components/refused-text';

const NONE = { service: null, location: null, specialist: null, date: null, start_time: null };
const ALL = {
  service: { id: 'svc_1', name: 'Haircut' },
  location: { id: 'loc_1', name: 'Salon Mitte', time_zone: 'Europe/Berlin' },
  specialist: { id: 'spc_1', name: 'Ana' },
  date: '2026-11-24',
  start_time: '10:00',
};
const DAY = formatDate('2026-11-24');

test('states what was refused, with names or else IDs, without what is unknown', () => {
  expect(refusedText({ ...ALL, specialist: null }, 'INV-1')).toBe(
    `Haircut at Salon Mitte on ${DAY} at 10:00 (Europe/Berlin), external reference INV-1`,
  );
  expect(refusedText(ALL, null)).toBe(`Haircut with Ana at Salon Mitte on ${DAY} at 10:00 (Europe/Berlin)`);
  const unnamed = { id: 'loc_9', name: null, time_zone: null };
  expect(refusedText({ ...ALL, service: { id: 'svc_9', name: null }, location: unnamed, specialist: null }, null)).toBe(
    `svc_9 at loc_9 on ${DAY} at 10:00`,
  );
  expect(refusedText({ ...NONE, date: '2026-11-24' }, 'INV-1')).toBe(`On ${DAY}, external reference INV-1`);
  expect(refusedText(null, 'INV-1')).toBe('External reference INV-1');
  expect(refusedText(null, null)).toBeNull();
});
