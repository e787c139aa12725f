import { describe, expect, test } from 'vitest';
import { nameProblem, trimName } from '@/lib/platform/text/name';

describe('a name', () => {
  test.each(['Salon Nord', '💇‍♀️ 🧑🏽‍🦱 Ünïcödé ﷽', 'مرحبا', '👨‍👩‍👧', 'می‌خواهم', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '<img>', '7', '-'])(
    '%s is a name',
    (name) => {
      expect([trimName(name), nameProblem(name, 200)]).toEqual([name, null]);
    },
  );

  test.each([
    '',
    'x'.repeat(201),
    'a\u0000b',
    'a\u0007',
    'a\nb',
    'a\u2028b',
    'a\ud800b',
    'a\u202eb',
    '\u200fa',
    'a\u2066b',
  ])('%j is not a name', (name) => {
    expect(nameProblem(trimName(name), 200)).not.toBeNull();
  });

  test.each([
    '\u200b',
    '\u2060\u00ad',
    '\u3164',
    '\u2800',
    '\ufffc',
    '\u{1d159}',
    '\u{13441}',
    '\u{13446}\u{13430}',
    '\u0301',
    '\ufe0f',
    ' \u2003 ',
  ])('%j has no visible character', (name) => {
    expect(nameProblem(trimName(name), 200)).not.toBeNull();
  });

  test('is trimmed of invisible characters, but keeps emoji variants', () => {
    expect(trimName('\ufeff\u2800\u200b Salon ❤️ \ufffc\u00a0\u2060')).toBe('Salon ❤️');
  });

  test.each([`pbk_test_${'a1'.repeat(13)}`, `My KEY PBK_LIVE_${'A1'.repeat(13)}`, `whsec_${'Ab/+'.repeat(5)}`])(
    '%s is a credential',
    (name) => {
      expect(nameProblem(name, 200)).toBe('must not contain an API key or a secret');
    },
  );
});
