import { beforeAll, expect, test } from 'vitest';
import { generateKey } from '@/lib/access/applications/key-format';
import { countRows, expectFields, NOTHING } from '@/tests/support/booking-rows';
import { CUSTOMER, type Desk, makeDesk } from '@/tests/support/bookings';
import { expectNoEcho } from '@/tests/support/echo';

let desk: Desk;

beforeAll(async () => {
  desk = await makeDesk();
});

async function expectSensitive(external_reference: string, customer = CUSTOMER) {
  const reply = await desk.create(desk.body('10:00', { external_reference, customer }));
  expectFields(reply, ['external_reference'], 'sensitive_reference');
  if (external_reference.length > 5) expectNoEcho(reply, external_reference);
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
}

test.for([
  'robin@sample.example',
  'order 12 <Robin.Sample+x@mail.sample.example>',
  'mailto:r@s.io',
  'RÖBIN@münchen.example',
  'ｒｏｂｉｎ＠ｓａｍｐｌｅ．ｅｘａｍｐｌｅ',
])('rejects an email address: %s', (reference) => expectSensitive(reference));

test.for([
  '+493055501234',
  '493055501234',
  '+49 30 5550-1234',
  '(0)30/5550.1234',
  'call 3055501234 now',
  'order-4711-030_5550_1234-x',
  '00 49 30 5550 1234',
  '３０５５５０１２３４',
])('rejects the digits of the phone, with or without the country code: %s', (reference) => expectSensitive(reference));

test('compares against the normalized phone', async () => {
  await expectSensitive('2125550100', { ...CUSTOMER, phone: '+1 (212) 555-0100' });
});

test.for(['Robin Sample', 'robin.sample.2', 'ORDER ROBINSAMPLE', 'x-Robin_Sample', 'Róbín Sàmple'])(
  'rejects the full name of the customer: %s',
  (reference) => expectSensitive(reference),
);

test('rejects a name of six letters regardless of separators and order', async () => {
  await expectSensitive('for li-wang', { ...CUSTOMER, name: 'Li Wang' });
  await expectSensitive('mueller ZOE 山田太郎一二', { ...CUSTOMER, name: '山田 太郎一二' });
});

test.for([
  '4111111111111111',
  '4111 1111 1111 1111',
  'card 5555-5555-5555-4444.',
  '4222222222222',
  '6304000000000000000',
  '378282246310005 x',
])('rejects the number of a payment card: %s', (reference) => expectSensitive(reference));

test('rejects an API key and a signing secret', async () => {
  await expectSensitive(generateKey());
  await expectSensitive(`key=${generateKey().replace('test', 'live')};`);
  await expectSensitive(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
});

test.for([
  '',
  'x'.repeat(129),
  '😀'.repeat(129),
  'x'.repeat(5_000),
  'a\nb',
  'a\tb',
  'a\u0000b',
  'a\u007fb',
  'a\u200bb',
  'a\u202eb',
  'a\u2028b',
  'a\ud800b',
  'a\uffffb',
  'order K\ufffdche',
])('rejects a reference that is not 1 to 128 printable characters: %j', async (external_reference) => {
  expectFields(await desk.create(desk.body('10:00', { external_reference })), ['external_reference']);
  expect(await countRows(desk.tenant.id)).toEqual(NOTHING);
});
