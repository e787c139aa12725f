import fc from 'fast-check';
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { beforeAll, expect, test } from 'vitest';
import { countryCode, maskName, maskPhone, openCustomer, sealCustomer } from '@/lib/booking/bookings/customer';

beforeAll(() => {
  process.env.DATABASE_URL = 'postgresql://localhost/none';
  process.env.SECRET_KEY = 'x'.repeat(32);
});

const phone = fc.stringMatching(/^\+[1-9]\d{6,14}$/);

test.for([
  ['+493055501234', '49'],
  ['+12125550100', '1'],
  ['+3584012345', '358'],
  ['+79161234567', '7'],
  ['+8612345678', '86'],
  ['+9990001111', '999'],
  ['+2101234567', '210'],
])('%s has the country code %s', ([number, code]) => {
  expect(countryCode(number ?? '')).toBe(code);
});

test('recognizes every assigned calling code', () => {
  for (const code of new Set(getCountries().map((country) => getCountryCallingCode(country)))) {
    expect(countryCode(`+${code}5550123`)).toBe(code);
  }
});

test('a masked phone number shows only its country code and last three digits', () => {
  fc.assert(
    fc.property(phone, (number) => {
      const masked = maskPhone(number);
      expect(masked).toHaveLength(number.length);
      expect(masked).toMatch(/^\+\d{1,3}\*+\d{3}$/);
      expect(masked.slice(-3)).toBe(number.slice(-3));
      expect(number.startsWith(masked.slice(0, masked.indexOf('*')))).toBe(true);
    }),
  );
});

test('a customer can be decrypted only for its booking, and each encryption differs', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }), phone, (name, number) => {
      const [one, two] = [
        sealCustomer('pbr_one', { name, phone: number }),
        sealCustomer('pbr_one', { name, phone: number }),
      ];
      expect(one.name.equals(two.name)).toBe(false);
      const row = { customer_name: one.name, customer_phone: one.phone };
      expect(openCustomer({ reference: 'pbr_one', ...row })).toEqual({ name, phone: number });
      expect(() => openCustomer({ reference: 'pbr_two', ...row })).toThrow();
      const turned = { customer_name: one.phone, customer_phone: one.name };
      expect(() => openCustomer({ reference: 'pbr_one', ...turned })).toThrow();
    }),
    { numRuns: 30 },
  );
});

test('an anonymized booking has no customer', () => {
  expect(openCustomer({ reference: 'pbr_one', customer_name: null, customer_phone: null })).toBeNull();
});

test('a masked name shows only its first letter, also of two UTF-16 units', () => {
  expect(['Robin', '𐐤eseret', '李', ''].map(maskName)).toEqual(['R***', '𐐤***', '李***', '***']);
});
