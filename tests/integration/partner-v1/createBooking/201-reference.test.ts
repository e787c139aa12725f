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
  // Not an email address: nothing before the @, no dot after it, or no @.
  'table@12',
  '@robin.example',
  'robin.example.com',
  // The digits of the phone with one changed, or with too few left.
  '4930555012345'.replace('1', '2'),
  '493055501',
  '30-5550-123',
  // Half the name, its parts reversed, or other letters in between.
  'Robin',
  'Sample Robin',
  'Robin X Sample',
  // A wrong check digit.
  '4111111111111112',
  '4111 1111 1111 1112',
  // Too short and too long for a card number.
  '000000000000',
  '41111111111111110000',
  // Credential prefixes with the wrong separator.
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
