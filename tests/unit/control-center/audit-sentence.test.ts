import { expect, test } from 'vitest';
import { toWords } from '@/app/(control-center)/audit/_components/format';
import { sentenceOf } from '@/app/(control-center)/audit/_components/sentence';

const service = { object_kind: 'service', object_id: 'svc_1', object_name: 'Haircut', before: null, after: null };
const eur = (amount: number) => ({ amount, currency: 'EUR' });
const updated = (before: object, after: object) =>
  sentenceOf({ ...service, action: 'service.updated', before: { ...before }, after: { ...after } });

test('a changed price names the price before and after', () => {
  expect(updated({ price: eur(16_500) }, { price: eur(17_500) })).toBe(
    'raised the price of Haircut from €165.00 to €175.00',
  );
  expect(updated({ price: eur(900) }, { price: eur(0) })).toBe('lowered the price of Haircut from €9.00 to €0.00');
  expect(updated({ price: null }, { price: eur(900) })).toBe('set the price of Haircut to €9.00');
  expect(updated({ price: eur(900) }, { price: null })).toBe('removed the price of Haircut');
  const yen = { amount: 900, currency: 'JPY' };
  expect(updated({ price: eur(900) }, { price: yen })).toBe('changed the price of Haircut from €9.00 to ¥900');
});

test('an export names the number of rows once it has ended', () => {
  const requests = { ...service, action: 'requests.exported', object_kind: 'request_log', object_name: null };
  expect(sentenceOf({ ...requests, after: { rows: 1204, result: 'complete' } })).toBe('exported 1,204 requests');
  expect(sentenceOf({ ...requests, after: { period: '24h' } })).toBe('started an export of requests');
  expect(sentenceOf({ ...requests, action: 'audit.exported', after: { rows: 1 } })).toBe('exported 1 change');
});

test('other changes name the object and the changed fields', () => {
  expect(updated({ capacity: 1, name: { en: 'A' } }, { capacity: 2, name: { en: 'B' } })).toBe(
    'changed the capacity and name of Haircut',
  );
  expect(sentenceOf({ ...service, action: 'service.published' })).toBe('published the service Haircut');
  const application = { ...service, object_kind: 'application', object_name: 'Partner $&' };
  expect(sentenceOf({ ...application, action: 'application.suspended' })).toBe('suspended Partner $&');
  expect(sentenceOf({ ...application, action: 'key.issued', object_name: null })).toBe('issued the key svc_1');
  const booking = { ...service, object_kind: 'booking', object_id: 'pbr_1', object_name: null };
  expect(sentenceOf({ ...booking, action: 'booking.found_by_phone' })).toBe('found booking pbr_1 by phone number');
  expect(sentenceOf({ ...application, action: 'something.else_new' })).toBe('something else new: Partner $&');
});

test('actions and fields are words in American spelling', () => {
  expect(['policy_changed', 'booking.cancelled', 'cancelled_by'].map(toWords)).toEqual([
    'policy changed',
    'booking canceled',
    'canceled by',
  ]);
});
