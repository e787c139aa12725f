import { expect, test } from 'vitest';
import type { Viewer } from '@/app/t/[tenant]/_components/roles';
import { phoneItems } from '@/app/t/[tenant]/_components/search/palette/items';
import { isPartOfPhone } from '@/app/t/[tenant]/bookings/_components/list/phone';
import { translatorFor } from '@/tests/support/messages';

const choices = (role: Viewer, text: string) => phoneItems(translatorFor('en', 'shell'), role, text);

const hrefs = (role: Viewer, text: string) => choices(role, text).map(({ href }) => href);

test('a phone number in the palette finds its bookings, for members who may view contacts', () => {
  for (const role of ['OWNER', 'FRONT_DESK'] as const) {
    expect(choices(role, ' tel:+49 (30) 5550-1234\u200e')).toEqual([
      {
        href: '/bookings',
        label: 'Find bookings for +49 (30) 5550-1234',
        detail: 'Phone number',
        phone: { phone: '+49 (30) 5550-1234' },
      },
    ]);
  }
  expect(choices('SUPPORT', '+49 30 5550 1234')).toEqual([]);
  expect(choices('SUPPORT', '030 5550 1234')).toEqual([]);
});

test('a number without a country code can also be an external reference', () => {
  const bookings = '/bookings?period=all&reference=0305550123';
  expect(choices('OWNER', '0305550123')[0]?.phone).toEqual({ national: '0305550123' });
  expect(hrefs('OWNER', '0305550123')).toEqual(['/bookings', bookings, '/requests?period=30d&reference=0305550123']);
  expect(choices('OWNER', '0305550123').map(({ label }) => label)).toEqual([
    'Find bookings for 0305550123',
    'Find reference 0305550123 in bookings',
    'Find reference 0305550123 in requests',
  ]);
  expect(hrefs('FRONT_DESK', '0305550123')).toEqual(['/bookings', bookings]);
  for (const text of ['12345678', 'order-0305550123', 'Anna', '']) expect(hrefs('OWNER', text)).toEqual([]);
});

test('a part of a phone number gets a hint, and a whole number or a reference does not', () => {
  for (const text of ['+49 30', '030 55', '5550', '55501234', '(030)', ' 030/55 ']) {
    expect(isPartOfPhone(text), text).toBe(true);
  }
  for (const text of ['+49 30 5550 1234', '030 5550 1234', '0305550', 'order-1234', 'pbr_1', '5', '']) {
    expect(isPartOfPhone(text), text).toBe(false);
  }
});
