import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkReference, holdsCardNumber } from '@/lib/booking/bookings/sensitive';
import { repeats } from '@/tests/support/soak';

/** Published test numbers of the five largest issuers and of Diners Club, UnionPay, and Maestro. */
const TEST_CARDS = {
  visa: [
    '4111111111111111',
    '4012888888881881',
    '4242424242424242',
    '4000056655665556',
    '4005519200000004',
    '4444333322221111',
    '4917610000000000003',
    '4222222222222',
    '4911830000000',
  ],
  mastercard: [
    '5555555555554444',
    '5105105105105100',
    '5200828282828210',
    '5454545454545454',
    '2223003122003222',
    '2221000000000009',
    '2720999999999996',
  ],
  amex: ['378282246310005', '371449635398431', '378734493671000', '343434343434343'],
  discover: ['6011111111111117', '6011000990139424', '6011981111111113', '6445644564456445', '6510000000000349'],
  jcb: ['3530111333300000', '3566002020360505', '3569990010095841', '3528000000000007'],
  others: ['30569309025904', '38520000023237', '36227206271667', '6200000000000005', '6304000000000000000'],
};

/** Returns a card number with `separator` between the groups of digits that are printed on cards. */
function grouped(number: string, separator: string): string {
  const amex = /^(\d{4})(\d{6})(\d{4,5})$/.exec(number);
  return (amex?.slice(1) ?? number.match(/\d{1,4}/g) ?? []).join(separator);
}

test.for(Object.values(TEST_CARDS).flat())('the test card %s is found, with and without separators', (number) => {
  expect(holdsCardNumber(number)).toBe(true);
  expect(holdsCardNumber(`order ${number}, paid`)).toBe(true);
  if (number.length < 14) return;
  for (const separator of [' ', '-']) {
    expect([separator, holdsCardNumber(grouped(number, separator))]).toEqual([separator, true]);
    expect(holdsCardNumber(`card ${grouped(number, separator)}.`)).toBe(true);
  }
});

test('of ten numbers in a range that differ in the last digit, exactly one is found', () => {
  const start = fc.oneof(
    fc.stringMatching(/^4\d{14}$/),
    fc.stringMatching(/^5[1-5]\d{13}$/),
    fc.stringMatching(/^3[47]\d{12}$/),
    fc.stringMatching(/^6011\d{11}$/),
    fc.stringMatching(/^35[3-8]\d{12}$/),
  );
  fc.assert(
    fc.property(start, (digits) => {
      expect(Array.from({ length: 10 }, (_, last) => `${digits}${last}`).filter(holdsCardNumber)).toHaveLength(1);
    }),
  );
});

test('a number outside the ranges of the issuers is not found', () => {
  const outside = fc.oneof(
    fc.stringMatching(/^[0179]\d{12,18}$/),
    fc.stringMatching(/^2(?:0|1|2[01]|7[3-9]|[89])\d{11,16}$/),
    fc.stringMatching(/^4\d{16,17}$/),
  );
  fc.assert(fc.property(outside, (number) => void expect(holdsCardNumber(number)).toBe(false)));
});

test.for([
  'x4111111111111111',
  '378282246310005x',
  'ORD-4111111111111111',
  '4111111111111111-A',
  'sku_4111111111111111',
  '14111111111111111',
  '4111-1111-1111-1111-1111',
  '41111111-1111-1111-1111-111111111111',
])('digits that do not stand alone are not a card number: %s', (reference) => {
  expect(holdsCardNumber(reference)).toBe(false);
});

const CUSTOMER = { name: 'Robin Sample', phone: '+493055501234' };
const isRefused = (reference: string): boolean => {
  try {
    checkReference(reference, CUSTOMER);
    return false;
  } catch {
    return true;
  }
};

/** Returns a random number generator with a fixed seed. */
function seeded(): (below: number) => number {
  let state = 20_261_122;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const random = seeded();
const digits = (count: number) => Array.from({ length: count }, () => random(10)).join('');
const hex = (count: number) => Array.from({ length: count }, () => random(16).toString(16)).join('');

/** Returns an EAN-13 with its check digit. */
function ean13(): string {
  const start = digits(12);
  const sum = [...start].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 1 : 3), 0);
  return `${start}${(10 - (sum % 10)) % 10}`;
}

const UUID_FORMS = [
  () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  () => `${digits(8)}-${digits(4)}-4${digits(3)}-8${digits(3)}-${digits(12)}`,
  () => `${hex(12)}4${hex(3)}a${hex(15)}`,
];
const ORDER_FORMS = [
  () => `${['ORD-', 'order-', 'INV_', '#', 'PO'][random(5)]}${digits(4 + random(9))}`,
  () => `${['ORD-', 'order_', 'SO'][random(3)]}${digits(13 + random(7))}`,
  () => `20${digits(2)}-${digits(2)}-${digits(2)}-${digits(6)}`,
];

// References that must not count as card numbers. For example, an airline ticket has 13 digits and can start with 4,
// like an old Visa number. Numbers of 13 digits count only if they are in `TEST_NUMBERS` (card-number.ts).
const REFERENCES: Record<string, () => string> = {
  'airline tickets': () => digits(3) + ['', '-', ' '][random(3)] + digits(10),
  'EAN-13 codes': ean13,
  'order numbers': () => ORDER_FORMS[random(3)]?.() ?? '',
  UUIDs: () => UUID_FORMS[random(3)]?.() ?? '',
};

const MANY = repeats(10_000, 100_000);

test.for(Object.entries(REFERENCES))(`none of ${MANY} %s is refused`, ([, generate]) => {
  const refused: string[] = [];
  for (let i = 0; i < MANY; i += 1) {
    const reference = generate();
    if (isRefused(reference)) refused.push(reference);
  }
  expect(refused).toEqual([]);
});
