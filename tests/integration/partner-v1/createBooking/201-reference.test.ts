import { beforeAll, expect, test } from 'vitest';
import { CUSTOMER, type Desk, makeDesk } from '@/tests/support/bookings';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk({ service: { capacity: 1000 } });
});

const HARMLESS = [
  'x',
  '0',
  'x'.repeat(128),
  '😀'.repeat(128),
  'Order #4711 (Tür 3, 2. OG)',
  'urn:uuid:0190b1f2-7c4e-7a3b-9d5e-2f6a8c0e4b1d',
  '注文 4711',
  ' ',
  ' order\u00a04711 ',
  // These are not email addresses: there is no dot after the @, nothing before the @, or no @.
  'table@12',
  '@robin.example',
  'robin.example.com',
  // These do not match the customer's phone number: one digit differs, or too many digits are missing.
  '4930555012345'.replace('1', '2'),
  '493055501',
  '30-5550-123',
  // These do not contain the customer's full name: one name alone, the names in reverse order, or the names with a
  // letter between them.
  'Robin',
  'Sample Robin',
  'Robin X Sample',
  // These card numbers have a wrong check digit.
  '4111111111111112',
  '4111 1111 1111 1112',
  // These have the check digit of a card number, but they are an airline ticket number, an EAN-13 code, and part of an
  // id.
  '2201234567891',
  '4006380000094',
  'ORD-4111111111111111',
  // These numbers are too short or too long to be card numbers.
  '000000000000',
  '41111111111111110000',
  // These begin with the prefix of a credential, but have the wrong separator after it.
  'pbk-test-abcdefgh',
  'whsec.abc',
];

test.for(HARMLESS)('stores a reference without sensitive data unchanged: %j', async (external_reference) => {
  const { status, data } = await desk.create(desk.body('10:00', { external_reference }));
  expect([status, data?.booking.external_reference]).toEqual([201, external_reference]);
});

test('accepts a customer name of fewer than six letters in a reference', async () => {
  const customer = { ...CUSTOMER, name: 'Jo Lee' };
  const { status } = await desk.create(desk.body('10:00', { external_reference: 'Jo Lee 12', customer }));
  expect(status).toBe(201);
});

test('accepts the phone and name of another person in a reference', async () => {
  const customer = { ...CUSTOMER, name: 'Alex Another', phone: '+1 212 555 0100' };
  const { status } = await desk.create(desk.body('10:00', { external_reference: 'Robin Sample 3055501234', customer }));
  expect(status).toBe(201);
});

test('accepts the same reference for two bookings', async () => {
  const more = { external_reference: 'twice' };
  const [one, two] = [await desk.book('11:00', more), await desk.book('11:00', more)];
  expect(one.reference).not.toBe(two.reference);
});
