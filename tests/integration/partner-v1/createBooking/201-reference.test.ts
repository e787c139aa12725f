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
  // No address: nothing before the sign, no dot after it, or no sign.
  'table@12',
  '@robin.example',
  'robin.example.com',
  // Digits of the phone with one other, or cut short by one.
  '4930555012345'.replace('1', '2'),
  '493055501',
  '30-5550-123',
  // Half the name, its letters in another order, or others between them.
  'Robin',
  'Sample Robin',
  'Robin X Sample',
  // The check digit does not fit.
  '4111111111111112',
  '4111 1111 1111 1112',
  // Too short and too long for a card number.
  '000000000000',
  '41111111111111110000',
  // No credential without its separators.
  'pbk-test-abcdefgh',
  'whsec.abc',
];

test.for(HARMLESS)('a reference that holds nothing sensitive is kept as it is: %j', async (external_reference) => {
  const { status, data } = await desk.create(desk.body('10:00', { external_reference }));
  expect([status, data?.booking.external_reference]).toEqual([201, external_reference]);
});

test('a name of fewer than six letters may stand in a reference', async () => {
  const customer = { ...CUSTOMER, name: 'Jo Lee' };
  const { status } = await desk.create(desk.body('10:00', { external_reference: 'Jo Lee 12', customer }));
  expect(status).toBe(201);
});

test('the phone and name of somebody else may stand in a reference', async () => {
  const customer = { ...CUSTOMER, name: 'Alex Another', phone: '+1 212 555 0100' };
  const { status } = await desk.create(desk.body('10:00', { external_reference: 'Robin Sample 3055501234', customer }));
  expect(status).toBe(201);
});

test('the same reference may be used twice', async () => {
  const more = { external_reference: 'twice' };
  const [one, two] = [await desk.book('11:00', more), await desk.book('11:00', more)];
  expect(one.reference).not.toBe(two.reference);
});
