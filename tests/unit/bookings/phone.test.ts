import { expect, test } from 'vitest';
import { spellingsOf } from '@/lib/booking/bookings/national-phone';
import { normalizeNational, normalizePhone } from '@/lib/contract/phone';

// The trunk prefix is not part of an international number (E.123). In Italy, San Marino, and Ivory Coast, the zero is a
// digit of the number (their numbering plans).
test.for([
  ['+44 (0)20 7946 0018', '+442079460018'],
  ['(+44) ( 0 ) 20 7946 0018', '+442079460018'],
  ['+44-(0)-20-7946-0018', '+442079460018'],
  ['+49 (0)30 5550 1234', '+493055501234'],
  ['+41 (0) 44 668 18 00', '+41446681800'],
  ['+33(0)1 99 00 12 34', '+33199001234'],
  ['+39 (0)6 12345678', '+390612345678'],
  ['+39 06 12345678', '+390612345678'],
  ['+378 (0)549 885 123', '+3780549885123'],
  ['+225 (0)7 05 12 34 56', '+2250705123456'],
  ['+999 (0)30 555 123', '+99930555123'],
] as const)('the trunk prefix in %s is read as %s', ([written, number]) => {
  expect(normalizePhone(written)).toBe(number);
});

test.for([
  '+44\u00a020\u00a07946\u00a00018',
  '+44 20\u20137946\u20130018',
  '+44 20\u20117946\u20110018',
  '+44 20\u22127946\u22120018',
  '\u202a+44 20 7946 0018\u202c',
  '\u2068+44 20 7946 0018\u2069',
  '\u200e+44 20 7946 0018\u200f',
  '+44\u200b20\u20607946\ufeff0018',
  '+44\u00ad2079460018',
  '+44.20.7946.0018',
  '[+44] 20 7946 0018',
  '\uff0b\uff14\uff14 \uff08\uff10\uff092079460018',
])('%j is the visible number', (written) => {
  expect(normalizePhone(written)).toBe('+442079460018');
});

test.for([
  '',
  '+',
  '+0 30 5550 1234',
  '+123456',
  '+1234567890123456',
  '++442079460018',
  '+44+2079460018',
  '+44/20/7946/0018',
  '+44\n2079460018',
  '+\u0664\u0664\u0662\u0660\u0667\u0669\u0664\u0666',
  '+44 (0)(0)20 7946 0018',
  '+44 (0)20 7946 (0)018',
  '+44 (0)20 7946 0018 (0)12',
  '+44 20 CALL NOW',
])('%j is not a phone number', (written) => {
  expect(normalizePhone(written)).toBeNull();
});

test('a number without a country code keeps only its digits', () => {
  expect(normalizeNational('\u202a020\u00a07946\u20130018\u202c')).toBe('02079460018');
  expect(normalizeNational('(030) 5550/1234')).toBe('03055501234');
  for (const text of ['12345', '1'.repeat(21), '030 x', '+49 30 5550 1234', ''])
    expect(normalizeNational(text)).toBeNull();
});

test('both spellings of a Mexican number are searched', () => {
  expect(spellingsOf('+5215512345678')).toEqual(['+5215512345678', '+525512345678']);
  expect(spellingsOf('+525512345678')).toEqual(['+525512345678', '+5215512345678']);
  for (const phone of ['+52155123456', '+493055501234', '+5255123456789']) expect(spellingsOf(phone)).toEqual([phone]);
});
