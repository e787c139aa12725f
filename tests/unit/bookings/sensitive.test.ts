import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkReference } from '@/lib/booking/bookings/sensitive';

const ROBIN = { name: 'Robin Sample', phone: '+493055501234' };

function isRefused(reference: string, customer = ROBIN): boolean {
  try {
    checkReference(reference, customer);
    return false;
  } catch (error) {
    expect(error).toMatchObject({
      code: 'invalid_request',
      reason: 'sensitive_reference',
      fields: [{ path: 'external_reference' }],
    });
    return true;
  }
}

const separator = fc.constantFrom(
  ...['', '  ', ' - ', '\u3164', '\u00a0', '\u2013', '\u2022'],
  ...` -./()_+,:;'|*~#=&%"<>!?`,
);

test('finds the digits of the phone number with any separators', () => {
  const gaps = fc.array(separator, { minLength: 12, maxLength: 12 });
  fc.assert(
    fc.property(gaps, fc.boolean(), fc.constantFrom('', 'order ', '0', '00'), (between, whole, before) => {
      const digits = [...(whole ? '493055501234' : '3055501234')];
      const written = digits.map((digit, i) => digit + (between[i] ?? '')).join('');
      expect(isRefused(`${before}${written}x`)).toBe(true);
    }),
  );
});

test('finds the digits of every script', () => {
  // All decimal digits of Unicode, ten per script in ascending order.
  const all = Array.from({ length: 0x1fbfa }, (_, code) => String.fromCodePoint(code)).filter((character) =>
    /\p{Nd}/u.test(character),
  );
  expect(all.length).toBeGreaterThanOrEqual(760);
  for (let at = 0; at < all.length; at += 10) {
    const written = [...'3055501234'].map((digit) => all[at + Number(digit)]).join('');
    expect([all[at], isRefused(`x ${written}`)]).toEqual([all[at], true]);
    const card = [...'4111111111111111'].map((digit) => all[at + Number(digit)]).join('');
    expect([all[at], isRefused(card)]).toEqual([all[at], true]);
  }
});

test.for([',', ':', "'", '|', '*', '~', '\u2022', '\u2013', ', '])(
  'finds a card number with %j between its groups',
  (gap) => {
    expect(isRefused(['4111', '1111', '1111', '1111'].join(gap))).toBe(true);
  },
);

test('finds both spellings of a mobile number of Mexico', () => {
  for (const phone of ['+5215512345678', '+525512345678'])
    for (const reference of ['x 5512345678', 'x 525512345678', 'x 52 1 55 1234 5678'])
      expect(isRefused(reference, { name: 'Robin Sample', phone })).toBe(true);
});

test('finds the letters of the name with any separators and in any case', () => {
  const gaps = fc.array(fc.constantFrom('', ' ', '-', '.', '_', '7', "'", '\u3164', '\u30fc', '\u0640'), {
    minLength: 11,
    maxLength: 11,
  });
  fc.assert(
    fc.property(gaps, fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }), (between, upper) => {
      const written = [...'robinsample'].map((letter, i) => (upper[i] ? letter.toUpperCase() : letter) + between[i]);
      expect(isRefused(`x9 ${written.join('')} 9x`)).toBe(true);
    }),
  );
});

test('shorter and longer numbers are not card numbers', () => {
  const customer = { name: 'Jo Lee', phone: '+999123456789012' };
  fc.assert(
    fc.property(fc.stringMatching(/^([1-9]\d{0,11}|[1-9]\d{19,30})$/), (number) => {
      expect(isRefused(number, customer)).toBe(false);
    }),
  );
});

test.for(['pbk_test_', 'pbk_live_', 'PBK_LIVE_', 'whsec_'])('a credential is recognized by its prefix %s', (prefix) => {
  expect(isRefused(`x${prefix}0123456789abcdefghijklmnopqrstuv`)).toBe(true);
});

test('ids of this API and ordinary references are accepted', () => {
  const ids = fc.constantFrom('ORD', 'inv', 'CRM-Case', '#');
  fc.assert(
    fc.property(ids, fc.nat(99_999_999), fc.uuid(), (prefix, number, uuid) => {
      expect(isRefused(`${prefix}-${number}`)).toBe(false);
      expect(isRefused(uuid)).toBe(false);
    }),
  );
});

test.for([
  ['a short national number occurs by chance', 'ORD-4000123', { name: 'Jo Lee', phone: '+6834000' }, false],
  ['a short national number in a UUID', 'uuid-22158aef', { name: 'Jo Lee', phone: '+29022158' }, false],
  ['a short number with its country code', 'ORD-6834000', { name: 'Jo Lee', phone: '+6834000' }, true],
  ['a national number of six digits', 'ORD-512345', { name: 'Jo Lee', phone: '+683512345' }, false],
  ['a national number of seven digits', 'ORD-5123456', { name: 'Jo Lee', phone: '+6835123456' }, true],
  ['en dashes', 'call 20\u20137946\u20130018', { name: 'Jo Lee', phone: '+442079460018' }, true],
  ['full-width digits', '\uff12\uff1079460018', { name: 'Jo Lee', phone: '+442079460018' }, true],
  [
    'Arabic-Indic digits',
    '\u0662\u0660\u0667\u0669\u0664\u0666\u0660\u0660\u0661\u0668',
    { name: 'Jo Lee', phone: '+442079460018' },
    true,
  ],
  ['the number that `(0)` belonged to', 'call 442079460018', { name: 'Jo Lee', phone: '+442079460018' }, true],
  ['a sharp s', 'ORDER ANNA STRAUSS', { name: 'Anna Strauß', phone: '+493055501234' }, true],
  ['a sharp s in the reference', 'Anna Strauß', { name: 'ANNA STRAUSS', phone: '+493055501234' }, true],
  ['a capital sharp s', 'ORDER ANNA STRAUẞ', { name: 'Anna Strauß', phone: '+493055501234' }, true],
  ['a capital sharp s in the name', 'anna strauss', { name: 'ANNA STRAUẞ', phone: '+493055501234' }, true],
  ['a final sigma', 'Γιώργος.Παππάς', { name: 'Γιώργος Παππάς', phone: '+302105550123' }, true],
  ['Turkish letters', 'İLAYDA IŞIK', { name: 'İlayda Işık', phone: '+493055501234' }, true],
  ['full-width letters', 'ＡＮＮＡ ＭＡＹＥＲ', { name: 'Anna Mayer', phone: '+493055501234' }, true],
  ['a name with another dash', 'Anna‑Lena Maier', { name: 'Anna-Lena Maier', phone: '+493055501234' }, true],
] as const)('%s: %s', ([, reference, customer, refused]) => {
  expect(isRefused(reference, customer)).toBe(refused);
});

/** Letters that Unicode does not decompose, with what people type instead of them. */
const LETTERS: [string, string][] = [
  ...Object.entries({ Æ: 'AE', Ð: 'D', Ø: 'O', Þ: 'TH', ß: 'ss', æ: 'ae', ð: 'd', ø: 'o', þ: 'th' }),
  ...Object.entries({ Đ: 'D', đ: 'd', Ħ: 'H', ħ: 'h', ı: 'i', Ł: 'L', ł: 'l', Ŋ: 'NG', ŋ: 'ng', Œ: 'OE', œ: 'oe' }),
  ...Object.entries({
    Ŧ: 'T',
    ŧ: 't',
    ſ: 's',
    Ĳ: 'IJ',
    ĳ: 'ij',
    ĸ: 'q',
    ŉ: 'n',
    ƒ: 'f',
    Ə: 'E',
    ə: 'e',
    Ɛ: 'E',
    Ɔ: 'O',
    ẞ: 'SS',
  }),
];

test('every letter of Latin-1 and Latin Extended-A is folded to letters of A to Z', () => {
  const table = new Map(LETTERS);
  for (let code = 0xc0; code <= 0x24f; code += 1) {
    const letter = String.fromCodePoint(code);
    if (!/\p{L}/u.test(letter)) continue;
    const base = letter.normalize('NFKD').replaceAll(/\P{L}/gu, '');
    const typed = table.get(letter) ?? (/^[A-Za-z]+$/.test(base) ? base : null);
    if (typed === null) {
      // No letter of the two blocks may be left out. The rest of Extended-B is checked as far as it decomposes.
      expect(code, letter).toBeGreaterThan(0x17f);
      continue;
    }
    const customer = { name: `Sam ${letter}dampler`, phone: '+493055501234' };
    expect(isRefused(`order sam${typed}dampler`, customer), letter).toBe(true);
    expect(isRefused(`SAM${typed.toUpperCase()}DAMPLER`, customer), letter).toBe(true);
    const plain = { name: `Sam ${typed}dampler`, phone: '+493055501234' };
    expect(isRefused(`order sam${letter}dampler`, plain), letter).toBe(true);
  }
});

test.for([
  ['Søren Ødegård', 'soren.odegard'],
  ['Łukasz Błaszczyk', 'lukasz blaszczyk'],
  ['Đorđe Đoković', 'DORDE-DOKOVIC'],
  ['Þórður Æsir', 'thordur aesir'],
  ['Maëlle Cœurdoux', 'maelle_coeurdoux'],
  ['Şükrü Iğdır', 'sukru igdir'],
  ['Kaʻiulani', 'kaiulani'],
] as const)('%s is found in %s', ([name, reference]) => {
  expect(isRefused(reference, { name, phone: '+493055501234' })).toBe(true);
});

test('letters of other scripts are not taken for Latin ones', () => {
  expect(isRefused('ivanov petrov', { name: 'Иванов Петров', phone: '+493055501234' })).toBe(false);
});
