import { expect, test } from 'vitest';
import { constructionsIn, patternsIn, repeats, unboundedTextsIn } from '@/scripts/check/input-rules';

test('every literal is found with its flags, and only repetition can be slow', () => {
  const found = patternsIn('file.ts', 'const a = /^(a+)+$/;\nconst b = text.replace(/x/giu, "/no/");\n// /comment*/\n');
  expect(found).toEqual([
    { line: 1, source: '^(a+)+$', flags: '' },
    { line: 2, source: 'x', flags: 'giu' },
  ]);
  expect(found.map(repeats)).toEqual([true, false]);
  expect(['a*', 'a{2,}', 'a{2,3}'].every((source) => repeats({ source }))).toBe(true);
  expect(constructionsIn('file.ts', 'const a = 1;\nconst b = new RegExp(a);\nconst c = RegExp("x");')).toEqual([2, 3]);
});

test.each([
  'z.string().regex(/x/)',
  'z.string().max(5).regex(/x/)',
  'z.string().trim().max(5)',
  'z.string().nullable().refine(check)',
  'z\n  .string({ error })\n  .transform(trimName)',
  'z.iso.datetime()',
  'z.url({ protocol: /^https?$/ }).max(100)',
  "z.base64('must be base64').optional()",
  'z.coerce.number().int()',
])('a text that is checked without a bound is found: %s', (code) => {
  expect(unboundedTextsIn('file.ts', `const schema = ${code};`)).toHaveLength(1);
});

test.each([
  'boundedText(5).regex(/x/)',
  'boundedText(40).check(z.iso.datetime({ message }))',
  'z.strictObject({ id: z.string(), name: z.string().nullable() })',
  "z.string().meta({ description: 'A name.' }).nullable()",
  'z.record(z.string(), z.int())',
])('other schemas pass: %s', (code) => {
  expect(unboundedTextsIn('file.ts', `const schema = ${code};`)).toEqual([]);
});
